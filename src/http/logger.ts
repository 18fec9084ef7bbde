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
  'links checked',
  'link check failed',
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

interface RefusalLogDeps {
  readonly log: Pick<Logger, 'warn'>
  count(event: RefusalEvent): void
  /** Whether to log the addresses of clients. */
  readonly hasAddress: boolean
  readonly everyMs?: number
}

/** Logs the first refusal of an event, address and owner at once, then the number of further ones once a minute. */
export function createRefusalLog({ log, count, hasAddress, everyMs = 60_000 }: RefusalLogDeps): RefusalLog {
  const further = new Map<string, { event: RefusalEvent; fields: LogFields; count: number }>()

  function writeFurther(): void {
    for (const [key, line] of further) {
      if (line.count === 0) further.delete(key)
      else log.warn(line.event, { ...line.fields, count: line.count })
      line.count = 0
    }
    if (further.size > 0) setTimeout(writeFurther, everyMs).unref()
  }

  return (event, client, by) => {
    count(event)
    const address = hasAddress ? client : undefined
    const own = JSON.stringify([event, address, by])
    const hasOwn = further.has(own) || further.size < maxLines
    const key = hasOwn ? own : event
    const line = further.get(key)
    if (line !== undefined) return void line.count++
    const fields = hasOwn ? { address, by } : { address: 'others' }
    log.warn(event, { ...fields, count: 1 })
    if (further.size === 0) setTimeout(writeFurther, everyMs).unref()
    further.set(key, { event, fields, count: 0 })
  }
}
