import type { MaybePromise } from '../promises.ts'
import type { Command, Refusal, RefusedFinding, VersionTag } from '../record/command.ts'
import type { CompanionName } from '../record/companion/kinds.ts'
import type { WritableName } from '../record/fields.ts'
import type { JsonObject } from '../record/json.ts'
import type { LinkRunReply } from '../record/link/link-run.ts'
import type { DeadLinks, RecordLink } from '../record/link/uses.ts'
import type { FindingCode, RecordFindings } from '../record/quality/finding-codes.ts'
import type { CompletionQuery, Completions, PickedName, PickQuery } from '../record/query/completion.ts'
import type {
  CountedFindings,
  DuplicatePair,
  Duplicates,
  DuplicatesQuery,
  EventFindings,
  EventFindingsQuery,
  FindingCountsQuery,
  WorkRow,
} from '../record/query/findings.ts'
import type { LinkLine, LinkReport, LinksQuery, LinksReportQuery } from '../record/query/links.ts'
import type { ListQuery } from '../record/query/query.ts'
import type {
  FoundName,
  Initial,
  InitialsQuery,
  NameQuery,
  VocabularyQuery,
  VocabularyRows,
} from '../record/query/vocabulary.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { TranscriptLine } from '../record/transcript/transcript-kind.ts'
import type { Dismissal, VariantsQuery } from '../record/variants/variant.ts'
import type { AccessStore, SessionLine, SessionsQuery } from './access.ts'
import type {
  ActivityPage,
  ActivityQuery,
  EventChangesQuery,
  PublicChange,
  Schedule,
  SchedulesQuery,
} from './activity-reads.ts'
import type {
  BatchContent,
  BatchContentsQuery,
  BatchesQuery,
  BatchLine,
  BatchMembersPage,
  BatchMembersQuery,
  BatchReport,
  BulkPreview,
  RowVerdict,
  TablePreview,
} from './batch-reads.ts'
import type {
  CategoryVersion,
  CategoryVersionLine,
  ChangesPage,
  ChangesQuery,
  HistoryQuery,
  LogPage,
  ProfileVersion,
  ProfileVersionLine,
  RecordExtras,
  StoredVersion,
  VersionLine,
} from './change-log.ts'
import type {
  CountedAfter,
  FoundCategory,
  ListPage,
  MomentPage,
  MomentQuery,
  SameVideo,
  SameVideoQuery,
  StoredCategory,
} from './list-reads.ts'
import type {
  CategoryHistoryQuery,
  CategoryQuery,
  CategoryVersionQuery,
  DismissedLine,
  Example,
  ExamplesQuery,
  NamedRow,
  NameLines,
  NameLinesQuery,
  ProfileHistoryQuery,
  ProfileVersionQuery,
  VariantLines,
} from './name-reads.ts'
import type {
  DayCount,
  Editions,
  EventRow,
  FirstCategory,
  NamesQuery,
  NewestPage,
  NewestQuery,
  OverviewQuery,
  PageLine,
  PageRange,
  PageRef,
  PagesQuery,
  PopularName,
  PopularQuery,
  RecentQuery,
  Related,
  RelatedQuery,
  Statistics,
  Summary,
} from './site-reads.ts'

/** A stored record: the bytes that are served, and the columns needed to serve them. */
export interface StoredRecord {
  readonly id: number
  readonly version: number
  readonly versionTag: VersionTag
  readonly state: number
  readonly updated: Timestamp
  readonly body: Uint8Array
}

