import type { MaybePromise } from '../maybe-promise.ts'
import type { CategoryFields } from '../record/category.ts'
import type { Command, Refusal, VersionTag } from '../record/command.ts'
import type { WritableName } from '../record/fields.ts'
import type { CountedFacet } from '../record/query/facets.ts'
import type { ListQuery, Paging } from '../record/query/query.ts'
import type { Suggestions, SuggestQuery } from '../record/query/suggest.ts'
import type {
  CategoryRow,
  Initial,
  InitialsQuery,
  NameQuery,
  NameRow,
  VocabularyQuery,
  VocabularyRows,
} from '../record/query/vocabulary.ts'
import type { Hits } from '../record/text/hits.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Dismissal } from '../record/variants/dismissal.ts'
import type { VariantLine, VariantsQuery } from '../record/variants/variant.ts'
import type { Visibility } from '../record/visibility.ts'
import type { AccessStore, SessionLine, SessionsQuery } from './access.ts'
import type { AuditReads } from './audit-reads.ts'
import type {
  BatchesQuery,
  BatchLine,
  BatchReport,
  BulkPreview,
  CategoryVersion,
  CategoryVersionLine,
  ChangesPage,
  ChangesQuery,
  HistoryQuery,
  LogPage,
  RecordExtras,
  StoredVersion,
  VersionLine,
} from './change-log.ts'
import type { EditorReads } from './editor-reads.ts'
import type { NameReads } from './name-reads.ts'
import type { QualityReads } from './quality-reads.ts'
import type { SiteReads } from './site-reads.ts'

/** A stored record: the bytes that are served, and what is needed to serve them. */
export interface StoredRecord {
  readonly id: number
  readonly version: number
  readonly versionTag: VersionTag
  readonly state: number
  readonly updated: Timestamp
  readonly body: Uint8Array
}

/** The fields of a category in one of its versions. */
export interface StoredCategory {
  readonly id: number
  readonly slug: string
  readonly added: Timestamp
  readonly version: number
  readonly versionTag: VersionTag
  /** When that version was made. */
  readonly updated: Timestamp
  readonly fields: CategoryFields
}

/** A speaker or tag without its count. */
export type NamedRow = Omit<NameRow, 'count' | 'aliases'>

/**
 * `late`: a read exceeded its time limit. `newer_schema`: a newer program has upgraded the store (decision 66).
 * `unconfirmed`: the primary may be an old one (decision 67).
 */
export type Failure = 'full' | 'busy' | 'down' | 'newer_schema' | 'unconfirmed' | 'unknown' | 'late' | 'bug'

