import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readDb, readEnvironment } from '../config.ts'
import { createDatabase, openForWriting, upgradeDatabase } from '../store/sqlite/connection.ts'
import { inspectDatabase } from '../store/sqlite/inspect.ts'
import { takeServeLock } from '../store/sqlite/lock.ts'
import { CommandFailure, exitCodes } from './failure.ts'

export interface CheckedStore {
  /** The real one, behind all links. */
  readonly path: string
  /** How messages call it. */
  readonly shown: string
  readonly isNew: boolean
}

/** Judges the file first and touches it only when it is ours or new. */
export function checkStore(given: string): CheckedStore {
  const path = attempt(given, () => toRealPath(given))
  const inspection = attempt(path, () => inspectDatabase(path))
  const shown = path === given ? path : `${given} (that is ${path})`
  if (inspection.is !== 'refused') return { path, shown, isNew: inspection.is === 'new' }
  // What looks like damage may be a file in the middle of its first start.
  if (isServed(path)) throw new CommandFailure(exitCodes.unavailable, toServedText(shown))
  throw new CommandFailure(exitCodes.badData, inspection.problem)
}

/** Which store a command is about: --db, else the environment, else the usual place. */
export function toStorePath(flags: ReadonlyMap<string, string>): string {
  const db = readDb(flags, readEnvironment())
  if (typeof db !== 'string') throw new CommandFailure(exitCodes.config, db.expected)
  return db
}

/** For one command; works on a store that is being served. Only some commands make a new one. */
export function withStore<T>(given: string, mayCreate: boolean, use: (db: OpenStore) => T): T {
  const { path, db } = openStore(given, mayCreate)
  return attempt(path, () => {
    try {
      return use(db)
    } finally {
      db.close()
    }
  })
}

/** The same for work that takes its time. */
export async function withStoreFor<T>(
  given: string,
  mayCreate: boolean,
  use: (db: OpenStore) => Promise<T>,
): Promise<T> {
  const { path, db } = openStore(given, mayCreate)
  try {
    return await use(db)
  } catch (error) {
    return attempt(path, () => {
      throw error
    })
  } finally {
    db.close()
  }
}

export type OpenStore = ReturnType<typeof openForWriting>

function openStore(given: string, mayCreate: boolean): { readonly path: string; readonly db: OpenStore } {
  const { path, shown, isNew } = checkStore(given)
  if (isNew && !mayCreate) {
    throw new CommandFailure(exitCodes.noInput, `There is no database at ${shown}; name the right one with --db.`)
  }
  return attempt(path, () => {
    prepare(path, isNew)
    return { path, db: openForWriting(path, 10_000) }
  })
}

/** For the serving process: with the lock that keeps a second one away. */
export function openStoreForServing({ path, shown }: CheckedStore): { release(): void } {
  const lock = attempt(path, () => {
    makeFolder(path)
    return takeServeLock(path)
  })
  if (lock === null) throw new CommandFailure(exitCodes.unavailable, toServedText(shown))
  // Judged under the lock: nobody else can be making it now.
  const inspection = attempt(path, () => inspectDatabase(path))
  if (inspection.is === 'refused') throw new CommandFailure(exitCodes.badData, inspection.problem)
  attempt(path, () => prepare(path, inspection.is === 'new'))
  return lock
}

function prepare(path: string, isNew: boolean): void {
  makeFolder(path)
  if (isNew) createDatabase(path)
  else upgradeDatabase(path)
}

function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path))
}

function toRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
}

function isServed(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false
  const lock = attempt(path, () => takeServeLock(path))
  lock?.release()
  return lock === null
}

const toServedText = (shown: string) =>
  `${shown} is being served by another Rostrum process. Stop that one, or name another file with --db.`

/** The file system's and SQLite's errors are told by code. */
function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = reasons.find(([pattern]) => pattern.test(code))?.[1]
    if (error instanceof CommandFailure || reason === undefined) throw error
    throw new CommandFailure(exitCodes.cannotCreate, `Cannot use the database ${path}: ${reason}`)
  }
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'the disk is full. Make room, then try again.'],
  [/^SQLITE_BUSY/, 'another process holds it. Try again when that has ended.'],
  [/^ENOTDIR$/, 'a part of the path is not a folder. Name another with --db.'],
  [
    /^(EACCES|EPERM|EROFS|ENOENT|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/,
    'its folder or the file cannot be written to. Give this user the right to, or name another with --db.',
  ],
  [/^(EIO|SQLITE_IOERR)/, 'the disk reports an error, or is full. Look at the disk, then try again.'],
]
