import type { Counters } from '../../store/counters.ts'
import type { Writer } from '../../store/write/writer.ts'

/** Lets the feed tell of what was committed, here or by others, once no cache has anything older. */
export function publishChanges(writer: Writer, versions: Counters): void {
  if (writer.hasForeignChange()) versions.bumpAll()
  if (writer.lastSeq() <= versions.loadPublished()) return
  versions.publish(writer.lastSeq())
  versions.bumpChanges()
}
