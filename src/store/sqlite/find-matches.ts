import type { Database } from '../database.ts'
import { createStatements } from '../read/statements.ts'
import type { FindMatches } from '../write/bulk/bulk-rows.ts'
import { createFilter } from './plan/filter.ts'
import type { NamePiece } from './plan/id-sets.ts'
import { toNameIdsSql } from './plan/name-ids.ts'
import { planCount, planIdSet } from './plan/plans.ts'

/** For the writer, which keeps no columns in memory: its transaction may have changed them. */
export function createFindMatches(db: Database): FindMatches {
  const prepare = createStatements(db)
  const resolveFilter = createFilter(db, (pieces) => findNamed(db, pieces))
  return async (filters, limit) => {
    const filter = await resolveFilter(filters)
    if (filter === null) return { ids: [], count: 0 }
    const { from, sql, values } = await planIdSet(filter)
    const rows = await prepare<{ id: number }>(
      `SELECT listing.id FROM ${from} WHERE ${sql} ORDER BY listing.id LIMIT ${limit + 1}`,
    ).all(...values)
    if (rows.length <= limit) return { ids: rows.map(({ id }) => id), count: rows.length }
    const count = await planCount(filter)
    return { ids: [], count: (await prepare<{ count: number }>(count.sql).get(...count.values))?.count ?? 0 }
  }
}

/** The records that match all name parts. Each part is collected alone: SQLite would join them row by row. */
async function findNamed(db: Database, pieces: readonly NamePiece[]): Promise<readonly number[]> {
  let found: ReadonlySet<number> | null = null
  for (const { kind, text } of pieces) {
    const names = toNameIdsSql(kind, text)
    if (names === null) return []
    const sql = `SELECT DISTINCT record_id AS id FROM record_${kind} WHERE ${kind}_id IN (${names.sql})`
    const rows = await db.query<{ id: number }, string[]>(sql).all(...names.values)
    const ids: ReadonlySet<number> = new Set(rows.map(({ id }) => id))
    found = found === null ? ids : found.intersection(ids)
  }
  return [...(found ?? [])]
}
