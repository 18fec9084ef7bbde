import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { prepareDatabase } from '../store/sqlite/connection.ts'
import { inspectDatabase } from '../store/sqlite/inspect.ts'
import { takeServeLock } from '../store/sqlite/lock.ts'
import { CommandFailure, exitCodes } from './failure.ts'

/** Judges the file first and touches it only when it is ours or new. */
export function checkStore(path: string): 'new' | 'ours' {
  const inspection = attempt(path, () => inspectDatabase(path))
  if (inspection.is === 'refused') throw new CommandFailure(exitCodes.badData, inspection.problem)
  return inspection.is
}

export function openStore(path: string): void {
  checkStore(path)
  attempt(path, () => prepareDatabase(path))
}

/** For the serving process: with the lock that keeps a second one away. */
export function openStoreForServing(path: string): { release(): void } {
  checkStore(path)
  const lock = attempt(path, () => {
    if (!existsSync(dirname(path))) mkdirSync(dirname(path))
    return takeServeLock(path)
  })
  if (lock === null) {
    const problem = `${path} is being served by another Rostrum process. Stop that one, or name another file with --db.`
    throw new CommandFailure(exitCodes.unavailable, problem)
  }
  attempt(path, () => prepareDatabase(path))
  return lock
}

/** The file system's and SQLite's errors are told by code. */
function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = reasons[code]
    if (reason === undefined) throw error
    throw new CommandFailure(exitCodes.cannotCreate, `Cannot open the database ${path}: ${reason}`)
  }
}

const cannotWrite =
  'its folder or the file cannot be written to. Give this user the right to, or name another with --db.'
const reasons: { readonly [code: string]: string | undefined } = {
  EACCES: cannotWrite,
  EPERM: cannotWrite,
  EROFS: cannotWrite,
  ENOENT: cannotWrite,
  ENOTDIR: 'a part of the path is not a folder. Name another with --db.',
  SQLITE_CANTOPEN: cannotWrite,
  SQLITE_READONLY: cannotWrite,
  SQLITE_READONLY_DIRECTORY: cannotWrite,
  SQLITE_READONLY_DBMOVED: cannotWrite,
  SQLITE_PERM: cannotWrite,
  SQLITE_IOERR_WRITE: cannotWrite,
  ENOSPC: 'the disk is full. Make room, then try again.',
  SQLITE_FULL: 'the disk is full. Make room, then try again.',
  SQLITE_BUSY: 'another process holds it. Try again when that has ended.',
}
