import type { MaybePromise } from '../maybe-promise.ts'
import type { CategoryFields } from '../record/category.ts'
import type { Command, Refusal, Role, VersionTag } from '../record/command.ts'
import type { WritableName } from '../record/fields.ts'
import type { ListQuery, Paging, VocabularyKind } from '../record/query/query.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Visibility } from '../record/visibility.ts'
import type {
  BatchesQuery,
  BatchLine,
  BatchReport,
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

/** A record as it lies in the store: the bytes we serve, and what is needed to serve them. */
export interface StoredRecord {
  readonly id: number
  readonly version: number
  readonly versionTag: VersionTag
  readonly state: number
  readonly updated: Timestamp
  readonly body: Uint8Array
}

/** A category's own fields, as one of its versions has them. */
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

/** `late`: a reading took longer than it may. */
export type Failure = 'full' | 'busy' | 'down' | 'unknown' | 'late' | 'bug'

export type Outcome =
  | {
      readonly is: 'stored'
      readonly stored: StoredRecord
      readonly changed: readonly WritableName[]
      /** While the record's counter is this, nothing has happened to it since. */
      readonly counter?: number
    }
  | { readonly is: 'unchanged'; readonly stored: StoredRecord }
  /** What would be stored; nothing was. */
  | { readonly is: 'dry run'; readonly body: Uint8Array }
  /** The same Idempotency-Key again: the first answer, and no second record. */
  | { readonly is: 'repeated'; readonly stored: StoredRecord }
  /**
   * A change of a category, which may have been no batch at all, or an undo: how far it is, and what it rewrote. The
   * category, where it is one; after a dry run with the fields that it would have.
   */
  | {
      readonly is: 'batch'
      readonly batch: BatchReport | null
      readonly ids: readonly number[]
      readonly category?: StoredCategory
    }
  /** A new category; with the same Idempotency-Key again, or after a dry run, none was made. */
  | { readonly is: 'category'; readonly category: StoredCategory; readonly isMade: boolean }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** `unknown`: the write may or may not have happened. The others: it has not. */
  | { readonly is: 'failed'; readonly failure: Failure }

/** Types, not interfaces, here and below: so they count as JSON. */
export type FacetCount = { readonly value: string; readonly count: number }

export interface ListPage {
  readonly count: number
  /** Its number; null for a page by cursor. */
  readonly page: number | null
  /** The body of each record as ASCII JSON, or only the fields asked for; null where they are too large together. */
  readonly records: readonly string[] | null
  readonly nextCursor: string | null
  readonly facets: { readonly [name: string]: readonly FacetCount[] } | null
}

/** A page of categories, speakers, tags or languages. */
export interface VocabularyQuery {
  readonly kind: VocabularyKind
  readonly visibility: Visibility
  /** Folded beginning of the name; `""` for all. */
  readonly prefix: string
  readonly page: number | 'last'
  readonly pageSize: number
}

/** One category, as a caller sees it. */
export interface CategoryQuery {
  readonly slug: string
  readonly visibility: Visibility
}

/** What is known of it: its fields and records, and the version that it is. */
export interface FoundCategory {
  readonly row: CategoryRow
  readonly versionTag: VersionTag
  readonly updated: Timestamp
  /** Since when all of it, its list of records included, is what it is. */
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

export type NameRow = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly count: number
}

export type LanguageRow = {
  readonly name: string
  readonly count: number
}

export type CategoryRow = {
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly url: string
  readonly start_date: string | null
  readonly whiteboard: string
  readonly added: string
  readonly ids: readonly number[]
}

export interface VocabularyRows {
  readonly count: number
  readonly page: number
  readonly rows: readonly (NameRow | LanguageRow | CategoryRow)[]
}

/** Reads that may take long, each with one query. */
export type SlowRead =
  | 'list'
  | 'listVocabulary'
  | 'findCategory'
  | 'listCategoryHistory'
  | 'readCategoryVersion'
  | 'listHistory'
  | 'listBatches'
  | 'listChanges'

/** What handlers that only read need of the store. */
export type ReadStore = Pick<Store, SlowRead | 'read' | 'isErased' | 'findVersionTag' | 'readVersion' | 'readExtras'>

export interface AccessToken {
  readonly id: number
  readonly name: string
  readonly role: Role
}

/**
 * Where records live. Promises:
 * - `execute` answers `stored` only after the change is on disk with its version; it survives kill -9 and power loss.
 * - Once `execute` has answered, every read on every thread sees that change or a later one.
 * - A refused or failed command leaves no trace: no version, no category.
 * - Changes of other processes are seen within 200 ms.
 * - Reads of single records are known at once where the store is a file; they reject when the store cannot be asked.
 */
export interface Store {
  read(id: number): MaybePromise<StoredRecord | null>
  /** Whether there was a record with this id that was erased for good; worth asking only where there is none. */
  isErased(id: number): MaybePromise<boolean>
  /** The versionTag of a version, without reading the rest of it; null where the record has no such version. */
  findVersionTag(id: number, number: number): MaybePromise<VersionTag | null>
  /** One version of a record; null where there is none. */
  readVersion(id: number, number: number): MaybePromise<StoredVersion | null>
  /** Nothing of either for a record that was made here. */
  readExtras(id: number): MaybePromise<RecordExtras>
  /**
   * A slow read, as are those below. It runs on a query thread, so reads of single records never wait for it, and fails
   * with `late` after `--list-ms`. One that is aborted before it begins never runs.
   */
  list(query: ListQuery, signal?: AbortSignal): Promise<ListPage | Failure>
  listVocabulary(query: VocabularyQuery, signal?: AbortSignal): Promise<VocabularyRows | Failure>
  /** Null where there is none that the caller may see. */
  findCategory(query: CategoryQuery, signal?: AbortSignal): Promise<FoundCategory | null | Failure>
  /** Null where there is no such category. */
  listCategoryHistory(
    query: CategoryHistoryQuery,
    signal?: AbortSignal,
  ): Promise<LogPage<CategoryVersionLine> | null | Failure>
  readCategoryVersion(query: CategoryVersionQuery, signal?: AbortSignal): Promise<CategoryVersion | null | Failure>
  listHistory(query: HistoryQuery, signal?: AbortSignal): Promise<LogPage<VersionLine> | Failure>
  listBatches(query: BatchesQuery, signal?: AbortSignal): Promise<LogPage<BatchLine> | Failure>
  listChanges(query: ChangesQuery, signal?: AbortSignal): Promise<ChangesPage | Failure>
  /** Moves with every change of anything. */
  changesCounter(): number
  execute(command: Command): Promise<Outcome>
  /** The token with this SHA-256, unless revoked. */
  findToken(hash: Uint8Array): MaybePromise<AccessToken | null>
  /** Remembers that a token was used; written with the next group, lost at most on a crash. */
  recordTokenUse(id: number): void
  /** Changes whenever tokens may have changed. */
  tokensCounter(): number
  /** Whether writes can be taken now. */
  isReady(): boolean
  /** Why the store is not ready, for operators; null where it knows nothing special. */
  unreadyReason(): string | null
  /** Lets go of this thread's connection; nothing may be asked afterwards. */
  close(): void
}
