import { dlopen } from 'bun:ffi'
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { toErrorCode } from '../../error-code.ts'

export interface ServeLock {
  /** Locks the file itself, too, once it exists; false where another process has, by another name of the file. */
  holdFile(): boolean
  release(): void
}

/**
 * One serving process per file (ADR 30). SQLite holds a lock of the operating system on a file beside the database. It
 * ends with the process, and works wherever SQLite's own locks work. The database itself is locked as well, since a file
 * may have several names, each with its own lock file.
 */
export function takeServeLock(path: string): ServeLock | null {
  const lock = new Database(toLockPath(path), { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('PRAGMA journal_mode = MEMORY')
    // A commit then keeps the lock.
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (toErrorCode(error) === 'SQLITE_BUSY') return null
    throw error
  }
  let held: FileLock | null = null
  return {
    holdFile() {
      held ??= lockFile(path)
      // From now on the lock file says that there was a store.
      lock.run('PRAGMA user_version = 1')
      lock.run('COMMIT')
      lock.run('BEGIN EXCLUSIVE')
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

export interface FileLock {
  release(): void
}

const [exclusive, withoutWaiting] = [2, 4]

/** Locks a file under all its names; null where it is locked. Not with SQLite's locks, which other commands share. */
export function lockFile(path: string): FileLock | null {
  const flock = findFlock()
  const handle = openSync(path, 'r')
  if (flock === null || flock(handle, exclusive | withoutWaiting) === 0) return { release: () => closeSync(handle) }
  closeSync(handle)
  return null
}

const library = 'libc.so.6'

/** Null except on Linux: elsewhere flock may conflict with SQLite's own locks, so the lock beside the file is all there is. */
function findFlock(): ((handle: number, operation: number) => number) | null {
  if (process.platform !== 'linux') return null
  try {
    const { symbols } = dlopen(library, { flock: { args: ['i32', 'i32'], returns: 'i32' } })
    return symbols.flock
  } catch {
    return null
  }
}
