import type { Database as RawDatabase } from 'bun:sqlite'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandFailure, exitCodes } from '../../command-failure.ts'
import type { Database } from '../database.ts'
import type { Engine, Inspected, Prepared, Purpose, Upgraded } from '../engine.ts'
import { explainFailure, explainFile } from '../explain-failure.ts'
import { createFindMatches } from '../read/list/list-rows.ts'
import { sqliteMigrations } from '../schema/migrations.ts'
import { createFolderDurably, hasEnded, removeTemporaryFiles } from './atomic-file.ts'
import { checkWhole } from './check.ts'
import { closeAfter, createDatabase, openBeside, openForWriting, upgradeDatabase } from './connection.ts'
import { keepCopy } from './copy.ts'
import { createSqliteDatabase } from './database.ts'
import { findWrongKind, hasHardLinks, inspectDatabase } from './inspect.ts'
import { listSql } from './list.ts'
import { type ServeLock, takeServeLock } from './lock.ts'
import { wipe } from './purge.ts'
import { readStoreId, writeStoreId } from './store-id.ts'

const busyTimeoutMs = 10_000
/** An import changes all indexes; pages that do not fit into the cache would be read and written again. */
const importCacheKilobytes = 128 * 1024

export function createSqliteEngine(given: string): Engine {
  const path = explainFailure(explainFile(`use the database ${given}`), () => toRealPath(given))
  const shown = path === given ? path : `${given} (that is ${path})`
  const explain = explainFile(`use the database ${path}`, path)
  const run = <T>(action: () => T) => explainFailure(explain, action)
  const served = () => new CommandFailure(exitCodes.unavailable, toServedText(shown))

  async function inspect(): Promise<Inspected> {
    const inspection = run(() => inspectDatabase(path))
    if (run(() => hasHardLinks(path))) throw new CommandFailure(exitCodes.badData, toLinkedText(shown))
    if (inspection.is === 'new') return { isNew: true, schema: 0 }
    if (inspection.is === 'ours') return { isNew: false, schema: inspection.schema }
    // A file that another server is just creating may look damaged.
    throw run(() => isServed(path)) ? served() : new CommandFailure(exitCodes.badData, inspection.problem)
  }

  async function create(): Promise<void> {
    createFolder(path)
    await createDatabase(path)
  }

  async function upgrade(from: number, keepsCopy: boolean): Promise<Upgraded | null> {
    const to = sqliteMigrations.length
    if (from === to) return null
    const startMs = performance.now()
    const copy = keepsCopy ? await keepCopy(path, from) : null
    await upgradeDatabase(path)
    return { from, to, ms: Math.round(performance.now() - startMs), copy }
  }

  function lock(): ServeLock {
    // Before anything is created beside it, and before a pipe is opened, which may block.
    const wrongKind = run(() => findWrongKind(path))
    if (wrongKind !== null) throw new CommandFailure(exitCodes.badData, wrongKind)
    const taken = run(() => {
      createFolder(path)
      return takeServeLock(path)
    })
    // The file is locked too, because it may have several names. A new store has no file yet.
    const isFree = taken !== null && (!existsSync(path) || run(taken.holdFile))
    if (!isFree) throw served()
    return taken
  }

  async function prepare(keepsCopy: boolean): Promise<Prepared> {
    const taken = lock()
    // Under the lock, so that no other process is creating it.
    const inspection = run(() => inspectDatabase(path))
    if (inspection.is === 'refused') throw new CommandFailure(exitCodes.badData, inspection.problem)
    const upgraded = await run(() => (inspection.is === 'new' ? create() : upgrade(inspection.schema, keepsCopy)))
    if (!run(taken.holdFile)) throw served()
    // Left by a `restore` or `upgrade` that was killed; a running one would hold the lock.
    run(() => removeTemporaryFiles(path, hasEnded))
    return { lock: taken, upgraded: upgraded ?? null }
  }

  return {
    kind: 'sqlite',
    path,
    shown,
    backupTools: null,
    mayBeMistyped: true,
    explain,
    inspect,
    create,
    prepare,
    findRisks: async () => [],
    lock,
    exists: async () => existsSync(path),
    open: (purpose) => createSqliteDatabase(openFor(path, purpose)),
    createFindMatches: (db) => createFindMatches(db, listSql),
    schema: sqliteMigrations.length,
    readStoreId,
    writeStoreId,
    // `rostrum restore` writes a new id itself, and a copied file cannot be recognised.
    noticeRestore: async () => false,
    clearDerived,
    loadInBulk: (_db, work) => work(),
    async *check(listener) {
      const db = openBeside(path)
      try {
        yield* checkWhole(db, listener)
      } finally {
        db.close()
      }
    },
    wipeErased: async () => closeAfter(openForWriting(path, busyTimeoutMs), wipe),
  }
}

function openFor(path: string, purpose: Purpose): RawDatabase {
  if (purpose === 'read') {
    const db = openBeside(path)
    db.run('PRAGMA query_only = ON')
    return db
  }
  const db = openForWriting(path, busyTimeoutMs)
  if (purpose === 'import') db.run(`PRAGMA cache_size = -${importCacheKilobytes}`)
  return db
}

/** Creates one missing folder. A longer missing path is more likely a typing error. */
function createFolder(path: string): void {
  const folder = dirname(path)
  if (existsSync(dirname(folder))) return createFolderDurably(folder)
  throw new CommandFailure(exitCodes.cannotCreate, `The folder ${folder} does not exist. Create it first.`)
}

/** Resolves all symbolic links. */
export function toRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
}

function isServed(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false
  const lock = takeServeLock(path)
  lock?.release()
  return lock === null
}

const toLinkedText = (shown: string) =>
  `${shown} has more than one name (hard links). SQLite would keep a log for each name, and changes would be lost. ` +
  'Remove the other names; or copy the file with cp, and name the copy with --db.'

const toServedText = (shown: string) =>
  `${shown} is being served by another Rostrum process. Stop that process, or name another file with --db.`

/** Deletes all derived data except names. */
async function clearDerived(db: Database): Promise<void> {
  const tables = ['listing', 'record_speaker', 'record_tag', 'moment_due', 'moment_transcript', 'moment_posting']
  for (const table of tables) await db.script(`DELETE FROM ${table}`)
  for (const index of ['search', 'speaker_piece', 'tag_piece']) {
    await db.script(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
  }
}
