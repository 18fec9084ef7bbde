import { afterAll, beforeAll } from 'bun:test'
import { closeWhenDone, type Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import {
  type BorrowedCluster,
  borrowCluster,
  createDatabase,
  type FreshStore,
  toDatabaseName,
} from '../harness/fresh-store.ts'
import { type Cluster, createCluster } from '../harness/postgres.ts'

/** New databases for the tests of a file. */
export function useDatabases() {
  let cluster: BorrowedCluster | null = null
  const made: FreshStore[] = []
  beforeAll(async () => {
    cluster = await borrowCluster()
  }, 180_000)
  afterAll(async () => {
    for (const database of made) await database.remove()
    await cluster?.giveBack()
  }, 60_000)
  const create = async (template?: string) => {
    if (cluster === null) throw new Error('PostgreSQL has not started')
    const database = await createDatabase(cluster.url, template)
    made.push(database)
    return database.db
  }
  return {
    createAddress: () => create(),
    /** The address of a database that is as this one is now. */
    copyDatabase: (address: string) => create(toDatabaseName(address)),
  }
}

/** A PostgreSQL of its own for the tests of a file, which may stop it. */
export function useCluster() {
  let started: Cluster | null = null
  beforeAll(async () => {
    started = await createCluster({ fsync: false })
    await started.start()
  }, 180_000)
  afterAll(() => started?.remove(), 60_000)
  return () => {
    if (started === null) throw new Error('PostgreSQL has not started')
    return started
  }
}

/** Uses a store of either engine, read as another program would. */
export function withRows<T>(db: string, use: (db: Database) => Promise<T>): Promise<T> {
  const open = db.startsWith('postgres:') ? openPostgres(db) : createSqliteDatabase(openForReading(db))
  return closeWhenDone(open, use)
}

export type Rows = readonly { readonly [column: string]: unknown }[]

/** All rows, with bytes as texts, so that those of both engines can be compared. */
export function readRows(db: string, sql: string): Promise<Rows> {
  return withRows(db, (open) => readPlain(open, sql))
}

/** The rows of each table, in the order of the given columns, over one connection. */
export function readTables(
  db: string,
  keys: Readonly<Record<string, string>>,
): Promise<{ readonly [table: string]: Rows }> {
  return withRows(db, async (open) => {
    const tables: { [table: string]: Rows } = {}
    for (const [table, key] of Object.entries(keys)) {
      tables[table] = await readPlain(open, `SELECT * FROM ${table} ORDER BY ${key}`)
    }
    return tables
  })
}

async function readPlain(open: Database, sql: string): Promise<Rows> {
  const toPlain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)
  const toPlainRow = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toPlain(value)]))
  return (await open.query<object>(sql).all()).map(toPlainRow)
}
