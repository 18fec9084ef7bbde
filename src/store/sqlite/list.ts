import type { Database } from 'bun:sqlite'
import { type Cursor, type CursorValues, toCursorText } from '../../record/cursor.ts'
import { defaultOrder, type OrderStep } from '../../record/ordering.ts'
import type { Filters, ListQuery } from '../../record/query.ts'
import type { ListPage } from '../store.ts'
import { type Conditions, createConditions } from './conditions.ts'
import { createFacets } from './facets.ts'
import { createMemo } from './memo.ts'
import { toOrderColumns, toOrderIndex, toOrderSql, toStretches } from './order.ts'
import { createPageBodies } from './page-bodies.ts'
import { createRanking } from './ranking.ts'
import { createStatements } from './statements.ts'

/** Up to so many rows, collecting and sorting them is cheaper than walking an index past the others. */
const maxSorted = 2000

export interface ListNeeds {
  readonly db: Database
  /** Moves with every change of the store. */
  changesCounter(): number
}

export function createList({ db, changesCounter }: ListNeeds): (query: ListQuery) => ListPage {
  const toConditions = createConditions(db)
  const toBodies = createPageBodies(db)
  const prepare = createStatements(db)
  const toFacets = createFacets(prepare)
  const ranking = createRanking(prepare)
  const counts = createMemo<number>(changesCounter)
  const facets = createMemo<ListPage['facets']>(changesCounter)

  const count = (filters: Filters, conditions: Conditions) =>
    counts(JSON.stringify(filters), () => {
      const sql = `SELECT count(*) AS count FROM listing WHERE ${conditions.sql}`
      return prepare<{ count: number }>(sql).get(...conditions.values)?.count ?? 0
    })
  const everything: Filters = { drafts: true, speakers: [], tags: [], has: [] }
  const countAll = () => count(everything, { sql: 'TRUE', values: [] })

  /** Ids in order, each with the values that a cursor needs. Walks the order's index where most of it fits. */
  function read(conditions: Conditions, order: readonly OrderStep[], total: number, limit: number, offset: number) {
    const isWalk = total > maxSorted && ((offset + limit) * countAll()) / total < total
    const sql =
      `SELECT id, ${toOrderColumns(order)} FROM listing ${isWalk ? toOrderIndex(order) : ''} ` +
      `WHERE ${conditions.sql} ORDER BY ${toOrderSql(order)} LIMIT ? OFFSET ?`
    return prepare(sql).values(...conditions.values, limit, offset) as CursorRow[]
  }

  function readAfter(
    conditions: Conditions,
    order: readonly OrderStep[],
    total: number,
    limit: number,
    after: CursorValues,
  ) {
    const rows: CursorRow[] = []
    for (const stretch of toStretches(order, after)) {
      if (rows.length >= limit) break
      const sql = `${conditions.sql} AND ${stretch.sql}`
      rows.push(
        ...read({ sql, values: [...conditions.values, ...stretch.values] }, order, total, limit - rows.length, 0),
      )
    }
    return rows
  }

  function readPage(query: ListQuery, conditions: Conditions, total: number): Omit<ListPage, 'count' | 'facets'> {
    const { page, pageSize, filters } = query
    const order = query.order ?? defaultOrder
    const isRanked = query.order === null && (filters.search?.all.length ?? 0) > 0
    const readIds = (limit: number, offset: number): number[] =>
      isRanked
        ? ranking(filters, conditions, total, limit, offset)
        : read(conditions, order, total, limit, offset).map(toId)
    if (typeof page === 'object') return readCursorPage(query, conditions, total, page, isRanked ? readIds : null)
    const lastPage = Math.max(1, Math.ceil(total / pageSize))
    const number = page === 'last' ? lastPage : page
    const ids = number > lastPage || total === 0 ? [] : readIds(pageSize, (number - 1) * pageSize)
    return { page: number, results: toBodies(ids, query.fields), size: ids.length, nextCursor: null }
  }

  function readCursorPage(
    query: ListQuery,
    conditions: Conditions,
    total: number,
    cursor: Cursor,
    readRanked: ((limit: number, offset: number) => number[]) | null,
  ): Omit<ListPage, 'count' | 'facets'> {
    const { pageSize, fields } = query
    const order = query.order ?? defaultOrder
    const skipped = cursor.is === 'skip' ? cursor.count : 0
    if (readRanked !== null) {
      const ids = readRanked(pageSize, skipped)
      const next =
        skipped + ids.length < total ? toCursorText(order, { is: 'skip', count: skipped + ids.length }) : null
      return { page: null, results: toBodies(ids, fields), size: ids.length, nextCursor: next }
    }
    const found =
      cursor.is === 'after'
        ? readAfter(conditions, order, total, pageSize + 1, cursor.values)
        : read(conditions, order, total, pageSize + 1, skipped)
    const rows = found.slice(0, pageSize)
    const last = found.length > pageSize ? rows.at(-1) : undefined
    const next = last === undefined ? null : toCursorText(order, { is: 'after', values: last.slice(1) })
    return { page: null, results: toBodies(rows.map(toId), fields), size: rows.length, nextCursor: next }
  }

  /** Count and page in one snapshot, so that they fit together. */
  return (query) =>
    db.transaction((): ListPage => {
      const conditions = toConditions(query.filters)
      const none: Conditions = { sql: 'FALSE', values: [] }
      const total = conditions === null ? 0 : count(query.filters, conditions)
      const page = readPage(query, conditions ?? none, total)
      const key = JSON.stringify([query.facets, query.filters])
      const counted = query.facets.length === 0 ? null : facets(key, () => toFacets(query.facets, conditions ?? none))
      return { count: total, ...page, facets: counted }
    })()
}

type CursorRow = [id: number, ...values: (string | number | null)[]]

const toId = (row: CursorRow) => row[0]
