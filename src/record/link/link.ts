import type { Timestamp } from '../timestamp.ts'

/** The state of an address, by the last checks. */
export const linkStates = ['ok', 'moved', 'gone', 'private', 'not_embeddable', 'unknown'] as const
export type LinkState = (typeof linkStates)[number]

/** The states that a curator should act on. */
export const troubledStates = ['gone', 'moved', 'private', 'not_embeddable'] as const satisfies readonly LinkState[]

export const isTroubled = (state: LinkState) => troubledStates.some((each) => each === state)

/** A recording that nobody can watch. */
export const isDead = (state: LinkState) => state === 'gone' || state === 'private'

/** Where a copy of an address may be. */
export const toArchiveUrl = (url: string) => `https://web.archive.org/web/${url}`

/** What a record uses an address for. A page and a file can be watched. */
const linkRoles = ['page', 'file', 'thumbnail', 'related'] as const
export type LinkRole = (typeof linkRoles)[number]

/** The answer of a host, or its absence, as the rule for the host reads it. */
export interface LinkAnswer {
  /** `unclear`: the answer is inconclusive. `refused`: the guard blocked the request; never a failure. */
  readonly verdict: Exclude<LinkState, 'unknown'> | 'unclear' | 'refused'
  /** Whether `unclear` is a failure: the host has no API of its own. */
  readonly countsUnclear: boolean
  readonly status: number | null
  /** At most 200 characters. */
  readonly evidence: string
  /** For `moved`; null if no record can have it. */
  readonly target: string | null
}

/** The evidence for an address that the guard blocked. */
export const notChecked = 'not checked'

/** What is stored of an address. */
export interface LinkHealth {
  readonly url: string
  readonly host: string
  readonly state: LinkState
  /** When the state began; null if the address was never checked. */
  readonly since: Timestamp | null
  readonly failures: number
  readonly firstFailure: Timestamp | null
  readonly status: number | null
  readonly evidence: string
  readonly target: string | null
  readonly lastOk: Timestamp | null
  readonly checked: Timestamp | null
  readonly ignoredUntil: Timestamp | null
}
