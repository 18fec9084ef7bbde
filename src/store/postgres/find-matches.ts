import type { Database } from '../database.ts'
import { createStatements } from '../read/statements.ts'
import type { FindMatches } from '../write/bulk/bulk-rows.ts'
import { createFilter } from './plan/filter.ts'

export function createFindMatches(db: Database): FindMatches {
  const prepare = createStatements(db)
  const resolveFilter = createFilter(db)
  return async (filters, limit) => {
    const filter = await resolveFilter(filters)
    if (filter === null) return { ids: [], count: 0 }
    const { sql, values } = filter
    const query = `SELECT id FROM listing WHERE ${sql} ORDER BY id LIMIT ${limit + 1}`
    const rows = await prepare<{ id: number }>(query).all(...values)
    if (rows.length <= limit) return { ids: rows.map(({ id }) => id), count: rows.length }
    const count = await prepare<{ n: number }>(`SELECT count(*) AS n FROM listing WHERE ${sql}`).get(...values)
    return { ids: [], count: count?.n ?? 0 }
  }
}
