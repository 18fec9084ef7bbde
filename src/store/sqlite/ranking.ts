import { defaultOrder } from '../../record/ordering.ts'
import type { Filters } from '../../record/query.ts'
import { toOrderSql } from '../sql/order.ts'
import { limited, type Statements } from '../sql/statements.ts'
import type { Conditions } from './conditions.ts'
import type { SearchPart } from './outside-conditions.ts'

/** Weighing more than this takes longer than anybody waits, and tells nobody anything. */
const maxWeighed = 5000

type Weigh = (conditions: Conditions, limit: number, offset: number) => number[]

export interface RankingNeeds {
  readonly weigh: Weigh
  toPart(filters: Filters, part: SearchPart): Conditions
  count(filters: Filters, part: SearchPart, conditions: Conditions): number
  /** Ids in the default order. */
  read(conditions: Conditions, total: number, limit: number, offset: number): number[]
}

/**
 * Best first. Few matches are weighed one by one (bm25, title and speakers weigh most; the weights stand in the schema).
 * Of many, those that have every word in title or speakers come first, and within both kinds the newest.
 */
export function createRanking({ weigh, toPart, count, read }: RankingNeeds) {
  return (filters: Filters, conditions: Conditions, total: number, limit: number, offset: number): number[] => {
    if (total <= maxWeighed) return weigh(conditions, limit, offset)
    const named = toPart(filters, 'named')
    const namedTotal = count(filters, 'named', named)
    const first = offset < namedTotal ? read(named, namedTotal, limit, offset) : []
    if (first.length === limit) return first
    const unnamedTotal = total - namedTotal
    const skipped = Math.max(0, offset - namedTotal)
    return [...first, ...read(toPart(filters, 'unnamed'), unnamedTotal, limit - first.length, skipped)]
  }
}

/** Rank is the search table's own word for the weight. */
export function createWeighing(prepare: Statements): Weigh {
  const order = toOrderSql(defaultOrder)
  return (conditions, limit, offset) => {
    const { from, sql, values } = conditions.weigh()
    const query = `SELECT id FROM ${from} WHERE ${sql} ORDER BY rank, ${order} ${limited}`
    const rows = prepare<{ id: number }>(query).all(...values, limit, offset)
    return rows.map((row) => row.id)
  }
}
