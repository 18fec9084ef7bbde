import { defaultOrder } from '../../record/query/ordering.ts'
import type { FacetName, ListQuery } from '../../record/query/query.ts'
import {
  createListReader,
  type Facets,
  type ListNeeds,
  type ListSql,
  maxFacetValues,
  nameColumns,
} from '../read/list.ts'
import { alwaysAnswered, defaultPageBytes, type ReadBodies, takeBodies } from '../read/list-page.ts'
import { toOrderSql } from '../read/list-sql.ts'
import { createStatements, type Statements } from '../read/statements.ts'
import type { FacetCount, ListPage } from '../store.ts'
import { createFacetIndex, type FacetIndex } from './facets/facet-index.ts'
import { createFilter, type ListFilter } from './plan/filter.ts'
import { createNamedRecords } from './plan/id-sets.ts'
import { choosePlan, type Plan, planCount, planIdSet, planRank } from './plan/plans.ts'

/** SQLite plans again whenever a LIMIT parameter is bound, which takes 0.02 ms. The sum prevents that. */
const limited = 'LIMIT ? + 0 OFFSET ?'

export function createList(needs: ListNeeds): (query: ListQuery) => Promise<ListPage> {
  const { db, onStep } = needs
  const prepare = createStatements(db, onStep)
  const facetIndex = createFacetIndex(db, onStep)
  const countFacets = createFacets(facetIndex, prepare)
  // Close to the number of records: ids are never reused, and few records are erased.
  const findLastId = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM listing')
  const rowCount = async () => (await findLastId.get())?.id ?? 0

  const listSql: ListSql<ListFilter> = {
    resolveFilter: createFilter(db, createNamedRecords(db, facetIndex, onStep)),
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
    // `rank` is FTS5's bm25; the schema has the weights of the columns.
    async rank(filter, _, limit, offset) {
      const { from, sql, values } = planRank(filter)
      const query = `SELECT id FROM ${from} WHERE ${sql} ORDER BY rank, ${toOrderSql(defaultOrder)} ${limited}`
      const rows = await prepare<{ id: number }>(query).all(...values, limit, offset)
      return rows.map(({ id }) => id)
    },
    readBodies: createPageBodies(needs),
    countFacets: async (names, filter) => countFacets(names, await planIdSet(filter)),
  }
  return createListReader(needs, listSql)
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

/** Counts in memory: SQLite would look up and sort every value of every match (ADR 13). */
export function createFacets(
  index: FacetIndex,
  prepare: Statements,
): (names: readonly FacetName[], plan: Plan) => Promise<Facets> {
  return async (names, plan) => {
    await index.refresh()
    const slots = index.toSlots(await readIds(prepare, plan))
    const facets: { [name: string]: FacetCount[] } = {}
    for (const name of names) facets[name] = await readTop(prepare, name, countFrequent(index, name, slots))
    return facets
  }
}

async function readIds(prepare: Statements, { from, sql, values }: Plan): Promise<readonly number[]> {
  const read = prepare<{ ids: string }>(`SELECT json_group_array(listing.id) AS ids FROM ${from} WHERE ${sql}`)
  return JSON.parse((await read.get(...values))?.ids ?? '[]')
}

/** The counts of the most frequent values; ties at the limit are included. */
function countFrequent(index: FacetIndex, name: FacetName, slots: readonly number[]): { [value: string]: number } {
  const counts = index.lists[name].count(slots)
  const found = counts.filter((count) => count > 0)
  const least = found.length > maxFacetValues ? (found.sort().at(-maxFacetValues) ?? 1) : 1
  const frequent: { [value: string]: number } = {}
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] ?? 0
    if (count >= least) frequent[index.toKey(name, number)] = count
  }
  return frequent
}

/** Sorted by SQLite, so that values with the same count are in SQLite's text order. */
function readTop(
  prepare: Statements,
  name: FacetName,
  counts: { readonly [value: string]: number },
): Promise<FacetCount[]> {
  const sql = `${toValuesSql(name)} ORDER BY count DESC, 1 LIMIT ${maxFacetValues}`
  return prepare<FacetCount>(sql).all(JSON.stringify(counts))
}

function toValuesSql(name: FacetName): string {
  const column = nameColumns[name]
  if (column === undefined) return 'SELECT key AS value, value AS count FROM json_each(?)'
  return `SELECT ${column} AS value, counted.value AS count
    FROM json_each(?) AS counted CROSS JOIN ${name} ON ${name}.id = CAST(counted.key AS INTEGER)`
}
