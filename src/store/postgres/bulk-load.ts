import type { Database } from '../database.ts'

/**
 * Runs work that fills an empty database, within the transaction that it stands in: indexes of words are made at the
 * end, which takes a tenth of what it takes row by row, and no statement has a limit of time, since nobody waits.
 */
export function loadInBulk<T>(db: Database, work: () => T, onIndexes: () => void): T {
  db.run('SET LOCAL statement_timeout = 0')
  const indexes = db
    .query<{ name: string; definition: string }, []>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = current_schema() AND indexdef LIKE '% USING gin %'`,
    )
    .all()
  for (const { name } of indexes) db.run(`DROP INDEX ${name}`)
  const result = work()
  onIndexes()
  for (const { definition } of indexes) db.run(definition)
  return result
}
