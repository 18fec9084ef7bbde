import { defaultOrder, type OrderStep } from '../../../record/query/ordering.ts'
import type { PageWindow } from '../../read/list/list.ts'
import { toOrderSql } from '../../read/list/list-sql.ts'
import { type Condition, toAnd } from '../../read/statements.ts'
import type { ListFilter } from './filter.ts'
import { type IdSet, maxCheapProbe } from './id-sets.ts'

/** The FROM clause and the condition of a query. */
export interface Plan extends Condition {
  readonly from: string
}

export interface OrderedPlan extends Plan {
  readonly order: string
}

/** The cost of reading and sorting a match, in rows of an index scan. */
const sortCost = 5
/** Below this, choosing a plan costs more than it saves. */
const maxSmallSort = 100 * sortCost

/**
 * SQLite does not know how many rows match, but the count of the list does. So we choose one of two plans: scan the
 * index of the order until the page is full, or collect all matches and sort them (ADR 8).
 */
export async function choosePlan(
  filter: ListFilter,
  window: PageWindow,
  rowCount: () => Promise<number>,
): Promise<OrderedPlan> {
  const { order } = window
  if (filter.isInDefaultOrder && order === defaultOrder) {
    return { ...(await planIdSet(filter)), order: toOrderSql(order) }
  }
  if (await isIndexScanCheaper(filter, window, rowCount)) return planIndexScan(filter, order)
  // The unary plus keeps SQLite from scanning the index of the order to save the sort.
  return { ...(await planIdSet(filter)), order: `+${toOrderSql(order)}` }
}

async function isIndexScanCheaper(
  { sets }: ListFilter,
  window: PageWindow,
  rowCount: () => Promise<number>,
): Promise<boolean> {
  const sorting = window.total * sortCost
  if (sorting <= maxSmallSort) return false
  const scannedRows = ((window.offset + window.limit) * (await rowCount())) / window.total
  const rowCost = sets.reduce((sum, { probeCost }) => sum + probeCost, 1)
  return scannedRows * rowCost < sorting
}

/** Scans the index of the order and tests each row. The table itself is ordered by id. */
function planIndexScan({ row, sets }: ListFilter, order: readonly OrderStep[]): OrderedPlan {
  const field = order[0]?.field ?? 'id'
  return {
    from: `listing ${field === 'id' ? 'NOT INDEXED' : `INDEXED BY listing_by_${field}`}`,
    ...toAnd([...row, ...sets.map(({ probe }) => probe)]),
    order: toOrderSql(order),
  }
}

/** Collects all matches: from a set of ids if there is one, otherwise by the index that SQLite chooses. */
export async function planIdSet(filter: ListFilter): Promise<Plan> {
  const { row, sets } = filter
  if (filter.matchesFew) return { from: 'listing', ...toAnd([...row, ...sets.map(({ probe }) => probe)]) }
  const sources = sets.filter(({ source }) => source !== null)
  const small = sets.length < 2 ? undefined : await findSmall(sources)
  return joinSets(filter, small ?? sources[0], small !== undefined)
}

/**
 * Joins the ids of the driver to their rows. If it is small, the other sets are probed per row where that is cheap;
 * otherwise they are collected.
 */
function joinSets({ row, sets }: ListFilter, driver: IdSet | undefined, isSmall: boolean): Plan {
  const others = sets.filter((each) => each !== driver)
  const tests = others.map(({ probe, probeCost, member }) => (isSmall && probeCost <= maxCheapProbe ? probe : member))
  const source = driver?.source ?? null
  if (source === null) return { from: 'listing', ...toAnd([...row, ...tests]) }
  return {
    from: `${source.table} CROSS JOIN listing ON listing.id = ${source.id}`,
    ...toAnd([source, ...row, ...tests]),
  }
}

export async function planCount(filter: ListFilter): Promise<Condition> {
  const { sets, search } = filter
  // Testing each row against an exclusion takes two to four times as long as counting the excluded rows.
  if (search?.excluded && !filter.matchesFew) {
    const names = sets.filter((each) => each !== search)
    const all = await planCount({ ...filter, sets: names, search: null })
    const excluded = await planCount({ ...filter, sets: [...names, search.excluded], search: search.excluded })
    return { sql: `SELECT (${all.sql}) - (${excluded.sql}) AS count`, values: [...all.values, ...excluded.values] }
  }
  // SQLite counts a whole table without reading its rows; drafts are few.
  if (filter.isAllLive && sets.length === 0) {
    const drafts = 'SELECT count(*) FROM listing WHERE state > 1'
    return { sql: `SELECT (SELECT count(*) FROM listing) - (${drafts}) AS count`, values: [] }
  }
  const { from, sql, values } = await planIdSet(filter)
  return { sql: `SELECT count(*) AS count FROM ${from}${sql === 'TRUE' ? '' : ` WHERE ${sql}`}`, values }
}

async function findSmall(sets: readonly IdSet[]): Promise<IdSet | undefined> {
  for (const each of sets) if (await each.source?.isSmall()) return each
  return undefined
}
