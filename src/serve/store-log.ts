import type { LogFields, Logger } from '../http/logger.ts'
import { type Host, toHostName } from '../store/postgres/address.ts'
import type { Timeline } from '../store/postgres/primary/timeline.ts'
import type { StoreEvent } from './port/messages.ts'

/** At most one line in this time, however many requests fail. */
const lineMs = 1_000

/** Logs failures and events of the store, for all threads of the process. */
export interface StoreLog {
  /** A request of this thread failed because the disk or the database did. */
  fail(thread: string, error: string): void
  add(event: StoreEvent, fields: LogFields): void
}

/** While the store is unreachable, failures are counted in those lines and get no lines of their own. */
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

/** After this long without an answer the store counts as unreachable. */
const awayMs = 1_000
/** How often a line repeats for the same reason. */
const repeatMs = 60_000

interface StoreWatchDeps {
  readonly hosts: readonly Host[]
  readonly timeline: Pick<Timeline, 'load' | 'loadHostIndex' | 'loadTimeline'>
  /** Why nothing may be written; null if it may. */
  findDoubt(): string | null
  logEvent(event: StoreEvent, fields: LogFields): void
}

/** The last known position of a primary: in its write-ahead log, and in our change log. */
interface Position {
  readonly wal: string
  readonly seq: number
}

/** Logs that PostgreSQL is unreachable, is back, or has a new primary. */
interface StoreWatch {
  /** The primary has answered. */
  hear(position: Position): void
  /** Why it could not be reached. */
  fail(reason: string): void
  stop(): void
}

export function createStoreWatch({ hosts, timeline, findDoubt, logEvent }: StoreWatchDeps): StoreWatch {
  let heardMs = performance.now()
  let isAway = false
  let reason: string | null = null
  /** When each reason of this outage was logged. */
  const loggedMs = new Map<string, number>()
  let unconfirmed: string | null = null
  let known: (Position & { readonly key: bigint; readonly host: string; readonly timeline: number }) | null = null

  const toSeconds = () => Math.round((performance.now() - heardMs) / 100) / 10
  const toName = () => {
    const host = hosts[timeline.loadHostIndex() ?? -1]
    return host === undefined ? hosts.map(toHostName).join(',') : toHostName(host)
  }

  /** Logs again if other hosts are silent now. */
  function checkConfirmed(): void {
    const found = findDoubt()
    if (found === unconfirmed) return
    unconfirmed = found
    const advice = 'Start it. If a host is gone for good, remove it from --db.'
    if (found !== null) logEvent('primary unconfirmed', { why: `${found}. Reads are served. ${advice}` })
    else logEvent('primary confirmed', { host: toName(), timeline: timeline.loadTimeline() })
  }

  function look(): void {
    if (known !== null) checkConfirmed()
    if (performance.now() < heardMs + awayMs) return
    isAway = true
    const error = reason ?? `no answer (${toName()})`
    if (performance.now() < (loggedMs.get(error) ?? Number.NEGATIVE_INFINITY) + repeatMs) return
    loggedMs.set(error, performance.now())
    logEvent('store unreachable', { seconds: toSeconds(), error })
  }
  const looking = setInterval(look, awayMs)

  return {
    hear({ wal, seq }) {
      const now = { key: timeline.load(), host: toName(), timeline: timeline.loadTimeline(), wal, seq }
      if (known !== null && known.key !== now.key) {
        const left = { leftTimeline: known.timeline, leftPosition: known.wal, leftSeq: known.seq }
        logEvent('primary changed', { from: known.host, to: now.host, timeline: now.timeline, seq, ...left })
      }
      known = now
      if (isAway) logEvent('store back', { seconds: toSeconds(), host: now.host })
      isAway = false
      reason = null
      loggedMs.clear()
      heardMs = performance.now()
    },
    fail(text) {
      reason = text
    },
    stop: () => clearInterval(looking),
  }
}
