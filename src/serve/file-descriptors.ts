import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { toErrorCode } from '../error-code.ts'
import type { Logger } from '../http/logger.ts'

export interface FileDescriptors {
  /** Whether few are left, so that idle connections must be closed. */
  isShort(): boolean
  /** Counts again; to be called a few times a second. */
  look(): void
}

const shortFrom = 0.9
const logEveryMs = 60_000
const limitsFile = '/proc/self/limits'

/**
 * Watches how many file descriptors the process has left. When there are none, Bun retries `accept` in a loop, and no
 * new client is served until some connection reaches the idle timeout of half a minute (decision 35).
 */
export function createFileDescriptors(log: Pick<Logger, 'warn'> | null, limit = readLimit()): FileDescriptors {
  let isShort = false
  let loggedMs = Number.NEGATIVE_INFINITY

  function look(): void {
    const open = countOpen(limit)
    isShort = open >= limit * shortFrom
    if (!isShort || performance.now() - loggedMs < logEveryMs) return
    loggedMs = performance.now()
    log?.warn('file descriptors low', { open, limit })
  }

  return { isShort: () => isShort, look }
}

/** Infinite on systems without /proc. */
function readLimit(): number {
  const limits = existsSync(limitsFile) ? readFileSync(limitsFile, 'latin1') : ''
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** A new file descriptor gets the lowest free number, so at least that many are open. */
function countOpen(limit: number): number {
  try {
    const lowest = openSync('/', 'r')
    closeSync(lowest)
    return lowest
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes(toErrorCode(error))) return limit
    throw error
  }
}
