import { type Counters, nextCounter } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import type { BegunBatch } from '../../store/write/batch/batches.ts'
import type { Writer } from '../../store/write/command-writer.ts'

/*
 * Invalidates caches after a commit and before its answer (decision 25), always in this order: record counters, which
 * invalidate record caches; the published seq, up to which the feed may report changes; the change counter, which wakes feeds and
 * drops memoised counts; the content counter, which invalidates page caches. Commits of other nodes arrive as
 * notifications (`store/postgres/notifications.ts`), which bump the same counters.
 */

/** Bumps the counters of the records that a command changed. Returns its outcome as an HTTP thread needs it. */
export function invalidateRecords(
  counters: Counters,
  outcome: Outcome | BegunBatch,
  before: number,
): Outcome | BegunBatch {
  if (outcome.is === 'batch') {
    for (const id of outcome.ids) counters.bump(id)
    // HTTP threads do not need the ids, which may be many.
    return { ...outcome, ids: [] }
  }
  if (outcome.is !== 'stored') return outcome
  const counter = counters.bump(outcome.stored.id)
  // The record may be cached only if no other write has bumped its counter since before our transaction.
  return counter === nextCounter(before) ? { ...outcome, counter } : outcome
}

/** No thread may accept an ended session once its owner has the answer. */
export function invalidateSessions(counters: Counters, outcomes: readonly (Outcome | BegunBatch)[]): void {
  // Sessions may have ended although the outcome is unknown.
  const isEnded = (outcome: Outcome | BegunBatch) =>
    outcome.is === 'sessions' || (outcome.is === 'failed' && outcome.failure === 'unknown')
  if (outcomes.some(isEnded)) counters.bumpSessions()
}

/** Call when the records are invalidated. `hasContent`: records, categories or names have changed, not just tokens. */
export function invalidatePages(writer: Writer, counters: Counters, hasContent: boolean): void {
  // Other processes may have committed before us, and their changes come first in the feed.
  publishChanges(writer, counters)
  counters.bumpChanges()
  if (hasContent) counters.bumpContent()
}

/** Publishes commits of this and other processes to the feed, after the caches that they invalidate (decision 10). */
export function publishChanges(writer: Writer, counters: Counters): void {
  const { isForeign, lastSeq } = writer.look()
  if (isForeign) counters.bumpAll()
  if (lastSeq <= counters.loadPublished()) return
  counters.publish(lastSeq)
  counters.bumpChanges()
}
