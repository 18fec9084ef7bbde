import type { LogFields } from '../http/logger.ts'
import { type Host, toHostName } from '../store/postgres/address.ts'
import type { Timeline } from '../store/postgres/primary/timeline.ts'
import type { StoreEvent } from './port/messages.ts'

/** After this long without an answer the store counts as unreachable; while it is, this often a line says so. */
const awayMs = 1_000

export interface StoreWatchDeps {
  readonly hosts: readonly Host[]
  readonly timeline: Pick<Timeline, 'load' | 'loadHostIndex' | 'loadTimeline'>
  /** Why nothing may be written; null if it may. */
  findDoubt(): string | null
  logEvent(event: StoreEvent, fields: LogFields): void
}

/** Where a primary was when it was last heard of: in its write-ahead log, and in our change log. */
export interface Position {
  readonly wal: string
  readonly seq: number
}

/** What the log says of a PostgreSQL that goes away, comes back, or is replaced by another one. */
export interface StoreWatch {
  /** The primary has answered. */
  hear(position: Position): void
  /** Why it could not be asked. */
  fail(reason: string): void
  stop(): void
}

export function createStoreWatch({ hosts, timeline, findDoubt, logEvent }: StoreWatchDeps): StoreWatch {
  let heardMs = performance.now()
  let isAway = false
  let reason: string | null = null
  let unconfirmed: string | null = null
  let known: (Position & { readonly key: bigint; readonly host: string; readonly timeline: number }) | null = null

  const toSeconds = () => Math.round((performance.now() - heardMs) / 100) / 10
  const toName = () => {
    const host = hosts[timeline.loadHostIndex() ?? -1]
    return host === undefined ? hosts.map(toHostName).join(',') : toHostName(host)
  }

  /** Says it again if other hosts are missing. */
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
    logEvent('store unreachable', { seconds: toSeconds(), error: reason ?? `no answer (${toName()})` })
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
      heardMs = performance.now()
    },
    fail(text) {
      reason = text
    },
    stop: () => clearInterval(looking),
  }
}
