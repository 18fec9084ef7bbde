import type { CategoryFields, CategoryName } from '../record/category.ts'
import type { VersionTag } from '../record/command.ts'
import type { ChangeKind } from '../record/decide.ts'
import type { WritableName } from '../record/fields.ts'
import type { JsonObject, JsonValue } from '../record/json.ts'
import type { LinksLog } from '../record/links.ts'
import type { EntryKind, NameKind } from '../record/name.ts'
import type { Paging } from '../record/query/query.ts'
import type { Visibility } from '../record/state.ts'
import type { Timestamp } from '../record/timestamp.ts'

/** A version without its body. Types, not interfaces, so that they are assignable to JSON. */
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

/** A version of a category, without its fields. */
export type CategoryVersionLine = Omit<VersionLine, 'kind' | 'batch' | 'changed'> & {
  readonly changed: readonly CategoryName[]
}

/** A version of a category with its fields and those of the version before, which is null for the first. */
export type CategoryVersion = CategoryVersionLine & {
  /** The ETag that the category had at this version. */
  readonly versionTag: string
  readonly fields: CategoryFields
  readonly before: CategoryFields | null
}

export interface StoredVersion extends VersionLine {
  readonly versionTag: VersionTag
  readonly body: Uint8Array
}

/** Where a record was imported from, and the values that fit no field (decision 12). */
export type RecordExtras = {
  readonly origin: { readonly source: string; readonly path: string } | null
  readonly extras: JsonObject
  /** The edits of the related links; null if nobody has edited them. */
  readonly links: LinksLog | null
}

/** `bulk` and `restore`: POST batches with a patch, or with the values before an author's changes. */
export type BatchKind =
  | 'import'
  | 'rename category'
  | 'rename speaker'
  | 'rename tag'
  | 'merge category'
  | 'merge speaker'
  | 'merge tag'
  | 'undo'
  | 'bulk'
  | 'restore'
export type BatchState = 'running' | 'done' | 'stopped'

/** Fields of a record that a batch left as they are. */
export type UnchangedFields = {
  readonly id: number
  readonly fields: readonly string[]
  readonly why: 'changed_since' | 'already_restored' | 'already_draft' | 'no_longer_known' | 'erased'
}

/**
 * A name, a category or the links of a record (`related`) that a batch changed or left unchanged. It has no names,
 * because names must not outlive an erasure.
 */
export type BatchOther = {
  readonly kind: 'related' | EntryKind
  /** The slug of a category. */
  readonly id: number | string
  /** `merged_into`: what it is an alias of. `listed`: whether it is public while it is empty. */
  readonly fields: readonly string[]
  /** Why it was left; null if it was changed. */
  readonly left: 'changed_since' | 'in_use' | 'name_taken' | 'for_publishers' | null
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
  readonly as_of: number
  /** Of the ids of all selected records. */
  readonly hash: string
}

/** Batches, newest first: all, those of one author, or a single batch. */
export interface BatchesQuery extends Paging {
  readonly by: string | null
  readonly id: number | null
}

/** One version of one record in the change feed, as everybody sees it. */
export type FeedEntry = {
  readonly seq: number
  readonly id: number
  readonly version: number
  readonly at: Timestamp
  readonly kind: ChangeKind
}

/** Additional members for token holders. An erased record has no author, reason or fields. */
export type ChangeDetails = {
  readonly by: string | null
  readonly reason: string | null
  readonly fields: readonly WritableName[]
}

/** A change in the feed. `details` is null if the reader may not see them (decision 55). */
export interface ChangeLogEntry extends FeedEntry {
  /** Whether callers who see only live records get it too. */
  readonly isPublic: boolean
  readonly details: ChangeDetails | null
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

/** Which changes a reader of the feed gets. */
export interface FeedFilter {
  /** `live`: only changes of records that were live before or after, without details. */
  readonly visibility: Visibility
  /** Only changes by this author; null for all. */
  readonly by: string | null
}

export interface ChangesQuery extends FeedFilter {
  /** Return changes after this seq; null returns none, only the last seq. */
  readonly since: number | null
  readonly limit: number
}

export interface ChangesPage {
  /** In the order of commits. */
  readonly changes: readonly ChangeLogEntry[]
  /** Seq of the last change, visible to the caller or not; 0 in an empty store. */
  readonly last: number
  /** Id of the store that the sequence numbers belong to: under another id they start again (decision 37). */
  readonly store: string
}

/** The next members of a batch after a record, in the order of their ids. */
export interface BatchMembersQuery {
  readonly batch: number
  readonly after: number
  readonly limit: number
}

/** A record that a batch changed, with its first and last version in it. */
export type BatchMemberLine = { readonly id: number; readonly first: number; readonly last: number }

export interface BatchMembersPage {
  readonly members: readonly BatchMemberLine[]
  /** How many of all members have been erased since. */
  readonly erased: number
}

/** A name that a batch replaced by another, as both are called now; null if it no longer exists. */
export type NamePair = { readonly from: string | null; readonly to: string | null }

export interface BatchNamesQuery {
  readonly ids: readonly number[]
}

/** Where a page of activity ends: in the log of versions, and among the changes that have no number there. */
export interface ActivityCursor {
  /** Versions before this seq follow. */
  readonly seq: number
  /** Other changes up to this time follow, without the first `shown` of exactly this time. */
  readonly at: Timestamp
  readonly shown: number
}

/** Which changes to list, newest first; null leaves a condition out. */
export interface ActivityQuery {
  readonly by: string | null
  /** The slug of a category: changes of its records and of itself. */
  readonly category: string | null
  /** Only changes of this batch, each as a line. */
  readonly batch: number | null
  /** `2026-11-17`, in UTC. */
  readonly day: string | null
  readonly cursor: ActivityCursor | null
  readonly limit: number
}

/** One change of a record. This and the next are types, not interfaces, so that they are assignable to JSON. */
export type VersionActivity = {
  readonly is: 'version'
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly id: number
  readonly version: number
  readonly kind: ChangeKind
  readonly batch: number | null
  readonly changed: readonly WritableName[]
}

/** All changes of a batch together. */
export type BatchActivity = {
  readonly is: 'batch'
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly id: number
  readonly kind: BatchKind
  readonly undoes: number | null
  readonly records: number
}

export type CategoryActivity = {
  readonly is: 'category'
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly slug: string
  readonly title: string
  readonly version: number
  readonly changed: readonly CategoryName[]
}

/** Names that a curator called different; null for a name that no longer exists. */
export type DismissalActivity = {
  readonly is: 'dismissal'
  readonly at: Timestamp
  readonly by: string
  readonly of: NameKind
  readonly names: readonly (string | null)[]
}

/** Nothing else is known of an erased record. */
export type ErasureActivity = { readonly is: 'erasure'; readonly at: Timestamp; readonly id: number }

export type Activity = VersionActivity | BatchActivity | CategoryActivity | DismissalActivity | ErasureActivity

export interface ActivityPage {
  readonly lines: readonly Activity[]
  /** Null at the end. */
  readonly next: ActivityCursor | null
}

/** A change of a live record that viewers can see. */
export type PublicChange = {
  readonly id: number
  readonly version: number
  readonly at: Timestamp
  /** `created`: it became live. */
  readonly kind: ChangeKind
}

/** The slug of a category. */
export interface EventChangesQuery {
  readonly category: string
  readonly limit: number
}
