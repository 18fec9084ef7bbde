import type { Counters } from '../../store/counters.ts'
import type { Writer } from '../../store/write/writer.ts'

/** Lets the feed tell of what was committed, here or by others, once no cache has anything older. */
export function publishChanges(writer: Writer, versions: Counters): void {
  const { isForeign, lastSeq } = writer.look()
  if (isForeign) versions.bumpAll()
  if (lastSeq <= versions.loadPublished()) return
  versions.publish(lastSeq)
  versions.bumpChanges()
}
