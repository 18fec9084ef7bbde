import { write } from 'node:fs'

export type LogFields = { readonly [name: string]: string | number | boolean | null | readonly string[] | undefined }

/** Every event of the log. Operators match on these words, so they never change; docs/glossary.md explains each. */
export const logEvents = [
  'upgraded',
  'serving',
  'store restored',
  'unknown variable',
  'no base URL',
  'unsafe database',
  'slow database',
  'stopping',
  'stopped',
  'request',
  'slow request',
  'write',
  'write failed',
  'token refused',
  'sign-in refused',
  'too many wrong tokens',
  'too many writes',
  'internal error',
  'uncaught error',
  'store error',
  'store unreachable',
  'store back',
  'primary changed',
  'newer schema',
  'primary unconfirmed',
  'primary confirmed',
  'change feed error',
  'file descriptors low',
  'thread error',
  'thread died',
  'thread hung',
  'hung thread ended',
  'thread did not stop',
  'restart limit reached',
  'backup made',
  'backup failed',
  'backup command failed',
  'hangup ignored',
  'waiting for the store',
  'store found',
] as const
export type LogEvent = (typeof logEvents)[number]

export interface Logger {
  info(event: LogEvent, fields?: LogFields): void
  warn(event: LogEvent, fields?: LogFields): void
  error(event: LogEvent, fields?: LogFields): void
  /** Resolves when all lines so far are written, or after a second if standard error is not read. */
  flush(): Promise<void>
}

/** Buffer for a reader of standard error that does not keep up; lines beyond it are counted and dropped. */
const maxWaitingBytes = 1 << 20
const flushMs = 1_000
/** Lines are written in batches: each write wakes threads of the runtime, which delays requests. */
const gatherMs = 50

/**
 * Writes one JSON object per line to standard error. Callers pass names, numbers and paths; never headers, keys or
 * queries.
 */
export function createLogger(now: () => number): Logger {
  let waiting = ''
  let dropped = 0
  let isWriting = false
  let isGathering = false

  function say(level: string, event: LogEvent, fields: LogFields = {}): void {
    if (waiting.length > maxWaitingBytes) {
      dropped++
      return
    }
    const lost = dropped === 0 ? {} : { droppedLines: dropped }
    dropped = 0
    waiting += `${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields, ...lost })}\n`
    // The process may end after an error, so the line is written immediately.
    if (level !== 'info') return writeOn()
    if (isGathering) return
    isGathering = true
    setTimeout(writeGathered, gatherMs)
  }

  function writeGathered(): void {
    isGathering = false
    writeOn()
  }

  /** Asynchronous, since a pipe that is not read must not block the service. */
  function writeOn(): void {
    if (isWriting || waiting === '') return
    const bytes = Buffer.from(waiting)
    waiting = ''
    isWriting = true
    write(2, bytes, (error, written) => {
      isWriting = false
      // After an error standard error is closed, and there is nowhere else to report it.
      if (error === null && written < bytes.length) waiting = bytes.toString('utf8', written) + waiting
      writeOn()
    })
  }

  return {
    info: (event, fields) => say('info', event, fields),
    warn: (event, fields) => say('warn', event, fields),
    error: (event, fields) => say('error', event, fields),
    async flush() {
      writeOn()
      const until = performance.now() + flushMs
      while ((isWriting || waiting !== '') && performance.now() < until) await Bun.sleep(5)
    },
  }
}

export function toLogText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export type RefusalEvent = 'token refused' | 'sign-in refused' | 'too many wrong tokens' | 'too many writes'

/** Counts a refusal for the log. `by` is the owner of the token, if it is known. */
export type RefusalLog = (event: RefusalEvent, address: string, by?: string) => void

/** Bounds the memory and the lines that a flood costs; refusals of further addresses are counted together. */
const maxLines = 100
const everyMs = 1_000

/** Logs refusals once a second, with their number: one line for each event, address and owner. */
export function createRefusalLog(log: Pick<Logger, 'warn'>, count: (event: RefusalEvent) => void): RefusalLog {
  const lines = new Map<string, { event: RefusalEvent; address: string; by?: string | undefined; count: number }>()

  function writeLines(): void {
    for (const { event, ...fields } of lines.values()) log.warn(event, fields)
    lines.clear()
  }

  return (event, address, by) => {
    count(event)
    if (lines.size === 0) setTimeout(writeLines, everyMs)
    const own = JSON.stringify([event, address, by])
    const hasOwn = lines.has(own) || lines.size < maxLines
    const key = hasOwn ? own : event
    const line = lines.get(key) ?? { event, ...(hasOwn ? { address, by } : { address: 'others' }), count: 0 }
    line.count++
    lines.set(key, line)
  }
}
