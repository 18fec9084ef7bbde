import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Logger } from '../http/logger.ts'

export interface FileDescriptors {
  /** Whether so few are left that connections have to go. */
  isShort(): boolean
  /** Looks again; to be called a few times a second. */
  look(): void
}

const shortFrom = 0.9
const logEveryMs = 60_000
const limitsFile = '/proc/self/limits'

/**
 * Watches how many file descriptors the process has left. Without any, Bun goes on trying to accept in a loop, and
 * nobody new is served until some connection has been silent for half a minute (ADR 35).
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

/** Nothing to run out of where the kernel does not say. */
function readLimit(): number {
  const limits = existsSync(limitsFile) ? readFileSync(limitsFile, 'latin1') : ''
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** A new one gets the lowest number that is free, so at least so many are in use. */
function countOpen(limit: number): number {
  try {
    const lowest = openSync('/', 'r')
    closeSync(lowest)
    return lowest
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) return limit
    throw error
  }
}
