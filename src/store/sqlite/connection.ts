import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { migrations } from '../schema/migrations.ts'
import { applicationId } from './inspect.ts'

/** The one connection that writes. Waits a little for other processes; longer waits are the caller's. */
export function openForWriting(path: string, busyTimeoutMs: number): Database {
  const db = new Database(path, { strict: true, create: true })
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  db.run('PRAGMA journal_mode = WAL')
  // A commit is answered only when it is on disk.
  db.run('PRAGMA synchronous = FULL')
  // Savepoints then cost no file.
  db.run('PRAGMA temp_store = MEMORY')
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA cache_size = -32768')
  db.run('PRAGMA journal_size_limit = 67108864')
  return db
}

export function openForReading(path: string): Database {
  const db = new Database(path, { strict: true, readonly: true })
  db.run('PRAGMA busy_timeout = 1000')
  db.run('PRAGMA query_only = ON')
  db.run('PRAGMA mmap_size = 1073741824')
  db.run('PRAGMA cache_size = -8192')
  return db
}

/** Brings an older file up to date, in one transaction. */
export function upgradeDatabase(path: string): void {
  withDatabase(path, (db) => db.transaction(() => migrate(db)).immediate())
}

/**
 * Makes a new file whole before it gets its name, so that whatever cuts us off, nothing half-made bears it. A file that
 * has got that name meanwhile is somebody's store and stays.
 */
export function createDatabase(path: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.new`
  try {
    fillDatabase(draft)
    linkSync(draft, path)
    syncFolder(dirname(path))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    for (const rest of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`]) rmSync(rest, { force: true })
  }
}

function fillDatabase(draft: string): void {
  withDatabase(draft, (db) => {
    // A third smaller than with 4096, since most records then need no overflow page. Only a new file takes it.
    db.run('PRAGMA page_size = 8192')
    db.run('PRAGMA journal_mode = WAL')
    db.transaction(() => migrate(db)).immediate()
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  })
}

function withDatabase(path: string, use: (db: Database) => void): void {
  const db = new Database(path, { strict: true, create: true })
  try {
    db.run('PRAGMA busy_timeout = 10000')
    db.run('PRAGMA synchronous = FULL')
    use(db)
  } finally {
    db.close()
  }
}

/** A name is on disk only when its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function migrate(db: Database): void {
  const row = db.query<{ user_version: number }, []>('PRAGMA user_version').get()
  const done = row?.user_version ?? 0
  if (done === migrations.length) return
  for (const sql of migrations.slice(done)) db.run(sql)
  db.run(`PRAGMA application_id = ${applicationId}`)
  db.run(`PRAGMA user_version = ${migrations.length}`)
}
