import type { ListQuery } from '../../record/query/query.ts'
import type { Suggestions, SuggestQuery } from '../../record/query/suggest.ts'
import type { NameQuery, NameRow } from '../../record/query/vocabulary.ts'
import type { SessionLine, SessionsQuery } from '../../store/access.ts'
import type { AuditReads } from '../../store/audit-reads.ts'
import type { EditorReads } from '../../store/editor-reads.ts'
import { createInTurn } from '../../store/in-turn.ts'
import type { NameReads } from '../../store/name-reads.ts'
import type { QualityReads } from '../../store/quality-reads.ts'
import type { CategoryReader } from '../../store/read/category.ts'
import type { ChangeLog } from '../../store/read/change-log.ts'
import type { RecordReader } from '../../store/read/item.ts'
import type { VariantReader } from '../../store/read/names/variants.ts'
import type { Vocabulary } from '../../store/read/names/vocabulary.ts'
import { type Deadline, OutOfTime } from '../../store/read/statements.ts'
import type { SiteReads } from '../../store/site-reads.ts'
import type { Failure, ListPage, ReadStore } from '../../store/store.ts'
import type { Loadable } from './background-load.ts'

/** The reads of an engine, on a connection of this thread. */
export interface QueryReads {
  list(query: ListQuery): Promise<ListPage>
  readonly vocabulary: Vocabulary
  suggest(query: SuggestQuery): Promise<Suggestions>
  findName(query: NameQuery): Promise<NameRow | null>
  readonly variants: VariantReader
  readonly names: NameReads
  readonly categories: CategoryReader
  readonly changeLog: ChangeLog
  readonly site: SiteReads
  readonly quality: QualityReads
  readonly editor: EditorReads
  readonly audit: AuditReads
  readonly records: RecordReader
  listSessions(query: SessionsQuery): Promise<readonly SessionLine[]>
  /** What this thread keeps in memory. */
  readonly loaded: readonly Loadable[]
  /** Whether the store must not be read any more: its file was truncated or overwritten (ADR 30). */
  isDown(): boolean
  /** What an error means to the caller. */
  toFailure(error: unknown): Failure
  /** Checked by the reads between their steps. */
  readonly deadline: Deadline
  close(): Promise<void>
}

/** The store of a query thread: reads on its own connection, each with a deadline. */
export function createQueryStore(reads: QueryReads, report: (error: unknown) => void): ReadStore {
  const { list, vocabulary, suggest, findName, categories, changeLog, site, records } = reads
  const { quality, editor, audit } = reads
  const inTurn = createInTurn()
  const attempt =
    <Query, Result>(read: (query: Query) => Promise<Result>) =>
    async (query: Query): Promise<Result | Failure> => {
      try {
        if (reads.isDown()) return 'down'
        reads.deadline.check()
        return await inTurn(() => read(query))
      } catch (error) {
        return reportReadFailure(reads, error, report)
      }
    }
  return {
    read: (id) => inTurn(() => records.read(id)),
    isErased: (id) => inTurn(() => records.isErased(id)),
    findVersionTag: (id, number) => inTurn(() => records.findVersionTag(id, number)),
    readVersion: (id, number) => inTurn(() => records.readVersion(id, number)),
    readExtras: (id) => inTurn(() => records.readExtras(id)),
    list: attempt(list),
    listVocabulary: attempt(vocabulary.list),
    listInitials: attempt(vocabulary.listInitials),
    suggest: attempt(suggest),
    findName: attempt(findName),
    listVariants: attempt(reads.variants.list),
    listNameLines: attempt(reads.names.listNameLines),
    listExamples: attempt(reads.names.listExamples),
    listDismissed: attempt(reads.names.listDismissed),
    findCategory: attempt(categories.find),
    listCategoryHistory: attempt(categories.readHistory),
    readCategoryVersion: attempt(categories.readVersion),
    listHistory: attempt(changeLog.readHistory),
    listBatches: attempt(changeLog.readBatches),
    findFindings: attempt(quality.findFindings),
    countFindings: attempt(quality.countFindings),
    listEventFindings: attempt(quality.listEventFindings),
    listWorkRows: attempt(quality.listWorkRows),
    listDuplicates: attempt(quality.listDuplicates),
    pickNames: attempt(editor.pickNames),
    findSameVideo: attempt(editor.findSameVideo),
    findMade: attempt(editor.findMade),
    listBatchMembers: attempt(audit.listBatchMembers),
    findBatchNames: attempt(audit.findBatchNames),
    listActivity: attempt(audit.listActivity),
    listEventChanges: attempt(audit.listEventChanges),
    listChanges: attempt(changeLog.readChanges),
    listSessions: attempt(reads.listSessions),
    findCategorySlugs: attempt(site.findCategorySlugs),
    findNameIds: attempt(site.findNameIds),
    findAlias: attempt(site.findAlias),
    listNewest: attempt(site.listNewest),
    summarise: attempt(site.summarise),
    listEvents: attempt(site.listEvents),
    listDays: attempt(site.listDays),
    readStatistics: attempt(site.readStatistics),
    findRelated: attempt(site.findRelated),
    listPageRanges: attempt(site.listPageRanges),
    listPages: attempt(site.listPages),
    findFirstCategory: attempt(site.findFirstCategory),
  }
}

/** Unexpected failures are reported; a read that took too long is logged with its request. */
export function reportReadFailure(reads: QueryReads, error: unknown, report: (error: unknown) => void): Failure {
  const failure = error instanceof OutOfTime ? 'late' : reads.toFailure(error)
  if (failure !== 'late') report(error)
  return failure
}
