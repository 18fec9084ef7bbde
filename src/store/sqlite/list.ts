import { defaultOrder } from '../../record/query/ordering.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { ColumnOptions } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { createListReader, type ListNeeds, type ListSql } from '../read/list/list.ts'
import { alwaysAnswered, defaultPageBytes, type ReadBodies, takeBodies } from '../read/list/list-page.ts'
import { toOrderSql } from '../read/list/list-sql.ts'
import { type BoundValue, createStatements, type Statements } from '../read/statements.ts'
import { createMemoryIndexes, type MemoryIndexes } from '../search/memory-indexes.ts'
import type { SnapshotDeps } from '../search/word-snapshot.ts'
import type { ListPage } from '../store.ts'
import { createFilter, type ListFilter } from './plan/filter.ts'
import { createNamedRecords, toKnownSet } from './plan/id-sets.ts'
import { createNameIds } from './plan/name-ids.ts'
import { choosePlan, planCount } from './plan/plans.ts'
import { toMatchQuery } from './plan/search.ts'

/** SQLite plans again whenever a LIMIT parameter is bound, which takes 0.02 ms. The sum prevents that. */
const limited = 'LIMIT ? + 0 OFFSET ?'

export function createIndexes(
  db: Database,
  options: ColumnOptions = {},
  snapshot: SnapshotDeps | null = null,
): MemoryIndexes {
  return createMemoryIndexes({ db, findNameIds: createNameIds(db), ...options }, snapshot)
}

export function createList(needs: ListNeeds): (query: ListQuery) => Promise<ListPage> {
  const { db, indexes = createIndexes(db, needs) } = needs
  return createListReader(needs, indexes, createListSql(needs, indexes))
}

export function createListSql(needs: ListNeeds, indexes: MemoryIndexes): ListSql<ListFilter> {
  const { db, onStep } = needs
  const prepare = createStatements(db, onStep)
  // Close to the number of records: ids are never reused, and few records are erased.
  const findLastId = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM listing')
  const rowCount = async () => (await findLastId.get())?.id ?? 0

  return {
    scansInOrder: true,
    resolveFilter: createFilter(db, createNamedRecords(indexes.columns)),
    restrict: (filter, ids) => ({
      ...filter,
      sets: [...filter.sets, toKnownSet(ids)],
      isAllLive: false,
      isInDefaultOrder: false,
    }),
    async count(filter) {
      const { sql, values } = await planCount(filter)
      return (await prepare<{ count: number }>(sql).get(...values))?.count ?? 0
    },
    async read(filter, columns, window) {
      const { range, limit, offset } = window
      const { from, sql, values, order } = await choosePlan(filter, window, rowCount)
      const within = range === undefined ? '' : ` AND ${range.sql}`
      const query = `SELECT ${columns} FROM ${from} WHERE ${sql}${within} ORDER BY ${order} ${limited}`
      return prepare<object>(query).all(...values, ...(range?.values ?? []), limit, offset)
    },
    readBodies: createPageBodies(needs),
    findMatches: (search) =>
      readIds(prepare, 'SELECT json_group_array(rowid) AS ids FROM search WHERE search MATCH ?', toMatchQuery(search)),
    async sort(ids, limit, offset) {
      const query = `SELECT id FROM (SELECT value FROM json_each(?)) AS wanted CROSS JOIN listing
        ON id = wanted.value ORDER BY ${toOrderSql(defaultOrder)} ${limited}`
      const rows = await prepare<{ id: number }>(query).all(JSON.stringify(ids), limit, offset)
      return rows.map(({ id }) => id)
    },
  }
}

export function createPageBodies({ db, maxPageBytes = defaultPageBytes }: ListNeeds): ReadBodies {
  // One statement for the page takes less than half the time of one per record. The join keeps the order of the ids.
  // Bodies are read as text: reading bytes and decoding them here takes twice as long.
  const read = db.query<{ text: string }, [string]>(
    'SELECT CAST(body AS TEXT) AS text FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  // Row by row, to stop at a page that is too large.
  async function* readTexts(ids: readonly number[]): AsyncIterable<string> {
    if (ids.length > 0) for await (const { text } of read.iterate(JSON.stringify(ids))) yield text
  }
  const toMax = (size: number) => (size <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes)
  return (ids, fields) => takeBodies(readTexts(ids), fields, toMax(ids.length))
}

async function readIds(prepare: Statements, sql: string, ...values: BoundValue[]): Promise<readonly number[]> {
  // One JSON text is faster to read than one row per id.
  return JSON.parse((await prepare<{ ids: string }>(sql).get(...values))?.ids ?? '[]')
}
