import type { Database } from 'bun:sqlite'
import { defaultOrder, type OrderStep } from '../../record/query/ordering.ts'
import type { ListQuery } from '../../record/query/query.ts'
import { type CursorRow, type PageReader, readPage, readStretches, toRowId } from '../read/list-page.ts'
import { createMemo } from '../read/memo.ts'
import { type Stretch, toOrderColumns, toOrderIndex, toOrderSql, toSortSql, toStretches } from '../read/order.ts'
import { defaultPageBytes } from '../read/page-bodies.ts'
import { createRanking } from '../read/ranking.ts'
import { createStatements, limited } from '../read/statements.ts'
import type { ListPage } from '../store.ts'
import { createFacetValues } from './facets/facet-values.ts'
import { createFacets } from './facets/facets.ts'
import { createPageBodies } from './page-bodies.ts'
import { type Conditions, createConditions, nothing } from './plan/conditions.ts'
import { createNamedRecords } from './plan/named-records.ts'
import { createRelevance } from './plan/relevance.ts'

/** What a matching row costs when all are gathered and sorted, where passing a row of an index costs 1. */
const gatherCost = 5
/** So little is not worth the question how many rows there are. */
const maxGathering = 100 * gatherCost

export interface ListNeeds {
  readonly db: Database
  /** Moves with every change of the store. */
  changesCounter(): number
  /** Of a page of more than a few records. */
  readonly maxPageBytes?: number
  /** Called between the steps of a reading; what it throws ends it. */
  onStep?(): void
}

export function createList(needs: ListNeeds): (query: ListQuery) => ListPage {
  const { db, changesCounter, maxPageBytes = defaultPageBytes, onStep } = needs
  const values = createFacetValues(db, onStep)
  const toConditions = createConditions(db, createNamedRecords(db, values, onStep))
  const toBodies = createPageBodies(db, maxPageBytes)
  const prepare = createStatements(db, onStep)
  const toFacets = createFacets(values, prepare)
  const counts = createMemo<number>(changesCounter)
  const facets = createMemo<ListPage['facets']>(changesCounter)

  const count = (key: string, conditions: Conditions) =>
    counts(key, () => {
      const { sql, values } = conditions.count()
      return prepare<{ count: number }>(sql).get(...values)?.count ?? 0
    })
  // About as many as there are: ids are never used twice, and records stay.
  const lastId = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM listing')

  /** Whether passing rows of the order's index until enough have come costs less than to gather and sort all. */
  function isWalkShorter({ conditions, total, limit, offset }: Reading): boolean {
    const gathering = total * gatherCost
    if (gathering <= maxGathering) return false
    const passed = ((offset + limit) * (lastId.get()?.id ?? 0)) / total
    return passed * conditions.walkCost < gathering
  }

  /** In order, of each the columns, the first of which is the id. */
  function read(reading: Reading, columns: string): CursorRow[] {
    const { conditions, order, limit, offset, stretch } = reading
    const isReady = order === defaultOrder && conditions.isInDayOrder
    const isWalk = !isReady && isWalkShorter(reading)
    const { sql, values } = isWalk ? conditions.walk() : conditions.gather
    const from = isWalk ? `listing ${toOrderIndex(order)}` : conditions.gather.from
    const behind = stretch === undefined ? '' : ` AND ${stretch.sql}`
    const query =
      `SELECT ${columns} FROM ${from} WHERE ${sql}${behind} ` +
      `ORDER BY ${isReady || isWalk ? toOrderSql(order) : toSortSql(order)} ${limited}`
    // Only whoever names the columns knows what they hold.
    return prepare(query).values(...values, ...(stretch?.values ?? []), limit, offset) as CursorRow[]
  }

  const readIds = (reading: Reading) => read(reading, 'id').map(toRowId)
  const readRows = (reading: Reading) => read(reading, `id, ${toOrderColumns(reading.order)}`)

  const rank = createRanking({
    weigh: createRelevance(prepare),
    toPart: (filters, part) => toConditions(filters, part) ?? nothing,
    count: (filters, part, conditions) => count(JSON.stringify([part, filters]), conditions),
    read: (conditions, total, limit, offset) => readIds({ conditions, order: defaultOrder, total, limit, offset }),
  })

  function toReader(query: ListQuery, conditions: Conditions, total: number): PageReader {
    const order = query.order ?? defaultOrder
    return {
      toBodies,
      readIds: (limit, offset) => readIds({ conditions, order, total, limit, offset }),
      read: (limit, offset) => readRows({ conditions, order, total, limit, offset }),
      readAfter: (most, after) =>
        readStretches(toStretches(order, after), most, (stretch, limit) =>
          readRows({ conditions, order, total, limit, offset: 0, stretch }),
        ),
      rank: (limit, offset) => rank(query.filters, conditions, total, limit, offset),
    }
  }

  /** Where few can match, a first page that is not full has them all. */
  function readFew(query: ListQuery, conditions: Conditions): ListPage | null {
    const { page, pageSize, filters, facets: wanted, fields } = query
    if (!conditions.isFew || page !== 1 || wanted.length > 0 || filters.search !== undefined) return null
    const order = query.order ?? defaultOrder
    const ids = readIds({ conditions, order, total: 0, limit: pageSize, offset: 0 })
    if (ids.length === pageSize) return null
    return { count: ids.length, page, records: toBodies(ids, fields), nextCursor: null, facets: null }
  }

  /** Count and page in one snapshot, so that they fit together. */
  return db.transaction((query: ListQuery): ListPage => {
    const conditions = toConditions(query.filters) ?? nothing
    const few = readFew(query, conditions)
    if (few !== null) return few
    const total = count(JSON.stringify(query.filters), conditions)
    const page = readPage(query, total, toReader(query, conditions, total))
    if (query.facets.length === 0) return { count: total, ...page, facets: null }
    const key = JSON.stringify([query.facets, query.filters])
    return { count: total, ...page, facets: facets(key, () => toFacets(query.facets, conditions.gather)) }
  })
}

/** What is to be read: which rows, in which order, of how many, which of them. */
interface Reading {
  readonly conditions: Conditions
  readonly order: readonly OrderStep[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  /** Only what lies here. */
  readonly stretch?: Stretch
}
