import { defaultOrder } from '../../record/ordering.ts'
import type { Filters } from '../../record/query.ts'
import type { Conditions, Value } from './conditions.ts'
import { toMatch } from './match.ts'
import { toOrderIndex, toOrderSql } from './order.ts'
import type { Statements } from './statements.ts'

/** Weighing more than this takes longer than anybody waits, and tells nobody anything. */
const maxWeighed = 5000

/**
 * Best first. Few matches are weighed one by one (bm25, title and speakers weigh most; the weights stand in the schema).
 * Of many, those that have every word in title or speakers come first, and within both kinds the newest.
 */
export function createRanking(prepare: Statements) {
  const order = toOrderSql(defaultOrder)

  function weigh(match: string, { sql, values }: Conditions, limit: number, offset: number): number[] {
    // Materialised: taken apart, SQLite would ask the index for each record anew.
    const query = `
      WITH matched AS MATERIALIZED (SELECT rowid AS id, rank AS weight FROM search WHERE search MATCH ?)
      SELECT id FROM matched CROSS JOIN listing USING (id)
      WHERE ${sql} ORDER BY weight, ${order} LIMIT ? OFFSET ?`
    return readIds(query, [match, ...values, limit, offset])
  }

  function walk(condition: string, { sql, values }: Conditions, name: string, limit: number, offset: number): number[] {
    if (limit <= 0) return []
    const query = `
      SELECT id FROM listing ${toOrderIndex(defaultOrder)} WHERE ${sql} AND ${condition}
      ORDER BY ${order} LIMIT ? OFFSET ?`
    return readIds(query, [...values, name, limit, offset])
  }

  function readIds(sql: string, values: Value[]): number[] {
    return prepare<{ id: number }>(sql)
      .all(...values)
      .map((row) => row.id)
  }

  return (filters: Filters, conditions: Conditions, total: number, limit: number, offset: number): number[] => {
    const all = filters.search?.all ?? []
    if (total <= maxWeighed) return weigh(toMatch(all, 'AND'), conditions, limit, offset)
    const inName = toMatch(all, 'AND', 'title speakers')
    const isInName = 'id IN (SELECT rowid FROM search WHERE search MATCH ?)'
    const countNamed = `SELECT count(*) AS count FROM listing WHERE ${conditions.sql} AND ${isInName}`
    const named = prepare<{ count: number }>(countNamed).get(...conditions.values, inName)?.count ?? 0
    const first = offset < named ? walk(isInName, conditions, inName, limit, offset) : []
    const rest = walk(`NOT (${isInName})`, conditions, inName, limit - first.length, Math.max(0, offset - named))
    return [...first, ...rest]
  }
}
