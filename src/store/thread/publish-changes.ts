import type { Writer } from '../sql/writer.ts'
import type { Versions } from '../versions.ts'

/** Lets the feed tell of what was committed, here or by others, once no cache has anything older. */
export function publishChanges(writer: Writer, versions: Versions): void {
  if (writer.hasForeignChange()) versions.bumpAll()
  if (writer.lastSeq() <= versions.loadPublished()) return
  versions.publish(writer.lastSeq())
  versions.bumpChanges()
}
