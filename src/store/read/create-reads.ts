import type { ColumnOptions } from '../columns/record-columns.ts'
import { createTranscriptList } from '../companion/companion-rows.ts'
import { createCompletion } from '../completion/completion.ts'
import type { Counters } from '../counters.ts'
import type { Database } from '../database.ts'
import { createAliasFinder, createMergedFinder } from '../derive/former-paths.ts'
import { createLinkNumbers, type LinkNumbers } from '../link/link-choice.ts'
import { createLinkReads } from '../link/link-reads.ts'
import { createMomentReader } from '../moment/moment-list.ts'
import { createScheduleList } from '../schedules.ts'
import type { MemoryIndexes } from '../search/memory-indexes.ts'
import type { SnapshotDeps, SnapshotPlan } from '../search/words-loader.ts'
import { createSessionCount, createSessionList } from '../sessions.ts'
import { createNewest } from '../site/newest.ts'
import { createOldAddresses } from '../site/old-addresses.ts'
import { createDays, createOverview } from '../site/overview.ts'
import { createPageRefs, createPages } from '../site/pages.ts'
import { createPopular } from '../site/popular.ts'
import { createRecent } from '../site/recent.ts'
import { createRelated } from '../site/related.ts'
import type { SiteReadDeps } from '../site/site-deps.ts'
import type { SlowReads } from '../store.ts'
import { createIdempotencyLookup } from '../write/idempotency-rows.ts'
import { createActivity } from './activity.ts'
import { createBatchContents } from './batch-contents.ts'
import { createCategoryReader, createProfileReader } from './category.ts'
import { createChangeLog, createEventChanges } from './change-log.ts'
import { createDuplicateReader, createSameVideo } from './duplicates.ts'
import { createEventFindings, createFindingCounter, createFindingReader, createWorkRowReader } from './findings.ts'
import { createAfterCounter, createListReader, type ListDeps, type ListReaderSql } from './list/list.ts'
import { createNameFinder } from './names/current-entries.ts'
import { createExamples, createNameLines } from './names/name-lines.ts'
import { createNamePicker } from './names/pick.ts'
import { createDismissedReader, createVariantReader } from './names/variants.ts'
import { createVocabulary } from './names/vocabulary.ts'
import { createDoneCounter } from './progress.ts'
import { createRecordReader } from './record.ts'
import type { Deadline } from './statements.ts'

/** The parts of reads that differ between engines. */
interface EngineReads {
  readonly db: Database
  readonly deadline: Deadline
  readonly columnOptions?: ColumnOptions
  /** The condition that the body of a record contains bytes. */
  readonly bodyContains: string
  readStoreId(db: Database): Promise<string>
  /** The size of the store on disk. */
  readBytes(): Promise<number>
  createIndexes(db: Database, options: ColumnOptions, snapshot: SnapshotDeps | null): MemoryIndexes
  createListSql(deps: ListDeps): ListReaderSql
}

interface ReadsDeps {
  readonly counters: Pick<Counters, 'loadChanges' | 'loadPublished' | 'loadBulk'>
  readonly maxPageBytes: number
  /** Null if the indexes in memory are loaded from the store after each start. */
  readonly snapshot: SnapshotPlan | null
  report(error: unknown): void
  /** Called every few seconds while the thread is idle; null on threads that need not measure. */
  readonly onNumbers: ((numbers: StoreNumbers) => void) | null
}

/** What operators watch of a store. */
export interface StoreNumbers {
  readonly live: number
  readonly drafts: number
  readonly sessions: number
  /** Milliseconds since 1970; 0 without any change. */
  readonly lastChange: number
  readonly bytes: number
  /** Whether the indexes in memory have everything. */
  readonly isIndexed: boolean
  readonly links: LinkNumbers
}

