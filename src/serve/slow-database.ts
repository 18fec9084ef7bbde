import type { Logger } from '../http/logger.ts'
import type { Counters } from '../store/counters.ts'
import { maxRoundTripMs } from '../store/postgres/risks.ts'

/** Between two lines of this thread. */
const everyMs = 10_000

/** Says why a request was late if the database is far away, and logs it; null if the database responds quickly. */
export function createSlowDatabase(
  { loadRoundTripMs }: Pick<Counters, 'loadRoundTripMs'>,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): () => string | null {
  let count = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return () => {
    const ms = loadRoundTripMs()
    if (ms <= maxRoundTripMs) return null
    const why = `The database took ${ms} ms per round trip.`
    count++
    if (now() >= loggedMs + everyMs) {
      log.warn('slow database', { why: `Requests exceed --list-ms. ${why} Run nodes close to their database.`, count })
      loggedMs = now()
      count = 0
    }
    return `The request exceeded its time limit. ${why} Retry later.`
  }
}
