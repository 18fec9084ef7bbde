import type { ColumnOptions } from '../../store/columns/record-columns.ts'
import type { Database } from '../../store/database.ts'
import { createCategoryReader } from '../../store/read/category.ts'
import { createChangeLog } from '../../store/read/change-log.ts'
import { createRecordReader } from '../../store/read/item.ts'
import { createListReader, type ListNeeds, type ListSql } from '../../store/read/list.ts'
import { createNameFinder } from '../../store/read/name.ts'
import type { Deadline } from '../../store/read/statements.ts'
import { createVocabulary } from '../../store/read/vocabulary.ts'
import type { MemoryIndexes } from '../../store/search/memory-indexes.ts'
import { createSiteReads } from '../../store/site/create-site-reads.ts'
import { createLiveDump } from '../../store/site/live-dump.ts'
import type { SnapshotNeeds } from '../../store/snapshot/snapshot-keeper.ts'
import { createSuggest } from '../../store/suggest/suggest.ts'
import type { QueryReads } from '../query/query-store.ts'
import type { QueryNeeds } from './backend.ts'

/** What an engine adds to the reads of a query thread. */
export interface EngineReads<Filter> {
  readonly db: Database
  readonly deadline: Deadline
  /** The number of the newest migration. */
  readonly schema: number
  readonly columnOptions?: ColumnOptions
  /** Where the file of the dump is, without a name. */
  readonly dumpFolder: string
  readStoreId(db: Database): Promise<string>
  createIndexes(db: Database, options: ColumnOptions, snapshot: SnapshotNeeds | null): MemoryIndexes
  createListSql(needs: ListNeeds, indexes: MemoryIndexes): ListSql<Filter>
}

/** The reads of a query thread, as far as both engines have them in common. */
export function createQueryReads<Filter>(
  { db, deadline, schema, columnOptions, readStoreId, dumpFolder, createIndexes, createListSql }: EngineReads<Filter>,
  { counters: { loadChanges, loadPublished }, limits: { maxPageBytes }, snapshot, report }: QueryNeeds,
): Omit<QueryReads, 'isDown' | 'toFailure'> {
  const onStep = deadline.check
  const keeper = snapshot && { ...snapshot, schema, readStoreId, changesCounter: loadChanges, report }
  const indexes = createIndexes(db, { ...columnOptions, onStep }, keeper)
  const needs = { db, indexes, changesCounter: loadChanges, onStep, maxPageBytes }
  const sql = createListSql(needs, indexes)
  const changeLog = createChangeLog(db, { readStoreId, loadPublished })
  const dump = createLiveDump({ ...needs, sql, readChanges: changeLog.readChanges, folder: dumpFolder })
  return {
    list: createListReader(needs, indexes, sql),
    vocabulary: createVocabulary(db, loadChanges, onStep, indexes),
    findName: createNameFinder(db, indexes.columns, onStep),
    suggest: createSuggest(needs),
    categories: createCategoryReader(db),
    site: { ...createSiteReads({ ...needs, sql }), readDump: dump.read },
    changeLog,
    records: createRecordReader(db),
    loaded: [
      // First: it must not wait until everything else is loaded.
      dump,
      indexes.columns,
      indexes.nameLoader,
      indexes.ranked,
      ...(indexes.snapshot === null ? [] : [indexes.snapshot]),
    ],
    deadline,
    async close() {
      dump.close()
      await indexes.snapshot?.close()
      await db.close()
    },
  }
}
