import type { Database } from '../database.ts'
import { migrations, upgrades } from '../schema/postgres/migrations.ts'

/** Any number; nodes that start at the same time wait for the first one here. */
const migrationLock = 7_626_001

export type PostgresInspection =
  | { readonly is: 'new' }
  | { readonly is: 'ours'; readonly schema: number }
  | { readonly is: 'refused'; readonly problem: string }

/** Whose database it is, before anything is touched. */
export function inspectPostgres(db: Database): PostgresInspection {
  const tables = db
    .query<{ name: string }, []>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    )
    .all()
  if (tables.length === 0) return { is: 'new' }
  if (!tables.some(({ name }) => name === 'store')) {
    return { is: 'refused', problem: 'it has tables of another program; name an empty database.' }
  }
  const schema = db.query<{ schema: number }, []>('SELECT schema FROM store').get()?.schema ?? 0
  if (schema > migrations.length) {
    return { is: 'refused', problem: `it was made by a newer Rostrum (schema ${schema}); start that one.` }
  }
  return { is: 'ours', schema }
}

/** Brings the schema up to date, in one transaction; a new database gets it whole. Gives what speaks against it. */
export function migratePostgres(db: Database): string | null {
  db.run(`BEGIN; SELECT pg_advisory_xact_lock(${migrationLock})`)
  try {
    const found = inspectPostgres(db)
    if (found.is === 'refused') {
      db.run('ROLLBACK')
      return found.problem
    }
    const done = found.is === 'new' ? 0 : found.schema
    for (const script of migrations.slice(done)) {
      db.run(script)
      upgrades.get(script)?.(db)
    }
    if (found.is === 'new') db.run(`INSERT INTO store (schema) VALUES (${migrations.length})`)
    else db.run(`UPDATE store SET schema = ${migrations.length}`)
    db.run('COMMIT')
    return null
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  }
}
