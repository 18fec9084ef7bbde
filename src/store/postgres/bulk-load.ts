import type { Database } from '../database.ts'

/**
 * Runs work that fills an empty database, within the open transaction. The search indexes are built at the end, which
 * takes a tenth of the time that row by row takes, and no statement has a time limit.
 */
export async function loadInBulk<T>(db: Database, work: () => Promise<T>, onIndexes: () => void): Promise<T> {
  await db.script('SET LOCAL statement_timeout = 0')
  const indexes = await db
    .query<{ name: string; definition: string }, []>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = current_schema() AND indexdef LIKE '% USING gin %'`,
    )
    .all()
  for (const { name } of indexes) await db.script(`DROP INDEX ${name}`)
  const result = await work()
  onIndexes()
  for (const { definition } of indexes) await db.script(definition)
  // Without statistics PostgreSQL would plan the first lists as if the tables were empty.
  await db.script('ANALYZE')
  return result
}
