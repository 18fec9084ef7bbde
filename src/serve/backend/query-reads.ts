import type { ColumnOptions } from '../../store/columns/record-columns.ts'
import type { Database } from '../../store/database.ts'
import { createActivity } from '../../store/read/audit/activity.ts'
import { createBatchContents } from '../../store/read/audit/batch-contents.ts'
import { createEventChanges } from '../../store/read/audit/event-changes.ts'
import { createCategoryReader } from '../../store/read/category.ts'
import { createChangeLog } from '../../store/read/change-log.ts'
import { createRecordReader } from '../../store/read/item.ts'
import { createListReader, type ListNeeds, type ListReaderSql } from '../../store/read/list/list.ts'
import { createDismissedReader } from '../../store/read/names/dismissed.ts'
import { createExamples } from '../../store/read/names/examples.ts'
import { createNameFinder } from '../../store/read/names/name.ts'
import { createNameLines } from '../../store/read/names/name-lines.ts'
import { createNamePicker } from '../../store/read/names/pick.ts'
import { createVariantReader } from '../../store/read/names/variants.ts'
import { createVocabulary } from '../../store/read/names/vocabulary.ts'
import { createFindingCounter } from '../../store/read/quality/count-findings.ts'
import { createDuplicateReader } from '../../store/read/quality/duplicates.ts'
import { createEventFindings } from '../../store/read/quality/event-findings.ts'
import { createFindingReader } from '../../store/read/quality/findings.ts'
import { createWorkRowReader } from '../../store/read/quality/work-rows.ts'
import { createMadeFinder, createSameVideo } from '../../store/read/same-video.ts'
import { createSessionList } from '../../store/read/sessions.ts'
import type { Deadline } from '../../store/read/statements.ts'
import type { MemoryIndexes } from '../../store/search/memory-indexes.ts'
import type { SnapshotDeps } from '../../store/search/word-snapshot.ts'
import { createSiteReads } from '../../store/site/create-site-reads.ts'
import { createSuggest } from '../../store/suggest/suggest.ts'
import type { QueryReads } from '../query/query-store.ts'
import type { QueryNeeds } from './backend.ts'

/** What an engine adds to the reads of a query thread. */
export interface EngineReads {
  readonly db: Database
  readonly deadline: Deadline
  readonly columnOptions?: ColumnOptions
  /** The condition that the body of a record contains bytes. */
  readonly bodyContains: string
  readStoreId(db: Database): Promise<string>
  createIndexes(db: Database, options: ColumnOptions, snapshot: SnapshotDeps | null): MemoryIndexes
  createListSql(needs: ListNeeds): ListReaderSql
}

/** The reads of a query thread, as far as both engines have them in common. */
export function createQueryReads(
  { db, deadline, columnOptions, bodyContains, readStoreId, createIndexes, createListSql }: EngineReads,
  { counters: { loadChanges, loadPublished, loadBulk }, limits: { maxPageBytes }, snapshot, report }: QueryNeeds,
): Omit<QueryReads, 'isDown' | 'toFailure'> {
  const onStep = deadline.check
  const keeper = snapshot && { ...snapshot, readStoreId, changesCounter: loadChanges, report }
  const indexes = createIndexes(db, { ...columnOptions, onStep }, keeper)
  const needs = { db, indexes, changesCounter: loadChanges, onStep, maxPageBytes }
  const sql = createListSql(needs)
  const changeLog = createChangeLog(db, { readStoreId, loadPublished, loadBulk })
  const findings = createFindingCounter(db, indexes.columns, loadChanges, onStep)
  const variants = createVariantReader(db, loadChanges, onStep, indexes)
  const vocabulary = createVocabulary(db, loadChanges, onStep, indexes)
  return {
    list: createListReader(needs, indexes, sql),
    vocabulary,
    findName: createNameFinder(db, indexes.columns, onStep),
    variants,
    names: {
      listNameLines: createNameLines(db, vocabulary, onStep, indexes),
      listExamples: createExamples(db, onStep),
      listDismissed: createDismissedReader(db, onStep, indexes),
    },
    suggest: createSuggest(needs),
    categories: createCategoryReader(db),
    site: createSiteReads({ ...needs, sql }),
    changeLog,
    records: createRecordReader(db),
    listSessions: createSessionList(db),
    audit: { ...createBatchContents(db), ...createActivity(db), ...createEventChanges(db) },
    quality: {
      ...createFindingReader(db, findings),
      listEventFindings: createEventFindings(db, indexes.columns, findings),
      listWorkRows: createWorkRowReader(db),
      listDuplicates: createDuplicateReader(db, indexes.columns, loadChanges, onStep),
    },
    editor: {
      pickNames: createNamePicker(db, loadChanges, onStep, indexes),
      findSameVideo: createSameVideo(db, bodyContains, onStep),
      findMade: createMadeFinder(db),
    },
    loaded: [
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
