import type { Database } from '../database.ts'
import { postgresMigrations, upgrades } from '../schema/migrations.ts'
import type { PostgresDatabase } from './connection.ts'
import { setPlaceSql } from './store-id.ts'

/** An arbitrary number. Nodes that start at the same time wait for this lock. */
const migrationLock = 7_626_001

export type PostgresInspection =
  | { readonly is: 'new' }
  | { readonly is: 'ours'; readonly schema: number }
  | { readonly is: 'refused'; readonly problem: string }

/** Whether the database is new, ours or not usable. Changes nothing. */
export async function inspectPostgres(db: Database): Promise<PostgresInspection> {
  const tables = await db
    .query<{ name: string }, []>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    )
    .all()
  if (tables.length === 0) return { is: 'new' }
  if (!tables.some(({ name }) => name === 'store')) {
    return { is: 'refused', problem: 'it has tables of another program; name an empty database.' }
  }
  const schema = (await db.query<{ schema: number }, []>('SELECT schema FROM store').get())?.schema ?? 0
  if (schema > postgresMigrations.length) {
    return { is: 'refused', problem: `it was made by a newer Rostrum (schema ${schema}); start that one.` }
  }
  return { is: 'ours', schema }
}

/** Creates or upgrades the schema in one transaction. Returns why it cannot, or null. */
export async function migratePostgres(db: PostgresDatabase): Promise<string | null> {
  await db.begin(`BEGIN; SELECT pg_advisory_xact_lock(${migrationLock})`)
  try {
    const found = await inspectPostgres(db)
    if (found.is !== 'refused') await applyMigrations(db, found.is === 'new' ? 0 : found.schema)
    await db.commit()
    return found.is === 'refused' ? found.problem : null
  } catch (error) {
    if (db.isInTransaction) await db.rollback()
    throw error
  }
}

async function applyMigrations(db: Database, done: number): Promise<void> {
  for (const script of postgresMigrations.slice(done)) {
    await db.script(script)
    await upgrades.get(script)?.(db)
  }
  if (done === 0) await db.script(`INSERT INTO store (schema) VALUES (${postgresMigrations.length}); ${setPlaceSql}`)
  else await db.script(`UPDATE store SET schema = ${postgresMigrations.length}`)
}
