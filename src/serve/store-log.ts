import type { LogFields, Logger } from '../http/logger.ts'
import type { StoreEvent } from './port/messages.ts'

/** At most one line in this time, however many requests fail. */
const lineMs = 1_000

/** Logs what happens to the store, for all threads of the process. */
export interface StoreLog {
  /** A request of this thread failed because the disk or the database did. */
  fail(thread: string, error: string): void
  /** `store unreachable` comes once a second while it lasts. */
  add(event: StoreEvent, fields: LogFields): void
}

/** While the store is unreachable, failures are counted in the lines that say so, and have none of their own. */
export function createStoreLog(log: Logger): StoreLog {
  let count = 0
  let last: { readonly thread: string; readonly error: string } = { thread: '', error: '' }
  let isAway = false
  let isResting = false

  function takeCount(): number {
    const taken = count
    count = 0
    return taken
  }

  function writeFailures(): void {
    if (count === 0 || isAway || isResting) return
    log.error('store error', { ...last, count: takeCount() })
    isResting = true
    const rest = setTimeout(() => {
      isResting = false
      writeFailures()
    }, lineMs)
    rest.unref()
  }

  return {
    fail(thread, error) {
      count++
      last = { thread, error }
      writeFailures()
    },
    add(event, fields) {
      isAway = event === 'store unreachable' || (isAway && event !== 'store back')
      if (event === 'primary changed' || event === 'primary unconfirmed') log.warn(event, fields)
      else if (event === 'primary confirmed') log.info(event, fields)
      else if (event === 'store back') log.info(event, { ...fields, count: takeCount() })
      else log.error(event, { ...fields, count: takeCount() })
    },
  }
}
