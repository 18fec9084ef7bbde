import { type Timestamp, toMs } from '../timestamp.ts'
import { isDead, type LinkAnswer, type LinkHealth } from './link.ts'

/**
 * A failure that is not counted yet: whether it counts is known when all addresses of the host are checked.
 * `uncounted` never counts, but shows that the host may be down.
 */
export type PendingFailure = 'gone' | 'private' | 'unclear' | 'uncounted'

const dayMs = 86_400_000
const [minFailures, minFailingMs] = [3, 3 * dayMs]

/** The health of an address after an answer. A failure changes the state only when it is counted. */
export function judgeAnswer(
  before: LinkHealth,
  answer: LinkAnswer,
  now: Timestamp,
): { readonly health: LinkHealth; readonly pending: PendingFailure | null } {
  const { verdict, status, evidence } = answer
  const asked = { ...before, status, evidence, checked: now }
  switch (verdict) {
    case 'gone':
    case 'private':
      return { health: asked, pending: verdict }
    case 'unclear':
      return { health: asked, pending: answer.countsUnclear ? 'unclear' : 'uncounted' }
    case 'refused':
      return { health: toState(clear(asked), 'unknown', now), pending: null }
    default:
      return { health: toState({ ...clear(asked), lastOk: now, target: answer.target }, verdict, now), pending: null }
  }
}

const clear = (health: LinkHealth): LinkHealth => ({ ...health, failures: 0, firstFailure: null, target: null })

const toState = (health: LinkHealth, state: LinkHealth['state'], since: Timestamp): LinkHealth =>
  state === health.state && health.since !== null ? health : { ...health, state, since }

/** Counts the failure of the last check. An address with only inconclusive answers for days is gone. */
export function countFailure(before: LinkHealth, pending: PendingFailure): LinkHealth {
  const { checked } = before
  if (pending === 'uncounted' || checked === null) return before
  const firstFailure = before.firstFailure ?? checked
  const health = { ...before, failures: before.failures + 1, firstFailure }
  const isCertain = health.failures >= minFailures && toMs(checked) - toMs(firstFailure) >= minFailingMs
  if (!isCertain) return health
  const state = pending === 'private' ? 'private' : 'gone'
  // It has been dead since the first failure, even if it changed between gone and private.
  const since = isDead(before.state) ? (before.since ?? firstFailure) : firstFailure
  return { ...health, target: null, state, since }
}

/** Since when, and in how many runs, too many addresses of a host have failed. */
export interface HostTrouble {
  readonly since: Timestamp
  readonly runs: number
}

const minAsked = 10
const maxFailedShare = 1 / 5
const [minTroubleRuns, minTroubleMs] = [3, 7 * dayMs]

interface JudgedHost {
  /** Null if the host is not down. */
  readonly trouble: HostTrouble | null
  /** Whether the failures of this run count. */
  readonly counts: boolean
}

/** Whether a host is down, by the answers of one run. With too few answers its trouble does not change. */
export function judgeHost(
  before: HostTrouble | null,
  { asked, failed }: { readonly asked: number; readonly failed: number },
  now: Timestamp,
): JudgedHost {
  if (asked < minAsked) return { trouble: before, counts: true }
  if (failed <= asked * maxFailedShare) return { trouble: null, counts: true }
  const trouble = { since: before?.since ?? now, runs: (before?.runs ?? 0) + 1 }
  const isLasting = trouble.runs >= minTroubleRuns && toMs(now) - toMs(trouble.since) >= minTroubleMs
  return { trouble, counts: isLasting }
}
