import { Database } from 'bun:sqlite'
import { closeWhenDone } from '../database.ts'
import { sqliteMigrations, upgrades } from '../schema/migrations.ts'
import { createFileAtomically } from './atomic-file.ts'
import { createSqliteDatabase } from './database.ts'
import { applicationId } from './inspect.ts'

/** As much of the file as SQLite maps at most: what lies behind is read by a call and copied. */
const mappedBytes = 2 ** 31 - 2 ** 16

/** The one connection that writes. Waits a little for other processes; longer waits are the caller's. */
export function openForWriting(path: string, busyTimeoutMs: number): Database {
  const db = new Database(path, { strict: true, create: true })
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  db.run('PRAGMA journal_mode = WAL')
  // A commit is answered only when it is on disk.
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA journal_size_limit = 67108864')
  // Savepoints then cost no file.
  db.run('PRAGMA temp_store = MEMORY')
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA cache_size = -32768')
  // What is removed from a page is wiped there and then, which costs no write; erasing a record relies on it.
  db.run('PRAGMA secure_delete = FAST')
  return db
}

export function openForReading(path: string): Database {
  const db = openUnmapped(path, 8192)
  db.run(`PRAGMA mmap_size = ${mappedBytes}`)
  return db
}

/**
 * For reads while others write. At the first read after a change SQLite lets go of all that it has mapped and maps it
 * anew, which takes longer than the read and stops every thread of the process that wants memory.
 */
export function openForReadingChanges(path: string): Database {
  return openUnmapped(path, 2048)
}

function openUnmapped(path: string, cacheKilobytes: number): Database {
  const db = new Database(path, { strict: true, readonly: true })
  db.run('PRAGMA busy_timeout = 1000')
  db.run('PRAGMA query_only = ON')
  db.run(`PRAGMA cache_size = -${cacheKilobytes}`)
  return db
}

/** For commands beside a process that serves the file: they read, and whoever leaves last tidies up the log. */
export function openBeside(path: string): Database {
  const db = new Database(path, { strict: true, readwrite: true, create: false })
  db.run('PRAGMA busy_timeout = 10000')
  db.run('PRAGMA cache_size = -32768')
  return db
}

/** Brings an older file up to date, in one transaction. */
export async function upgradeDatabase(path: string): Promise<void> {
  await withDatabase(path, (db) => createSqliteDatabase(db).transaction('write', () => migrate(db)))
}

/** Creates a new store. If another process creates one at the same path meanwhile, theirs stays. */
export async function createDatabase(path: string): Promise<void> {
  await createFileAtomically(path, (temporary) =>
    closeWhenDone(new Database(temporary, { strict: true, create: true }), fill),
  )
}

/** Nobody knows the file before it gets its name, so nothing needs to reach the disk until then. */
async function fill(db: Database): Promise<void> {
  // A third smaller than with 4096, since most records then need no overflow page. Only a new file takes it.
  db.run('PRAGMA page_size = 8192')
  // No files beside it that would have to be renamed with it.
  db.run('PRAGMA locking_mode = EXCLUSIVE')
  db.run('PRAGMA journal_mode = MEMORY')
  db.run('PRAGMA synchronous = OFF')
  await createSqliteDatabase(db).transaction('write', () => migrate(db))
  db.run('PRAGMA journal_mode = WAL')
}

function withDatabase(path: string, use: (db: Database) => Promise<void>): Promise<void> {
  return closeWhenDone(new Database(path, { strict: true, create: true }), async (db) => {
    db.run('PRAGMA busy_timeout = 10000')
    db.run('PRAGMA synchronous = FULL')
    return use(db)
  })
}

/** Closes it, whatever comes of its use. */
export function closeAfter<T, D extends Pick<Database, 'close'>>(db: D, use: (db: D) => T): T {
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** Brings the schema up to date; within a transaction. */
export async function migrate(db: Database): Promise<void> {
  const row = db.query<{ user_version: number }, []>('PRAGMA user_version').get()
  const done = row?.user_version ?? 0
  if (done === sqliteMigrations.length) return
  for (const sql of sqliteMigrations.slice(done)) {
    db.run(sql)
    await upgrades.get(sql)?.(createSqliteDatabase(db))
  }
  db.run(`PRAGMA application_id = ${applicationId}`)
  db.run(`PRAGMA user_version = ${sqliteMigrations.length}`)
}