/** Wires every slow read of `store.ts` on a query thread, with its indexes in memory. The same for both engines. */
export function createReads(engine: EngineReads, deps: ReadsDeps) {
  const { db, deadline, readStoreId } = engine
  const { loadChanges, loadPublished, loadBulk } = deps.counters
  const onStep = deadline.check
  const keeper = deps.snapshot && {
    ...deps.snapshot,
    readStoreId,
    changesCounter: loadChanges,
    report: deps.report,
  }
  const indexes = engine.createIndexes(db, { ...engine.columnOptions, onStep }, keeper)
  const listDeps = { db, indexes, changesCounter: loadChanges, onStep, maxPageBytes: deps.maxPageBytes }
  const sql = engine.createListSql(listDeps)
  const changeLog = createChangeLog(db, { readStoreId, loadPublished, loadBulk })
  const categories = createCategoryReader(db)
  const findings = createFindingCounter(db, indexes.columns, loadChanges, onStep)
  const variants = createVariantReader(db, loadChanges, onStep, indexes)
  const vocabulary = createVocabulary(db, loadChanges, onStep, indexes)
  const reads: SlowReads = {
    list: createListReader(listDeps, indexes, sql),
    countAfter: createAfterCounter(listDeps, indexes, sql),
    listMoments: createMomentReader(listDeps, indexes, sql),
    listVocabulary: vocabulary.list,
    listInitials: vocabulary.listInitials,
    ...createCompletion(listDeps),
    findName: createNameFinder(db, indexes.columns, onStep),
    findCategory: categories.find,
    listCategoryHistory: categories.readHistory,
    readCategoryVersion: categories.readVersion,
    ...createProfileReader(db),
    listHistory: changeLog.readHistory,
    listBatches: changeLog.readBatches,
    listChanges: changeLog.readChanges,
    ...createBatchContents(db),
    ...createActivity(db),
    ...createEventChanges(db),
    listSessions: createSessionList(db),
    listSchedules: createScheduleList(db),
    listTranscripts: createTranscriptList(db),
    listVariants: variants.list,
    listDismissed: createDismissedReader(db, onStep, indexes),
    listNameLines: createNameLines(db, vocabulary, onStep, indexes),
    listExamples: createExamples(db, onStep),
    ...createFindingReader(db, findings),
    listEventFindings: createEventFindings(db, indexes.columns, findings),
    ...createLinkReads(db, loadChanges, onStep),
    listWorkRows: createWorkRowReader(db),
    countDone: createDoneCounter(db, loadChanges, onStep),
    ...createDuplicateReader(db, indexes.columns, loadChanges, onStep),
    pickNames: createNamePicker(db, loadChanges, onStep, indexes),
    findSameVideo: createSameVideo(db, engine.bodyContains, onStep),
    findByIdempotencyKey: createIdempotencyLookup(db),
    ...createSiteReads({ ...listDeps, sql }),
  }
  return {
    reads,
    records: createRecordReader(db),
    loaded: [
      ...(deps.onNumbers === null ? [] : [createMeasuring(engine, indexes, deps.onNumbers)]),
      indexes.columns,
      indexes.nameLoader,
      indexes.ranked,
      ...(indexes.snapshot === null ? [] : [indexes.snapshot]),
      variants,
    ],
    deadline,
    async close() {
      await indexes.snapshot?.close()
      await db.close()
    },
  }
}

const measureMs = 5_000
const measureLinksMs = 60_000

/** Background work that is due again and again. */
function createMeasuring(
  { db, readBytes }: EngineReads,
  { columns, nameLoader, ranked }: MemoryIndexes,
  onNumbers: (numbers: StoreNumbers) => void,
) {
  const countSessions = createSessionCount(db)
  const countLinks = createLinkNumbers(db)
  let links: LinkNumbers | null = null
  let [dueMs, linksDueMs] = [0, 0]

  /** At a long interval, because it reads all of them. */
  async function measureLinks(): Promise<LinkNumbers> {
    if (links !== null && performance.now() < linksDueMs) return links
    linksDueMs = performance.now() + measureLinksMs
    links = await countLinks()
    return links
  }

  async function measure(): Promise<void> {
    // Before the refresh, after which the words of a new record are missing for a moment.
    const isIndexed = [columns, nameLoader, ranked].every((each) => each.isComplete())
    await columns.refresh()
    const { at } = columns.lastChange()
    const live = columns.countAll('live')
    onNumbers({
      live,
      drafts: columns.countAll('all') - live,
      sessions: await countSessions(Date.now()),
      lastChange: at === '' ? 0 : Date.parse(at),
      bytes: await readBytes(),
      isIndexed,
      links: await measureLinks(),
    })
  }

  return {
    isComplete: () => performance.now() < dueMs,
    async loadSome() {
      dueMs = performance.now() + measureMs
      await db.transaction('read', measure)
      return false
    },
  }
}

/** The reads of the pages of the site. */
export function createSiteReads(listDeps: SiteReadDeps) {
  return {
    ...createPageRefs(listDeps.db, listDeps.changesCounter),
    findAlias: createAliasFinder(listDeps.db),
    findMerged: createMergedFinder(listDeps.db),
    ...createOldAddresses(listDeps.db),
    listNewest: createNewest(listDeps),
    listRecent: createRecent(listDeps),
    listPopularNames: createPopular(listDeps),
    ...createOverview(listDeps),
    listDays: createDays(listDeps),
    findRelated: createRelated(listDeps),
    ...createPages(listDeps),
  }
}
