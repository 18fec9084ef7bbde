import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import type { CheckedStore } from './checked-store.ts'
import type { Database } from './database.ts'
import { attempt } from './explain-failure.ts'
import { isPostgresAddress } from './postgres/address.ts'
import type * as OpenPostgres from './postgres/open.ts'
import { createFolderDurably } from './sqlite/atomic-file.ts'
import { closeAfter, createDatabase, openForWriting, upgradeDatabase } from './sqlite/connection.ts'
import { hasHardLinks } from './sqlite/hard-links.ts'
import { inspectDatabase } from './sqlite/inspect.ts'
import { type ServeLock, takeServeLock } from './sqlite/lock.ts'

/** Judges the file first and touches it only when it is ours or new. */
export function checkStore(given: string): CheckedStore {
  if (isPostgresAddress(given)) return loadPostgres().checkPostgres(given)
  const path = attemptOn(given, () => toRealPath(given))
  const inspection = attemptOn(path, () => inspectDatabase(path))
  const shown = path === given ? path : `${given} (that is ${path})`
  if (attemptOn(path, () => hasHardLinks(path))) throw new CommandFailure(exitCodes.badData, toLinkedText(shown))
  if (inspection.is !== 'refused') return { path, shown, isNew: inspection.is === 'new' }
  // What looks like damage may be a file in the middle of its first start.
  if (isServed(path)) throw new CommandFailure(exitCodes.unavailable, toServedText(shown))
  throw new CommandFailure(exitCodes.badData, inspection.problem)
}

/** For one command; works on a store that is being served. Only some commands make a new one. */
export function withStore<T>(given: string, mayCreate: boolean, use: (db: OpenStore) => T): T {
  const { path, db } = openStore(given, mayCreate)
  return attemptOn(path, () => closeAfter(db, use))
}

/** The same for work that takes its time. */
export async function withStoreFor<T>(
  given: string,
  mayCreate: boolean,
  use: (db: OpenStore) => Promise<T>,
): Promise<T> {
  const { path, db } = openStore(given, mayCreate)
  try {
    return await attemptFor(path, () => use(db))
  } finally {
    db.close()
  }
}

export type OpenStore = Database

function openStore(given: string, mayCreate: boolean): { readonly path: string; readonly db: OpenStore } {
  const { path, isNew } = mayCreate ? checkStore(given) : findStore(given)
  return attemptOn(path, () => {
    prepareStore(path, isNew)
    return { path, db: openDatabase(path) }
  })
}

/** A connection that writes, to a store that has been prepared. */
export function openDatabase(path: string): Database {
  return isPostgresAddress(path) ? loadPostgres().openPostgres(path) : openForWriting(path, 10_000)
}

/** A store that must be there already. */
export function findStore(given: string): CheckedStore {
  const store = checkStore(given)
  if (!store.isNew) return store
  throw new CommandFailure(exitCodes.noInput, `There is no database at ${store.shown}; name the right one with --db.`)
}

/** Whether there is anything to look at, before it is judged. */
export function hasStore(given: string): boolean {
  return isPostgresAddress(given) ? !loadPostgres().checkPostgres(given).isNew : existsSync(given)
}

/** For the serving process: with the lock that keeps a second one away. */
export function openStoreForServing({ path, shown }: CheckedStore): { release(): void } {
  if (isPostgresAddress(path)) {
    loadPostgres().preparePostgres(path)
    // Any number of nodes may serve it.
    return { release: () => undefined }
  }
  const lock = lockStore(path, shown)
  // Judged under the lock: nobody else can be making it now.
  const inspection = attemptOn(path, () => inspectDatabase(path))
  if (inspection.is === 'refused') throw new CommandFailure(exitCodes.badData, inspection.problem)
  attemptOn(path, () => prepareStore(path, inspection.is === 'new'))
  if (!attemptOn(path, lock.holdFile)) throw new CommandFailure(exitCodes.unavailable, toServedText(shown))
  return lock
}

/** Keeps serving processes away, or finds that there is one. */
export function lockStore(path: string, shown: string): ServeLock {
  const lock = attemptOn(path, () => {
    makeFolder(path)
    return takeServeLock(path)
  })
  // Also by another name of the file; a new store has no file yet.
  const isFree = lock !== null && (!existsSync(path) || attemptOn(path, lock.holdFile))
  if (!isFree) throw new CommandFailure(exitCodes.unavailable, toServedText(shown))
  return lock
}

/** Makes a new store, or brings one up to date. */
export function prepareStore(path: string, isNew: boolean): void {
  if (isPostgresAddress(path)) return loadPostgres().preparePostgres(path)
  makeFolder(path)
  if (isNew) createDatabase(path)
  else upgradeDatabase(path)
}

/** One level is made for the caller; a longer missing path is more likely a slip. */
function makeFolder(path: string): void {
  const outer = dirname(dirname(path))
  if (existsSync(outer)) return createFolderDurably(dirname(path))
  throw new CommandFailure(exitCodes.cannotCreate, `The folder ${dirname(path)} does not exist; create it first.`)
}

/** Where a path leads, behind all links. */
export function toRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
}

function isServed(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false
  const lock = attemptOn(path, () => takeServeLock(path))
  lock?.release()
  return lock === null
}

const toLinkedText = (shown: string) =>
  `${shown} has more than one name (hard links). SQLite would keep a log for each of them, and changes would be lost. ` +
  'Remove the other names, or make this one a copy of its own: cp it to another name, then name that with --db.'

const toServedText = (shown: string) =>
  `${shown} is being served by another Rostrum process. Stop that one, or name another file with --db.`

async function attemptFor<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    return attemptOn(path, () => {
      throw error
    })
  }
}

export function attemptOn<T>(path: string, action: () => T): T {
  if (isPostgresAddress(path)) return loadPostgres().attemptPostgres(path, action)
  return attempt(`use the database ${path}`, action)
}

/** What only PostgreSQL needs; a command on a file would wait 10 ms for it. */
function loadPostgres(): typeof OpenPostgres {
  return require('./postgres/open.ts')
}
