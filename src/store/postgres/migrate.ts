import { CommandFailure, exitCodes } from '../../command-failure.ts'
import type { Database } from '../database.ts'
import { upgradeDerived } from '../derive/upgrade.ts'
import { explainFormerBuild, postgresMigrations } from '../schema/migrations.ts'
import type { PostgresDatabase } from './connection.ts'
import { setPlaceSql } from './store-id.ts'

/** An arbitrary number. Nodes that start at the same time wait for this lock. */
const migrationLock = 7_626_001
/** Builds before the first release called the column `schema` (decision 79). */
const schemaColumn = 'schema_number AS schema'
export const readSchemaSql = `SELECT ${schemaColumn} FROM store`
/** Each serving node shares this lock of its table `store`; an upgrade needs it alone (decision 66). */
const serving = `7626002, 'store'::regclass::oid::int`
/** The notification thread takes the lock, and holds it while it is connected. */
export const shareStoreSql = `SELECT pg_try_advisory_lock_shared(${serving}) AS "isShared", ${schemaColumn} FROM store`
const nodesSql = `
  SELECT coalesce(host(client_addr), 'this machine') AS host FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid, objid, objsubid) = (7626002, 'store'::regclass::oid, 2) ORDER BY 1`
/** An upgrade may take long, but waits at most a minute for commands that write or read. */
const limits = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'`

type PostgresInspection =
  | { readonly is: 'new' }
  | { readonly is: 'ours'; readonly schema: number }
  | { readonly is: 'refused'; readonly problem: string }

/** Whether the database is new, ours or not usable. Changes nothing. */
export async function inspectPostgres(db: Database): Promise<PostgresInspection> {
  const find = async (sql: string) => (await db.query<{ name: string }, []>(sql).all()).map(({ name }) => name)
  const tables = await find(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
  )
  if (tables.length === 0) return { is: 'new' }
  const columns = await find(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'store'`,
  )
  if (!columns.includes('schema_number')) {
    const isFormer = columns.includes('schema') && tables.includes('version')
    return {
      is: 'refused',
      problem: isFormer ? explainFormerBuild('it') : 'it has tables of another program; name an empty database.',
    }
  }
  const schema = (await db.query<{ schema: number }, []>(readSchemaSql).get())?.schema ?? 0
  if (schema > postgresMigrations.length) {
    return { is: 'refused', problem: `it was created by a newer Rostrum (schema ${schema}); use that version.` }
  }
  return { is: 'ours', schema }
}

interface MigrationOptions {
  /** The address for messages. */
  readonly shown?: string
  /** Called with the schema before an upgrade. */
  onUpgrade?(from: number): void
}

/** Creates or upgrades the schema in one transaction; else writes nothing. Returns why it cannot, or null. */
export async function migratePostgres(
  db: PostgresDatabase,
  { shown = 'The database', onUpgrade }: MigrationOptions = {},
): Promise<string | null> {
  const before = await inspectPostgres(db)
  if (before.is === 'ours' && before.schema === postgresMigrations.length) return null
  await db.begin(`BEGIN READ WRITE; ${limits}; SELECT pg_advisory_xact_lock(${migrationLock})`)
  try {
    const found = await inspectPostgres(db)
    if (found.is === 'new') await applyMigrations(db, 0)
    if (found.is === 'ours' && found.schema < postgresMigrations.length) {
      await excludeOthers(
        db,
        `${shown} has schema ${found.schema}, and this program needs ${postgresMigrations.length}`,
      )
      await applyMigrations(db, found.schema)
      await upgradeDerived(db, found.schema)
      onUpgrade?.(found.schema)
    }
    await db.commit()
    return found.is === 'refused' ? found.problem : null
  } catch (error) {
    if (db.isInTransaction) await db.rollback()
    throw error
  }
}

/** Refuses to upgrade while nodes serve the store; commands that write wait, and then find the new schema. */
async function excludeOthers(db: Database, wanted: string): Promise<void> {
  const taken = db.query<{ isAlone: boolean }, []>(`SELECT pg_try_advisory_xact_lock(${serving}) AS "isAlone"`)
  if ((await taken.get())?.isAlone === true) return db.script('SELECT 1 FROM store FOR UPDATE')
  const hosts = (await db.query<{ host: string }, []>(nodesSql).all()).map(({ host }) => host)
  const nodes = hosts.length === 1 ? '1 node has' : `${hosts.length} nodes have`
  throw new CommandFailure(
    exitCodes.unavailable,
    `${wanted}, but ${nodes} it open (${hosts.join(', ')}). Nothing was changed. Stop them all, then try again.`,
  )
}

async function applyMigrations(db: Database, done: number): Promise<void> {
  for (const script of postgresMigrations.slice(done)) await db.script(script)
  const schema = postgresMigrations.length
  if (done === 0) await db.script(`INSERT INTO store (schema_number, id_place) VALUES (${schema}, ''); ${setPlaceSql}`)
  else await db.script(`UPDATE store SET schema_number = ${schema}`)
}