/** A companion of a record, and the version that it came with; 0 if nobody has given it any content. */
export interface StoredCompanion {
  readonly name: CompanionName
  readonly number: number
  readonly content: JsonObject
}

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
      /** The record is unchanged as long as its counter has this value. */
      readonly counter?: number
    }
  | { readonly is: 'unchanged'; readonly stored: StoredRecord }
  /** The body that would have been stored. */
  | { readonly is: 'dry run'; readonly body: Uint8Array }
  /** The same Idempotency-Key again: the first response, and no second record. */
  | { readonly is: 'repeated'; readonly stored: StoredRecord }
  /**
   * Result of a category change, a rename, a merge, an undo or a bulk change. `batch` is null if no record had to change.
   * `category` is set for category changes and `name` for renames of speakers and tags; in a dry run, as they would be.
   * `preview` is set for the dry run of a bulk change, `table` for that of a table.
   */
  | {
      readonly is: 'batch'
      readonly batch: BatchReport | null
      readonly ids: readonly number[]
      readonly category?: StoredCategory
      readonly name?: NamedRow
      readonly preview?: BulkPreview
      readonly table?: TablePreview
      /** The rows of a table that were left out. */
      readonly refusedRows?: readonly RowVerdict[]
    }
  /** A new category. `wasWritten` is false in a dry run, and for the same Idempotency-Key again. */
  | { readonly is: 'category'; readonly category: StoredCategory; readonly wasWritten: boolean }
  /** `wasWritten` is false if nothing had to be stored. */
  | { readonly is: 'dismissal'; readonly dismissal: Dismissal; readonly wasWritten: boolean }
  | { readonly is: 'hiding'; readonly wasWritten: boolean }
  /**
   * Findings that are accepted now, or shown again: how many. `refused` names the records that were left out. `at`
   * identifies the acceptances, to take them back together.
   */
  | {
      readonly is: 'acceptance'
      readonly at: Timestamp
      readonly changed: number
      readonly refused: readonly RefusedFinding[]
    }
  /** When a draft becomes live, now and before; null: never. `wasWritten` is false if nothing had to be stored. */
  | ({ readonly is: 'schedule'; readonly wasWritten: boolean } & Record<'schedule' | 'before', Schedule | null>)
  /** A companion as it is now; in a dry run, as it would be. `wasWritten` is false if nothing had to be stored. */
  | ({ readonly is: 'companion'; readonly id: number; readonly wasWritten: boolean } & StoredCompanion)
  | { readonly is: 'links'; readonly reply: LinkRunReply }
  /** An address that a curator has marked as fine. `wasWritten` is false if nothing changed. */
  | { readonly is: 'link'; readonly url: string; readonly until: Timestamp | null; readonly wasWritten: boolean }
  /** How many sessions have begun or ended. */
  | { readonly is: 'sessions'; readonly changed: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** `unknown`: the write may or may not have happened. With every other failure it has not. */
  | { readonly is: 'failed'; readonly failure: Failure }

/** Query and result of a slow read. Only the types matter. */
interface SlowReadTypes<Query, Result> {
  readonly types?: (query: Query) => Result
}

const read = <Query, Result>(): SlowReadTypes<Query, Result> => ({})

/**
 * Every slow read, declared once (decision 78); `read/create-reads.ts` says what answers it. Each takes one query and
 * runs on a query thread, so reads of single records never wait for it. It fails with `late` after `--list-ms` (decision
 * 28). If it is aborted before it starts, it never runs.
 */
const slowReads = {
  // Lists, names and categories, as far as the caller may see them.
  list: read<ListQuery, ListPage>(),
  /** How many records of a list come after its cursor. */
  countAfter: read<ListQuery, CountedAfter>(),
  /** Records whose transcripts match a search, the best first, with the places. */
  listMoments: read<MomentQuery, MomentPage>(),
  listVocabulary: read<VocabularyQuery, VocabularyRows>(),
  /** The initials of speakers or tags in the order of the alphabet, `other` last. */
  listInitials: read<InitialsQuery, readonly Initial[]>(),
  /** Speakers, categories, tags and records whose name or title has the typed words. */
  suggest: read<CompletionQuery, Completions>(),
  /** Speakers, categories and tags that a query names, the longest name first, at most three. */
  findNamed: read<CompletionQuery, Completions>(),
  /** Null if the caller sees no record with this speaker or tag. An alias leads to another name: the result has its id. */
  findName: read<NameQuery, FoundName | null>(),
  /** Null if there is no such category. A merged category leads to another: the result has its slug (decision 52). */
  findCategory: read<CategoryQuery, FoundCategory | null>(),

  // History: for callers with a token, except for changes of live records.
  /** Null if there is no such category. */
  listCategoryHistory: read<CategoryHistoryQuery, LogPage<CategoryVersionLine> | null>(),
  readCategoryVersion: read<CategoryVersionQuery, CategoryVersion | null>(),
  /** Of the profile of a speaker; null if there is no such speaker. */
  listProfileHistory: read<ProfileHistoryQuery, LogPage<ProfileVersionLine> | null>(),
  readProfileVersion: read<ProfileVersionQuery, ProfileVersion | null>(),
  listHistory: read<HistoryQuery, LogPage<VersionLine>>(),
  listBatches: read<BatchesQuery, LogPage<BatchLine>>(),
  listChanges: read<ChangesQuery, ChangesPage>(),
  listBatchMembers: read<BatchMembersQuery, BatchMembersPage>(),
  /** What each batch did; batches that do not exist are missing. */
  findBatchContents: read<BatchContentsQuery, ReadonlyMap<number, BatchContent>>(),
  /** Without `batch` and `category`, a batch is one line (decision 61). */
  listActivity: read<ActivityQuery, ActivityPage>(),
  /** Changes of records that are live now, newest first. */
  listEventChanges: read<EventChangesQuery, readonly PublicChange[]>(),
  /** The last used first. Some may be over. */
  listSessions: read<SessionsQuery, readonly SessionLine[]>(),
  /** When drafts become live, the earliest first; of some records, or of all. */
  listSchedules: read<SchedulesQuery, readonly Schedule[]>(),

  /** The transcripts that a record has or had, by their names, without their contents (decision 94). */
  listTranscripts: read<{ readonly id: number }, readonly TranscriptLine[]>(),

  // Names, for curators; all include drafts.
  /** Groups of names that are probably the same. */
  listVariants: read<VariantsQuery, VariantLines>(),
  /** Groups that are hidden from the variants, the last one first. */
  listDismissed: read<VariantsQuery, LogPage<DismissedLine>>(),
  listNameLines: read<NameLinesQuery, NameLines>(),
  /** The records that each name got last, by the id of the name. */
  listExamples: read<ExamplesQuery, ReadonlyMap<number, readonly Example[]>>(),

  // Findings, and help for curators who edit a record (decision 53); all include drafts.
  /** The findings of a record; null if no record has this id. */
  findFindings: read<{ readonly id: number }, RecordFindings | null>(),
  /** How many records have each finding. */
  countFindings: read<FindingCountsQuery, CountedFindings>(),
  /** How many records had each finding before a time, and are repaired or accepted now. */
  countDone: read<{ readonly since: Timestamp }, ReadonlyMap<FindingCode, number>>(),
  /** Events with findings. */
  listEventFindings: read<EventFindingsQuery, LogPage<EventFindings>>(),
  /** Seq of the last change in the store. */
  findLastSeq: read<undefined, { readonly seq: number }>(),
  // States of addresses, including those of drafts.
  listLinks: read<LinksQuery, LogPage<LinkLine>>(),
  reportLinks: read<LinksReportQuery, LinkReport>(),
  /** Addresses of these records that are dead; records without any are missing. */
  findDeadLinks: read<readonly number[], ReadonlyMap<number, DeadLinks>>(),
  /** The addresses of a record. */
  findRecordLinks: read<{ readonly id: number }, readonly RecordLink[]>(),
  /** In the order of the ids, at most 128; without those that do not exist. */
  listWorkRows: read<{ readonly ids: readonly number[] }, readonly WorkRow[]>(),
  /** Groups of records that may be the same talk: for one reason, or for both. */
  listDuplicates: read<DuplicatesQuery, LogPage<Duplicates>>(),
  /** The same as pairs: as many as it takes to merge a group into one record. */
  listDuplicatePairs: read<DuplicatesQuery, LogPage<DuplicatePair>>(),
  /** Names that begin with the text first, then names with a word that does; each the most used first. */
  pickNames: read<PickQuery, readonly PickedName[]>(),
  /** Records that have the video as their source or as a file. */
  findSameVideo: read<SameVideoQuery, SameVideo>(),
  /** The id of the record that a form has created with its idempotency key, or null; kept for a day. */
  findByIdempotencyKey: read<SentFormQuery, { readonly id: number } | null>(),

  // Pages of the site: live records only.
  /** The slug of each category by its title; unknown titles are missing. */
  findCategorySlugs: read<readonly string[], ReadonlyMap<string, string>>(),
  /** The id and slug of each name; unknown names are missing. */
  findNameIds: read<NamesQuery, ReadonlyMap<string, PageRef>>(),
  /** The record that had this path on the site that it was imported from; of several, the one with the lowest id. */
  findAlias: read<string, PageRef | null>(),
  /** The live record that the page of a merged draft leads to (decision 86); null if there is none. */
  findMerged: read<number, PageRef | null>(),
  /** Those of these records that are live. */
  findLivePages: read<readonly number[], ReadonlyMap<number, PageRef>>(),
  /** The live record that has this one as a chapter (decision 91); of several, the one with the lowest id. */
  findWhole: read<number, PageRef | null>(),
  /**
   * The one category of the records that lie in the folder of a category file. Sources name the events of their pages by
   * that file, also where their records have another category. Null if there is none, or several.
   */
  findImportedCategory: read<string, { readonly slug: string } | null>(),
  /** The records of a category with this title, but for case, accents and signs. */
  findTitled: read<{ readonly category: string; readonly title: string }, readonly PageRef[]>(),
  /** The records of a category that another site may have called so; several if it cannot be told (decision 83). */
  findByOldSlug: read<{ readonly category: string; readonly slug: string }, readonly PageRef[]>(),
  listNewest: read<NewestQuery, NewestPage>(),
  /** The records that were added last, each as ASCII JSON, a few of each category. */
  listRecent: read<RecentQuery, readonly string[]>(),
  /** One of each spelling; speakers that are persons, by their talks, and tags that are topics, by their events. */
  listPopularNames: read<PopularQuery, readonly PopularName[]>(),
  summarise: read<OverviewQuery | undefined, Summary>(),
  /** The latest first, by their last record or their start; unknown ones last. */
  listEvents: read<OverviewQuery | undefined, readonly EventRow[]>(),
  /** The neighbours of the category with this slug in its series, by start, else by the year in the title, else by records. */
  findEditions: read<string, Editions>(),
  /** The days of the category with this slug, in order. */
  listDays: read<string, readonly DayCount[]>(),
  readStatistics: read<OverviewQuery | undefined, Statistics>(),
  findRelated: read<RelatedQuery, Related>(),
  /** The ranges of `size` ids that have pages, in the order of kinds and ids. */
  listPageRanges: read<{ readonly size: number }, readonly PageRange[]>(),
  /** In the order of ids, `fromId` and `toId` included. */
  listPages: read<PagesQuery, readonly PageLine[]>(),
  /** The oldest category, hidden or not; null in an empty store. */
  findFirstCategory: read<OverviewQuery | undefined, FirstCategory | null>(),
}

export type SlowRead = keyof typeof slowReads
type QueryOf<R extends SlowRead> = Parameters<NonNullable<(typeof slowReads)[R]['types']>>[0]
type ResultOf<R extends SlowRead> = ReturnType<NonNullable<(typeof slowReads)[R]['types']>>
/** A query that may be undefined can be left out. */
type ArgumentsOf<R extends SlowRead> = undefined extends QueryOf<R> ? [query?: QueryOf<R>] : [query: QueryOf<R>]

/** The slow reads of an engine: a failure is thrown. */
export type SlowReads = { readonly [R in SlowRead]: (...query: ArgumentsOf<R>) => Promise<ResultOf<R>> }

/** The slow reads of a store: a failure is returned. No result is a text, so `requireRead` can tell them apart. */
type StoreReads = {
  readonly [R in SlowRead]: (...query: [...ArgumentsOf<R>, signal?: AbortSignal]) => Promise<ResultOf<R> | Failure>
}

/** `toRead` is called once per slow read; the function that it returns answers that read. */
export function createStoreReads(
  toRead: (name: SlowRead) => (query: never, signal?: AbortSignal) => Promise<unknown>,
): StoreReads {
  const names = Object.keys(slowReads) as SlowRead[]
  // Every name is present. The caller ensures that each function fits its read: a union of 40 functions has no type.
  return Object.fromEntries(names.map((name) => [name, toRead(name)])) as StoreReads
}

/** The part of the store that read-only handlers need. */
export type ReadStore = StoreReads & RecordReads

/** Reads of single records return synchronously on a file; they reject if the store cannot be reached. */
export interface RecordReads {
  read(id: number): MaybePromise<StoredRecord | null>
  /** Whether a record with this id was erased. Only meaningful if no record has this id. */
  isErased(id: number): MaybePromise<boolean>
  /** The version tag of a version, without its body; null if the record has no such version. */
  findVersionTag(id: number, number: number): MaybePromise<VersionTag | null>
  /** One version of a record; null if there is none. */
  readVersion(id: number, number: number): MaybePromise<StoredVersion | null>
  /** The content of a companion in a version of the record; without a number, now. */
  readCompanion(id: number, name: CompanionName, number?: number): MaybePromise<StoredCompanion>
  /** Both parts are empty for a record that was not imported. */
  readExtras(id: number): MaybePromise<RecordExtras>
}

/**
 * The store of records. Guarantees:
 * - `execute` returns `stored` only after the change and its version are on disk; they survive kill -9 and power loss.
 * - Once `execute` has returned, every read on every thread sees that change or a later one.
 * - A refused or failed command leaves no trace: no version, no category.
 * - Changes of other processes are visible within 200 ms.
 */
export interface Store extends AccessStore, RecordReads, StoreReads {
  /** Changes with every write, also of tokens. */
  changesCounter(): number
  execute(command: Command): Promise<Outcome>
  /** Whether the store accepts writes now. */
  isReady(): boolean
  /** Why the store is not ready, for operators; null if there is no specific reason. */
  unreadyReason(): string | null
  /** Closes this thread's connection. Do not call any other method afterwards. */
  close(): void
}

/** A form that was sent by an author with this key. */
interface SentFormQuery {
  readonly author: string
  readonly key: string
}