export type Outcome =
  | {
      readonly is: 'stored'
      readonly stored: StoredRecord
      readonly changed: readonly WritableName[]
      /** The record has not changed since while its counter has this value. */
      readonly counter?: number
    }
  | { readonly is: 'unchanged'; readonly stored: StoredRecord }
  /** What would have been stored. */
  | { readonly is: 'dry run'; readonly body: Uint8Array }
  /** The same Idempotency-Key again: the first response, and no second record. */
  | { readonly is: 'repeated'; readonly stored: StoredRecord }
  /**
   * Result of a category change, a rename, a merge, an undo or a bulk change. `batch` is null if no record had to change.
   * `category` is set for category changes and `name` for renames of speakers and tags; in a dry run, as they would be.
   * `preview` is set for the dry run of a bulk change.
   */
  | {
      readonly is: 'batch'
      readonly batch: BatchReport | null
      readonly ids: readonly number[]
      readonly category?: StoredCategory
      readonly name?: NamedRow
      readonly preview?: BulkPreview
    }
  /** A new category. `isMade` is false in a dry run, and for the same Idempotency-Key again. */
  | { readonly is: 'category'; readonly category: StoredCategory; readonly isMade: boolean }
  /** `isMade` is false if nothing had to be stored. */
  | { readonly is: 'dismissal'; readonly dismissal: Dismissal; readonly isMade: boolean }
  /** How many sessions have begun or ended. */
  | { readonly is: 'sessions'; readonly changed: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** `unknown`: the write may or may not have happened. With every other failure it has not. */
  | { readonly is: 'failed'; readonly failure: Failure }

/** A value of a facet. Categories, speakers and tags have a slug, and speakers and tags an id. */
export interface FacetValue {
  readonly value: string
  readonly count: number
  readonly slug?: string
  readonly id?: number
}

export interface ListPage {
  readonly count: number
  /** The page number; null for a page by cursor. */
  readonly page: number | null
  /** Each record as ASCII JSON, whole or only the requested fields; null if they are too large together. */
  readonly records: readonly string[] | null
  readonly nextCursor: string | null
  /** The most frequent values of each facet first. */
  readonly facets: { readonly [F in CountedFacet]?: readonly FacetValue[] } | null
  /** Present if `count` is a lower bound; only for `match=best`. */
  readonly countIs?: 'at_least'
  /** Present if some words are not loaded yet, so that the same search may have another order a moment later. */
  readonly isProvisional?: true
  /** For `match=best`: typed words that were also matched as other words of the archive. Absent if there are none. */
  readonly corrected?: { readonly [typed: string]: readonly string[] }
  /** For `match=best`: what the search matches in texts. Absent if there was no search. */
  readonly hits?: Hits
}

/** One category, as far as the caller may see it. */
export interface CategoryQuery {
  readonly slug: string
  readonly visibility: Visibility
}

/** A category with its records and its current version. */
export interface FoundCategory {
  readonly row: CategoryRow
  readonly versionTag: VersionTag
  readonly updated: Timestamp
  /** Time of the last change to the category or its list of records. */
  readonly modified: Timestamp
}

/** The versions of a category, newest first. */
export interface CategoryHistoryQuery extends Paging {
  readonly slug: string
}

export interface CategoryVersionQuery {
  readonly slug: string
  readonly number: number
}

/** Reads for the pages of curators. */
type CuratorReads = AuditReads & NameReads & QualityReads & EditorReads

/** Reads that may take long; each takes one query object. */
export type SlowRead =
  | 'list'
  | 'listVocabulary'
  | 'listInitials'
  | 'suggest'
  | 'findName'
  | 'listVariants'
  | 'findCategory'
  | 'listCategoryHistory'
  | 'readCategoryVersion'
  | 'listHistory'
  | 'listBatches'
  | 'listChanges'
  | 'listSessions'
  | keyof CuratorReads
  | keyof SiteReads

/** The part of the store that read-only handlers need. */
export type ReadStore = Pick<Store, SlowRead | 'read' | 'isErased' | 'findVersionTag' | 'readVersion' | 'readExtras'>

/** Reads as slow reads. */
type SlowReads<Reads extends { [M in keyof Reads]: (query: never) => Promise<unknown> }> = {
  readonly [M in keyof Reads]: (
    ...query: [...Parameters<Reads[M]>, signal?: AbortSignal]
  ) => Promise<Awaited<ReturnType<Reads[M]>> | Failure>
}

/**
 * The store of records. Guarantees:
 * - `execute` returns `stored` only after the change and its version are on disk; they survive kill -9 and power loss.
 * - Once `execute` has returned, every read on every thread sees that change or a later one.
 * - A refused or failed command leaves no trace: no version, no category.
 * - Changes of other processes are visible within 200 ms.
 * - Reads of single records return synchronously on a file; they reject if the store cannot be reached.
 */
export interface Store extends AccessStore, SlowReads<SiteReads & CuratorReads> {
  read(id: number): MaybePromise<StoredRecord | null>
  /** Whether a record with this id was erased. Only meaningful if no record has this id. */
  isErased(id: number): MaybePromise<boolean>
  /** The tag of a version, without its body; null if the record has no such version. */
  findVersionTag(id: number, number: number): MaybePromise<VersionTag | null>
  /** One version of a record; null if there is none. */
  readVersion(id: number, number: number): MaybePromise<StoredVersion | null>
  /** Both parts are empty for a record that was not imported. */
  readExtras(id: number): MaybePromise<RecordExtras>
  /**
   * A slow read, like those below. It runs on a query thread, so reads of single records never wait for it, and fails
   * with `late` after `--list-ms` (ADR 28). If it is aborted before it starts, it never runs.
   */
  list(query: ListQuery, signal?: AbortSignal): Promise<ListPage | Failure>
  listVocabulary(query: VocabularyQuery, signal?: AbortSignal): Promise<VocabularyRows | Failure>
  /** The initials of speakers or tags in the order of the alphabet, `other` last. */
  listInitials(query: InitialsQuery, signal?: AbortSignal): Promise<readonly Initial[] | Failure>
  /** Speakers, categories, tags and records whose name or title has the typed words, for callers who see them. */
  suggest(query: SuggestQuery, signal?: AbortSignal): Promise<Suggestions | Failure>
  /** Null if the caller sees no record with this speaker or tag. An alias stands for another: the answer has its id. */
  findName(query: NameQuery, signal?: AbortSignal): Promise<NameRow | null | Failure>
  /** Groups of names that are probably the same, for callers who see drafts. */
  listVariants(query: VariantsQuery, signal?: AbortSignal): Promise<LogPage<VariantLine> | Failure>
  /** Null if the caller may see no such category. A merged one stands for another: the answer has its slug (ADR 52). */
  findCategory(query: CategoryQuery, signal?: AbortSignal): Promise<FoundCategory | null | Failure>
  /** Null if there is no such category. */
  listCategoryHistory(
    query: CategoryHistoryQuery,
    signal?: AbortSignal,
  ): Promise<LogPage<CategoryVersionLine> | null | Failure>
  readCategoryVersion(query: CategoryVersionQuery, signal?: AbortSignal): Promise<CategoryVersion | null | Failure>
  listHistory(query: HistoryQuery, signal?: AbortSignal): Promise<LogPage<VersionLine> | Failure>
  listBatches(query: BatchesQuery, signal?: AbortSignal): Promise<LogPage<BatchLine> | Failure>
  listChanges(query: ChangesQuery, signal?: AbortSignal): Promise<ChangesPage | Failure>
  /** The last used first. Some may be over. */
  listSessions(query: SessionsQuery, signal?: AbortSignal): Promise<readonly SessionLine[] | Failure>
  /** Moves with every change, of tokens too. */
  changesCounter(): number
  execute(command: Command): Promise<Outcome>
  /** Whether the store accepts writes now. */
  isReady(): boolean
  /** Why the store is not ready, for operators; null if there is no specific reason. */
  unreadyReason(): string | null
  /** Closes this thread's connection. Do not call any other method afterwards. */
  close(): void
}
