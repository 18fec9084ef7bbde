import type { JsonObject, JsonValue } from '../record/json.ts'
import type { EntryKind } from '../record/name.ts'
import type { Paging } from '../record/query/query.ts'
import type { Timestamp } from '../record/timestamp.ts'

/** `bulk` and `restore`: POST batches with a patch, or with the values before an author's changes. `table`: rows of a CSV. */
export type BatchKind =
  | 'import'
  | 'rename category'
  | 'rename speaker'
  | 'rename tag'
  | 'merge category'
  | 'merge speaker'
  | 'merge tag'
  | 'merge video'
  | 'undo'
  | 'bulk'
  | 'restore'
  | 'table'
export type BatchState = 'running' | 'done' | 'stopped'

/** Fields of a record that a batch left as they are. */
export type UnchangedFields = {
  readonly id: number
  readonly fields: readonly string[]
  readonly why: 'changed_since' | 'already_restored' | 'already_draft' | 'erased'
}

/**
 * A name, a category or where the page of a record leads (`video`) that a batch changed or left unchanged. It has no names,
 * because names must not outlive an erasure.
 */
export type BatchOther = {
  readonly kind: 'video' | EntryKind
  /** The slug of a category. */
  readonly id: number | string
  /** `merged_into`: what it is an alias of. `listed`: whether it is public while it is empty. */
  readonly fields: readonly string[]
  /** Why it was left; null if it was changed. */
  readonly left: 'changed_since' | 'in_use' | 'name_taken' | 'publisher_required' | null
  /** Who has changed it since. */
  readonly by: string | null
}

/** A record that a batch was not allowed to change; the problem is a code. */
export type RefusedRecord = { readonly id: number; readonly problem: string }

/** A batch: versions of many records that belong together. */
export type BatchLine = {
  readonly id: number
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly kind: BatchKind
  readonly state: BatchState
  /** Number of records to process, of those processed so far, and their results. */
  readonly total: number
  readonly done: number
  readonly changed: number
  /** Of the records that are known; rows of a table that would have created one and were refused count in `total` only. */
  readonly unchanged: number
  /** The first few; `refused_count` and `left_count` count all. */
  readonly refused: readonly RefusedRecord[]
  readonly refused_count: number
  readonly left: readonly UnchangedFields[]
  readonly left_count: number
  /** The first few; unchanged ones come first. */
  readonly others: readonly BatchOther[]
  /** The same as `changed`, for older clients. */
  readonly records: number
  /** The batch that this one undid. */
  readonly undoes: number | null
  /** The last batch that undid this one. */
  readonly undone_by: number | null
}

/** The result of a requested batch. `id` is null if nothing was changed, and in a dry run. */
export type BatchReport = Omit<BatchLine, 'id'> & { readonly id: number | null }

/** A field of a record before and after a bulk change. */
export type Difference = {
  readonly id: number
  readonly fields: { readonly [name: string]: { readonly before: JsonValue; readonly after: JsonValue } }
}

/** What a dry run of a bulk change adds to its report. `as_of` is the seq of the last change that it saw. */
export type BulkPreview = {
  readonly differences: readonly Difference[]
  /** The record after which the next differences are; null if there are no more. */
  readonly next: number | null
  readonly as_of: number
  /** Of the ids of all selected records. */
  readonly hash: string
}

/** What a row of a table does, or why it cannot. */
export type RowVerdict = {
  readonly row: number
  /** Null for a new record. */
  readonly id: number | null
  readonly is: 'created' | 'changed' | 'unchanged' | 'refused'
  /** Of a refused row, a code as in `RefusedRecord`. */
  readonly problem: string | null
  /** Why cells of a refused row are wrong, by field; `""` for the row as a whole. */
  readonly errors: { readonly [field: string]: readonly string[] }
  /** Whether it replaces values without naming the version that it was made from. */
  readonly isOverwriting: boolean
  /** The record that has the same video, or the earlier row. */
  readonly same: { readonly id: number } | { readonly row: number } | null
}

/** The fields that a row changes. `base` is what the version had that the row was made from. */
export type RowDifference = {
  readonly row: number
  readonly title: string
  readonly language: string
  readonly state: number
  readonly fields: {
    readonly [name: string]: { readonly base: JsonValue; readonly before: JsonValue; readonly after: JsonValue }
  }
}

/** What the dry run of a table adds to its report. */
export type TablePreview = {
  /** Of every row, in their order. */
  readonly rows: readonly RowVerdict[]
  /** Of the requested rows. */
  readonly differences: readonly RowDifference[]
  readonly as_of: number
}

/** Batches, newest first: all, those of one author, or a single batch. */
export interface BatchesQuery extends Paging {
  readonly by: string | null
  readonly id: number | null
}

/** The next members of a batch after a record, in the order of their ids. */
export interface BatchMembersQuery {
  readonly batch: number
  readonly after: number
  readonly limit: number
}

/** A record that a batch changed, with its first and last version in it. */
export type BatchMemberLine = {
  readonly id: number
  readonly first: number
  readonly last: number
  /** Whether it is a draft now that was neither set aside nor merged. */
  readonly isDraft: boolean
}

export interface BatchMembersPage {
  readonly members: readonly BatchMemberLine[]
  /** How many of all members have been erased since. */
  readonly erased: number
}

/** A name that a batch replaced by another, as both are called now; null if it no longer exists. */
export type NamePair = { readonly from: string | null; readonly to: string | null }

/** What a batch did, as far as it is stored and still exists: enough to say it in words. */
export type BatchContent = BatchDeed & {
  /** What an undo has undone. */
  readonly undone: (BatchDeed & { readonly undoes: number | null; readonly talks: number }) | null
}

type BatchDeed = {
  readonly kind: BatchKind
  /** The first names of a rename or merge; the titles of merged records. */
  readonly pairs: readonly NamePair[]
  /** How many more there are. */
  readonly morePairs: number
  /** Of a bulk change, with long values cut. Null for other batches, and for those of older programs. */
  readonly patch: JsonObject | null
  /** Of a bulk change without a stored patch: fields that changed in its first records. */
  readonly fields: readonly string[]
  /** The records that a table created. Null for other batches. */
  readonly created: CreatedRecords | null
}

export type CreatedRecords = {
  readonly count: number
  /** The title of the category that all of them are in now; null if there are several. */
  readonly category: string | null
}

export interface BatchContentsQuery {
  readonly ids: readonly number[]
}

/** The batches that this process runs: how many, and how many of their records are done. */
export interface RunningBatches {
  readonly running: number
  readonly done: number
  readonly total: number
}
