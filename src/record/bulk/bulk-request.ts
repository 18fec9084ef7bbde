import type { Filters } from '../query/query.ts'
import type { Changes } from '../record.ts'
import type { Timestamp } from '../timestamp.ts'
import type { ListChanges } from './list-change.ts'

/** Maximum number of records of one request: they change in one transaction (decision 51). */
export const maxSelected = 10_000

/** Which records to change. */
export type Selection =
  | { readonly is: 'ids'; readonly ids: readonly number[] }
  | { readonly is: 'query'; readonly filters: Filters }
  /** Records of which the author made a version in this time; both ends count. */
  | { readonly is: 'by'; readonly author: string; readonly since: Timestamp; readonly until: Timestamp | null }

/** What to change in each record: new values, and entries to add to lists or to remove from them. */
export interface BulkPatch {
  readonly changes: Changes
  readonly lists: ListChanges
}

/** `restore`: fields go back to their values before the author's first change. Only for records selected `by`. */
export type BulkWork = { readonly is: 'patch'; readonly patch: BulkPatch } | { readonly is: 'restore' }

/** A change of many records, as plain data. */
export interface BulkRequest {
  readonly select: Selection
  readonly work: BulkWork
  /** The number of records that the caller expects; null if they do not say. */
  readonly expect: number | null
  /** Hash of the selected ids that a dry run has told; absent if the caller does not say (decision 62). */
  readonly expectHash?: string
  /** Seq of the last change that the caller knows; records whose fields have changed since are refused. */
  readonly asOf: number | null
  /** Whether the others are changed if some records refuse. */
  readonly isPartial: boolean
}
