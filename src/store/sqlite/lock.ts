import { dlopen } from 'bun:ffi'
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { toErrorCode } from '../../error-code.ts'

export interface ServeLock {
  /** Holds the file itself, too, once it is there; false where somebody else does, by another name of it. */
  holdFile(): boolean
  release(): void
}

/**
 * One serving process per file. The lock is the operating system's, held by SQLite on a file beside the database: it
 * ends with the process, however that ends, and works wherever SQLite's own locks work. The database itself is locked
 * as well, since a file may have several names and each of them another file beside it.
 */
export function takeServeLock(path: string): ServeLock | null {
  const lock = new Database(toLockPath(path), { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('PRAGMA journal_mode = MEMORY')
    // So that a commit does not give it up.
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
      // From now on the lock tells that there was a store.
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

/** Whether a store was served under this name, whatever has become of it. A start that was cut off leaves an empty lock. */
export function wasServed(path: string): boolean {
  return existsSync(toLockPath(path)) && statSync(toLockPath(path)).size > 0
}

export interface FileLock {
  release(): void
}

const [exclusive, withoutWaiting] = [2, 4]

/** Locks a file whatever it is called; null where it is locked. Not SQLite's own locks, which other commands share. */
export function lockFile(path: string): FileLock | null {
  const flock = findFlock()
  const handle = openSync(path, 'r')
  if (flock === null || flock(handle, exclusive | withoutWaiting) === 0) return { release: () => closeSync(handle) }
  closeSync(handle)
  return null
}

const library = 'libc.so.6'

/**
 * Null anywhere but on Linux: then the lock beside the file is all there is. On other systems this lock may meet those
 * that SQLite itself takes on the file.
 */
function findFlock(): ((handle: number, operation: number) => number) | null {
  if (process.platform !== 'linux') return null
  try {
    const { symbols } = dlopen(library, { flock: { args: ['i32', 'i32'], returns: 'i32' } })
    return symbols.flock
  } catch {
    return null
  }
}
