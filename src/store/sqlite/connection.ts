import { Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailure, exitCodes } from '../../command-failure.ts'
import { closeWhenDone } from '../database.ts'
import { upgradeDerived } from '../derive/upgrade.ts'
import { canWriteTo } from '../explain-failure.ts'
import { sqliteMigrations } from '../schema/migrations.ts'
import { createFileAtomically, giveToFolderOwner } from './atomic-file.ts'
import { createSchemaReader, createSqliteDatabase } from './database.ts'
import { applicationId, openUntouched } from './inspect.ts'

/** The connection of the writer. The busy timeout is short; the caller retries. */
export function openForWriting(path: string, busyTimeoutMs: number): Database {
  const db = new Database(path, { strict: true, create: true })
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  db.run('PRAGMA journal_mode = WAL')
  // A commit is answered only when it is on disk.
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA journal_size_limit = 67108864')
  // Savepoints need no temporary file.
  db.run('PRAGMA temp_store = MEMORY')
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA cache_size = -32768')
  // Overwrites deleted content in pages that are written anyway; erasing a record relies on it (decision 11).
  db.run('PRAGMA secure_delete = FAST')
  return db
}

/**
 * For lists. No connection maps the file into memory: touching a page of a file that was truncated would end the process
 * (decision 30), and mapping it again after each change blocks every thread that allocates memory.
 */
export function openForReading(path: string): Database {
  return openReadOnly(path, 32768)
}

/** For single records. */
export function openForReadingChanges(path: string): Database {
  return openReadOnly(path, 16384)
}

function openReadOnly(path: string, cacheKilobytes: number): Database {
  const db = new Database(path, { strict: true, readonly: true })
  db.run('PRAGMA busy_timeout = 1000')
  db.run('PRAGMA query_only = ON')
  db.run(`PRAGMA cache_size = -${cacheKilobytes}`)
  return db
}

/**
 * For commands that read beside a server. Read-write, so that the last one to close the file can checkpoint the log.
 * Where nothing can be written, SQLite needs both files of a log, or none.
 */
export function openBeside(path: string): Database {
  const hasBoth = ['-wal', '-shm'].every((end) => existsSync(`${path}${end}`))
  const db =
    hasBoth || canWriteTo(dirname(path))
      ? new Database(path, { strict: true, readwrite: true, create: false })
      : openUnchanging(path)
  db.run('PRAGMA busy_timeout = 10000')
  db.run('PRAGMA cache_size = -32768')
  return db
}

/** Reads without locks. Another process may still change the file, through another mount or as another user. */
function openUnchanging(path: string): Database {
  const before = readState(path)
  const db = openUntouched(path)
  const close = db.close.bind(db)
  db.close = (throws) => {
    close(throws)
    if (readState(path) === before) return
    throw new CommandFailure(exitCodes.unavailable, `Another process has changed ${path} meanwhile. Try again.`)
  }
  return db
}

/** Changes with the file and its log. */
function readState(path: string): string {
  const all = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return all.map((stats) => `${stats?.ino} ${stats?.size} ${stats?.mtimeNs}`).join()
}

/** Upgrades the schema of a file in one transaction. */
export async function upgradeDatabase(path: string): Promise<void> {
  await withDatabase(path, (raw) => {
    const db = createSqliteDatabase(raw)
    return db.transaction('write', async () => {
      const from = createSchemaReader(raw)()
      migrate(raw)
      await upgradeDerived(db, from)
    })
  })
}

/** Creates a new store. If another process creates one at the same path meanwhile, its file stays. */
export async function createDatabase(path: string): Promise<void> {
  await createFileAtomically(path, async (temporary) => {
    await closeWhenDone(new Database(temporary, { strict: true, create: true }), fill)
    giveToFolderOwner(temporary)
  })
}

/** The file has a temporary name until it is complete, so nothing is flushed earlier. */
async function fill(db: Database): Promise<void> {
  // A third smaller than with 4096, because most records need no overflow page. Can be set for a new file only.
  db.run('PRAGMA page_size = 8192')
  // No sidecar files, which would have to be renamed too.
  db.run('PRAGMA locking_mode = EXCLUSIVE')
  db.run('PRAGMA journal_mode = MEMORY')
  db.run('PRAGMA synchronous = OFF')
  await createSqliteDatabase(db).transaction('write', async () => migrate(db))
  db.run('PRAGMA journal_mode = WAL')
}

function withDatabase(path: string, use: (db: Database) => Promise<void>): Promise<void> {
  return closeWhenDone(new Database(path, { strict: true, create: true }), async (db) => {
    db.run('PRAGMA busy_timeout = 10000')
    db.run('PRAGMA synchronous = FULL')
    return use(db)
  })
}

/** Closes it even if `use` throws. */
export function closeAfter<T, D extends Pick<Database, 'close'>>(db: D, use: (db: D) => T): T {
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** Upgrades the schema. Call within a transaction. */
export function migrate(db: Database): void {
  const done = createSchemaReader(db)()
  if (done === sqliteMigrations.length) return
  for (const sql of sqliteMigrations.slice(done)) db.run(sql)
  db.run(`PRAGMA application_id = ${applicationId}`)
  db.run(`PRAGMA user_version = ${sqliteMigrations.length}`)
}
