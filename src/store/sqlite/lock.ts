import { dlopen } from 'bun:ffi'
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { toErrorCode } from '../../error-code.ts'
import { giveToFolderOwner, takeOver } from './atomic-file.ts'

export interface ServeLock {
  /** Also locks the file itself once it exists; false if another process has locked it under another name. */
  holdFile(): boolean
  release(): void
}

/**
 * One serving process per file (decision 30). SQLite locks a file beside the database through the operating system. The lock
 * ends with the process, and works wherever SQLite works. The database itself is locked as well, because a file may
 * have several names, each with its own lock file.
 */
export function takeServeLock(path: string): ServeLock | null {
  const lock = new Database(toLockPath(path), { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('PRAGMA journal_mode = MEMORY')
    // Keeps the lock across commits.
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
    if (!existsSync(path)) giveToFolderOwner(toLockPath(path))
  } catch (error) {
    lock.close()
    if (toErrorCode(error) === 'SQLITE_BUSY') return null
    throw error
  }
  let held: FileLock | null = null
  return {
    holdFile() {
      held ??= lockFile(path)
      // Marks the lock file: a store was served here.
      lock.run('PRAGMA user_version = 1')
      lock.run('COMMIT')
      lock.run('BEGIN EXCLUSIVE')
      // A command that root runs must not lock out the user of the service.
      takeOver(toLockPath(path), statSync(path))
      return held !== null
    },
    release() {
      held?.release()
      lock.close()
    },
  }
}

const toLockPath = (path: string) => `${path}.lock`

/** Whether a store has ever been served at this path. A start that was interrupted leaves an empty lock file. */
export function wasServed(path: string): boolean {
  return existsSync(toLockPath(path)) && statSync(toLockPath(path)).size > 0
}

interface FileLock {
  release(): void
}

const [exclusive, withoutWaiting] = [2, 4]

/**
 * Locks a file under all its names; null if it is locked already. With flock, not with SQLite's locks, which other
 * commands share.
 */
export function lockFile(path: string): FileLock | null {
  const flock = findFlock()
  const handle = openSync(path, 'r')
  if (flock === null || flock(handle, exclusive | withoutWaiting) === 0) return { release: () => closeSync(handle) }
  closeSync(handle)
  return null
}

const library = 'libc.so.6'

/** Null except on Linux: elsewhere flock may conflict with SQLite's own locks, and only the lock file is used. */
function findFlock(): ((handle: number, operation: number) => number) | null {
  if (process.platform !== 'linux') return null
  try {
    const { symbols } = dlopen(library, { flock: { args: ['i32', 'i32'], returns: 'i32' } })
    return symbols.flock
  } catch {
    return null
  }
}
