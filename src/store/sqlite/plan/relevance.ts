import { defaultOrder } from '../../../record/query/ordering.ts'
import { toOrderSql } from '../../read/order.ts'
import type { Weight } from '../../read/ranking.ts'
import { limited, type Statements } from '../../read/statements.ts'
import type { Conditions } from './conditions.ts'

/** Rank is the search table's own word for the weight; how much each column weighs stands in the schema. */
export function createRelevance(prepare: Statements): Weight<Conditions> {
  const order = toOrderSql(defaultOrder)
  return (conditions, limit, offset) => {
    const { from, sql, values } = conditions.weigh()
    const query = `SELECT id FROM ${from} WHERE ${sql} ORDER BY rank, ${order} ${limited}`
    const rows = prepare<{ id: number }>(query).all(...values, limit, offset)
    return rows.map((row) => row.id)
  }
}
