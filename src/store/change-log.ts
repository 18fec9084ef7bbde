import type { CategoryFields, CategoryName } from '../record/category.ts'
import type { VersionTag } from '../record/command.ts'
import type { ChangeKind } from '../record/decide.ts'
import type { WritableName } from '../record/fields.ts'
import type { JsonObject } from '../record/json/json-value.ts'
import type { Paging } from '../record/query/query.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Visibility } from '../record/visibility.ts'

/** What is known of a version beside the record that it made. Types, not interfaces, so that they count as JSON. */
export type VersionLine = {
  readonly version: number
  readonly at: Timestamp
  /** The name of the token that made it. */
  readonly by: string
  readonly kind: ChangeKind
  /** Why, in the author's words. */
  readonly reason: string | null
  readonly batch: number | null
  readonly changed: readonly WritableName[]
}

/** The same of a version of a category's own fields. */
export type CategoryVersionLine = Omit<VersionLine, 'kind' | 'batch' | 'changed'> & {
  readonly changed: readonly CategoryName[]
}

/** What it was then, and in the version before; of the first there is none. */
export type CategoryVersion = CategoryVersionLine & {
  readonly fields: CategoryFields
  readonly before: CategoryFields | null
}

export interface StoredVersion extends VersionLine {
  readonly versionTag: VersionTag
  readonly body: Uint8Array
}

/** Where a record came from, and what came with it that no field has a place for. */
export type RecordExtras = {
  readonly origin: { readonly source: string; readonly path: string } | null
  readonly extras: JsonObject
}

export type BatchKind = 'import' | 'rename category' | 'undo'
export type BatchState = 'running' | 'done' | 'stopped'

/** Fields of a record that a batch left as they are. */
export type UnchangedFields = {
  readonly id: number
  readonly fields: readonly string[]
  readonly why: 'changed since' | 'already as before' | 'already a draft' | 'erased'
}

/** A record that a batch was not allowed to change; the problem is a code. */
export type RefusedRecord = { readonly id: number; readonly problem: string }

/** Many versions that belong together. */
export type BatchLine = {
  readonly id: number
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly kind: BatchKind
  readonly state: BatchState
  /** How many records it is about, how many of those it has looked at, and what became of them. */
  readonly total: number
  readonly done: number
  readonly changed: number
  readonly unchanged: number
  /** The first of them; the counts are those of all. */
  readonly refused: readonly RefusedRecord[]
  readonly refused_count: number
  readonly left: readonly UnchangedFields[]
  readonly left_count: number
  /** The same as `changed`, by its older name. */
  readonly records: number
  /** The batch that this one undid. */
  readonly undoes: number | null
  /** The last batch that undid this one. */
  readonly undone_by: number | null
}

/** What became of a wish for a batch; without an id where nothing was changed, or nothing was to be. */
export type BatchReport = Omit<BatchLine, 'id'> & { readonly id: number | null }

/** Batches, newest first: all, those of one author, or a single one. */
export interface BatchesQuery extends Paging {
  readonly by: string | null
  readonly id: number | null
}

/** One version of one record, as the change feed tells it. */
export type FeedEntry = {
  readonly seq: number
  readonly id: number
  readonly version: number
  readonly at: Timestamp
  readonly kind: ChangeKind
}

export interface ChangeLogEntry extends FeedEntry {
  /** Whether everybody may know of it. */
  readonly isPublic: boolean
}

export interface LogPage<Line> {
  readonly count: number
  readonly page: number
  readonly lines: readonly Line[]
}

/** The versions of a record, newest first. */
export interface HistoryQuery extends Paging {
  readonly id: number
}

export interface ChangesQuery {
  /** Those after this one; null for none, only to learn which is the last. */
  readonly since: number | null
  readonly limit: number
  /** `live`: only changes of records that were live before or after. */
  readonly visibility: Visibility
}

export interface ChangesPage {
  /** In the order of commits. */
  readonly changes: readonly ChangeLogEntry[]
  /** The last change of all, whoever may see it; 0 in an empty store. */
  readonly last: number
  /** Whose numbers these are: another id means another store, whose changes were counted anew. */
  readonly store: string
}
