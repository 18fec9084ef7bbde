import type { Counters } from '../../store/counters.ts'
import type { Writer } from '../../store/write/writer.ts'

/** Publishes commits of this and other processes to the feed, after the caches that they invalidate (ADR 10). */
export function publishChanges(writer: Writer, counters: Counters): void {
  const { isForeign, lastSeq } = writer.look()
  if (isForeign) counters.bumpAll()
  if (lastSeq <= counters.loadPublished()) return
  counters.publish(lastSeq)
  counters.bumpChanges()
}
