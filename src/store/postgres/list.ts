import { defaultOrder, type OrderStep } from '../../record/query/ordering.ts'
import type { Filters, ListQuery } from '../../record/query/query.ts'
import { searched } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { type CursorRow, type PageReader, readPage, readStretches, toRowId } from '../read/list-page.ts'
import { createMemo } from '../read/memo.ts'
import { type Stretch, toOrderSql, toStretches } from '../read/order.ts'
import { defaultPageBytes } from '../read/page-bodies.ts'
import { createRanking } from '../read/ranking.ts'
import { type Condition, createStatements } from '../read/statements.ts'
import type { ListPage } from '../store.ts'
import { createFacets } from './facets/facets.ts'
import { createPageBodies } from './page-bodies.ts'
import { createConditions } from './plan/conditions.ts'
import { toCursorColumns, toKnownValues } from './plan/cursor-columns.ts'
import { toSearchCondition, toTermCondition, toWeight } from './plan/search.ts'

const nothing: Condition = { sql: 'FALSE', values: [] }
const limited = 'LIMIT ?::bigint OFFSET ?::bigint'

export interface ListNeeds {
  readonly db: Database
  /** Moves with every change of the store. */
  changesCounter(): number
  /** Of a page of more than a few records. */
  readonly maxPageBytes?: number
  /** Called between the steps of a reading; what it throws ends it. */
  onStep?(): void
}

/** PostgreSQL plans by itself what the file's lists are told; what is asked for is the same. */
export function createList(needs: ListNeeds): (query: ListQuery) => ListPage {
  const { db, changesCounter, maxPageBytes = defaultPageBytes, onStep } = needs
  const toCondition = createConditions(db)
  const toBodies = createPageBodies(db, maxPageBytes)
  const prepare = createStatements(db, onStep)
  const toFacets = createFacets(prepare)
  const counts = createMemo<number>(changesCounter)
  const facets = createMemo<ListPage['facets']>(changesCounter)

  const count = (key: unknown, table: string, { sql, values }: Condition) =>
    counts(JSON.stringify([table, key]), () => {
      const found = prepare<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${sql}`).get(...values)
      return found?.count ?? 0
    })

  /** In order, of each the columns, the first of which is the id. */
  function read({ condition, order, limit, offset, stretch }: Reading, columns: string): CursorRow[] {
    const { sql, values } = condition
    const behind = stretch === undefined ? '' : ` AND ${stretch.sql}`
    const query = `
      SELECT ${columns} FROM listing WHERE ${sql}${behind}
      ORDER BY ${toOrderSql(order)} ${limited}`
    const rows = prepare<object>(query).all(...values, ...(stretch?.values ?? []), limit, offset)
    // Only whoever names the columns knows what they hold.
    return rows.map((row) => Object.values(row)) as CursorRow[]
  }

  const readIds = (reading: Reading) => read(reading, 'id').map(toRowId)
  const readRows = (reading: Reading) => read(reading, `id AS found, ${toCursorColumns(reading.order)}`)

  /** Sizes and numbers of all rows, and of those that have a term, drafts among them, as the file's index has them. */
  function weigh(filters: Filters, condition: Condition, limit: number, offset: number): number[] {
    const search = filters.search ?? { all: [], none: [] }
    const terms = search.all.map((term) => {
      return { term, rows: count(term, 'search', toTermCondition(term, searched)) }
    })
    const rows = count('all', 'search', { sql: 'TRUE', values: [] })
    const size = counts('size', () => prepare<{ n: number }>('SELECT sum(size) AS n FROM search').get()?.n ?? 0)
    const weight = toWeight(terms, rows, size / Math.max(1, rows))
    const matching = toSearchCondition(search, 'all')
    const query = `
      SELECT id FROM (SELECT rowid, ${weight.sql} AS weight FROM search WHERE ${matching.sql}) AS weighed
      JOIN listing ON id = rowid WHERE ${condition.sql} ORDER BY weight DESC, ${toOrderSql(defaultOrder)} ${limited}`
    const values = [...weight.values, ...matching.values, ...condition.values]
    return prepare<{ id: number }>(query)
      .all(...values, limit, offset)
      .map(({ id }) => id)
  }

  function toReader(query: ListQuery, condition: Condition, total: number): PageReader {
    const { filters } = query
    const order = query.order ?? defaultOrder
    const rank = createRanking<Condition>({
      weigh: (each, limit, offset) => weigh(filters, each, limit, offset),
      toPart: (wanted, part) => toCondition(wanted, part) ?? nothing,
      count: (wanted, part, each) => count([part, wanted], 'listing', each),
      read: (each, _, limit, offset) => readIds({ condition: each, order: defaultOrder, limit, offset }),
    })
    return {
      toBodies,
      readIds: (limit, offset) => readIds({ condition, order, limit, offset }),
      read: (limit, offset) => readRows({ condition, order, limit, offset }),
      readAfter: (most, after) =>
        readStretches(toStretches(order, toKnownValues(after)), most, (stretch, limit) =>
          readRows({ condition, order, limit, offset: 0, stretch }),
        ),
      rank: (limit, offset) => rank(filters, condition, total, limit, offset),
    }
  }

  /** Count and page in one snapshot, so that they fit together. */
  return (query) =>
    db.transaction((): ListPage => {
      const condition = toCondition(query.filters) ?? nothing
      const total = count(query.filters, 'listing', condition)
      const page = readPage(query, total, toReader(query, condition, total))
      if (query.facets.length === 0) return { count: total, ...page, facets: null }
      const key = JSON.stringify([query.facets, query.filters])
      return { count: total, ...page, facets: facets(key, () => toFacets(query.facets, condition)) }
    })()
}

/** What is to be read: which rows, in which order, which of them. */
interface Reading {
  readonly condition: Condition
  readonly order: readonly OrderStep[]
  readonly limit: number
  readonly offset: number
  /** Only what lies here. */
  readonly stretch?: Stretch
}
