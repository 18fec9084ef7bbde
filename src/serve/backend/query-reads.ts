import type { ListQuery } from '../../record/query/query.ts'
import type { ColumnOptions } from '../../store/columns/record-columns.ts'
import type { Database } from '../../store/database.ts'
import { createCategoryReader } from '../../store/read/category.ts'
import { createChangeLog } from '../../store/read/change-log.ts'
import { createRecordReader } from '../../store/read/item.ts'
import type { ListNeeds } from '../../store/read/list.ts'
import { createNameFinder } from '../../store/read/name.ts'
import { createSiteReads } from '../../store/read/site.ts'
import type { Deadline } from '../../store/read/statements.ts'
import { createVocabulary } from '../../store/read/vocabulary.ts'
import type { MemoryIndexes } from '../../store/search/memory-indexes.ts'
import { createSuggest } from '../../store/search/suggest.ts'
import type { SnapshotNeeds } from '../../store/snapshot/snapshot-keeper.ts'
import type { ListPage } from '../../store/store.ts'
import type { QueryReads } from '../query/query-store.ts'
import type { QueryNeeds } from './backend.ts'

/** What an engine adds to the reads of a query thread. */
export interface EngineReads {
  readonly db: Database
  readonly deadline: Deadline
  /** The number of the newest migration. */
  readonly schema: number
  readonly columnOptions?: ColumnOptions
  readStoreId(db: Database): Promise<string>
  createIndexes(db: Database, options: ColumnOptions, snapshot: SnapshotNeeds | null): MemoryIndexes
  createList(needs: ListNeeds): (query: ListQuery) => Promise<ListPage>
}

/** The reads of a query thread, as far as both engines have them in common. */
export function createQueryReads(
  { db, deadline, schema, columnOptions, readStoreId, createIndexes, createList }: EngineReads,
  { counters: { loadChanges, loadPublished }, limits: { maxPageBytes }, snapshot, report }: QueryNeeds,
): Omit<QueryReads, 'isDown' | 'toFailure'> {
  const onStep = deadline.check
  const keeper = snapshot && { ...snapshot, schema, readStoreId, changesCounter: loadChanges, report }
  const indexes = createIndexes(db, { ...columnOptions, onStep }, keeper)
  const needs = { db, indexes, changesCounter: loadChanges, onStep }
  return {
    list: createList({ ...needs, maxPageBytes }),
    vocabulary: createVocabulary(db, loadChanges, onStep, indexes.columns),
    findName: createNameFinder(db, indexes.columns, onStep),
    suggest: createSuggest(needs),
    categories: createCategoryReader(db),
    site: createSiteReads({ db, changesCounter: loadChanges }),
    changeLog: createChangeLog(db, { readStoreId, loadPublished }),
    records: createRecordReader(db),
    loaded: [
      indexes.columns,
      indexes.nameLoader,
      indexes.ranked,
      ...(indexes.snapshot === null ? [] : [indexes.snapshot]),
    ],
    deadline,
    async close() {
      await indexes.snapshot?.close()
      await db.close()
    },
  }
}
