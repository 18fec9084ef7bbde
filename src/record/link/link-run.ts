import type { Timestamp } from '../timestamp.ts'
import type { HostTrouble } from './judge.ts'
import type { LinkAnswer, LinkState } from './link.ts'

/** Which addresses a run checks. A run with the same options continues an interrupted one. */
export interface LinkRunOptions {
  /** Addresses that were checked later than this long before the run are left out; 0 leaves none out. */
  readonly olderThanMs: number
  /** Filters of the list of records; null: of all records. */
  readonly query: string | null
  readonly host: string | null
  readonly limit: number | null
  /** Whether addresses of drafts are checked, too: their hosts learn of talks that are not published. */
  readonly drafts: boolean
  readonly allowsPrivate: boolean
}

export interface LinkResult {
  readonly id: number
  /** Tells whether the id belongs to another address by now. */
  readonly url: string
  readonly at: Timestamp
  readonly answer: LinkAnswer
}

/** A step of a run, as plain data for the writer. Every step renews the lease of its holder. */
export type LinkRunStep =
  /** `options` as text, so that equal ones are equal. */
  | { readonly is: 'begin'; readonly holder: string; readonly options: string }
  /** `ended`: hosts whose part of the run is over. */
  | (HeldRun & { readonly is: 'record'; readonly results: readonly LinkResult[]; readonly ended: readonly EndedHost[] })
  /** `isFinished`: false leaves the run to be continued. */
  | (HeldRun & { readonly is: 'end'; readonly isFinished: boolean })

export interface EndedHost {
  readonly host: string
  /** Whether its failures count; null if that is to be judged. A host that was left alone is not judged. */
  readonly counts: boolean | null
}

interface HeldRun {
  readonly run: number
  readonly holder: string
}

export interface LinkChange {
  readonly url: string
  readonly from: LinkState
  readonly to: LinkState
  readonly evidence: string
  readonly target: string | null
}

export interface SettledHost {
  readonly host: string
  readonly asked: number
  readonly failed: number
  readonly counts: boolean
  readonly trouble: HostTrouble | null
}

/** The result of a step. */
export type LinkRunReply =
  | { readonly is: 'begun'; readonly run: number; readonly started: Timestamp; readonly isContinued: boolean }
  /** Another run is in progress. */
  | { readonly is: 'taken'; readonly holder: string; readonly since: Timestamp; readonly until: Timestamp }
  /** `settled`: hosts that were judged. `left`: those of which failures are left for the next step. */
  | {
      readonly is: 'written'
      readonly changes: readonly LinkChange[]
      readonly settled: readonly SettledHost[]
      readonly left: readonly EndedHost[]
    }
  /** Another process has continued the run, because this one did not renew its lease. */
  | { readonly is: 'lost' }
