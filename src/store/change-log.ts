import type { CategoryFields, CategoryName } from '../record/category.ts'
import type { VersionTag } from '../record/command.ts'
import type { ChangedName, CompanionName } from '../record/companion/kinds.ts'
import type { ChangeKind } from '../record/decide.ts'
import type { JsonObject } from '../record/json.ts'
import type { ProfileFields, ProfileName } from '../record/profile.ts'
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
  readonly changed: readonly ChangedName[]
}

/** A version of what has fields of its own, without these. */
export type FieldVersionLine<Name extends string> = Omit<VersionLine, 'kind' | 'batch' | 'changed'> & {
  readonly changed: readonly Name[]
}
export type CategoryVersionLine = FieldVersionLine<CategoryName>
export type ProfileVersionLine = FieldVersionLine<ProfileName>

/** A version with its fields and those of the version before, which is null for the first. */
type FieldVersion<Fields> = FieldVersionLine<Extract<keyof Fields, string>> & {
  /** The ETag that it had at this version. */
  readonly versionTag: string
  readonly fields: Fields
  readonly before: Fields | null
}
export type CategoryVersion = FieldVersion<CategoryFields>
export type ProfileVersion = FieldVersion<ProfileFields>

export interface StoredVersion extends VersionLine {
  readonly versionTag: VersionTag
  readonly body: Uint8Array
}

/** Where a record was imported from, and the values that fit no field (decision 12). */
export type RecordExtras = {
  readonly origin: { readonly source: string; readonly path: string } | null
  readonly extras: JsonObject
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
  readonly fields: readonly ChangedName[]
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
  /** Only versions that gave this companion a content. */
  readonly companion?: CompanionName
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
