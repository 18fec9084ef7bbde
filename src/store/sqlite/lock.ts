import { Database } from 'bun:sqlite'

/**
 * One serving process per file. The lock is the operating system's, held by SQLite on an empty file beside the
 * database: it ends with the process, however that ends, and works wherever SQLite's own locks work.
 */
export function takeServeLock(path: string): { release(): void } | null {
  const lock = new Database(`${path}.lock`, { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('PRAGMA journal_mode = MEMORY')
    lock.run('BEGIN EXCLUSIVE')
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null
    throw error
  }
}
