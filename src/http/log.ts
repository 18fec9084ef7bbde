import { writeSync } from 'node:fs'

export type LogFields = { readonly [name: string]: string | number | boolean | null | readonly string[] | undefined }

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** One JSON object a line on standard error. Callers pass names, numbers and paths; never headers, keys or queries. */
export function createLog(now: () => number): Log {
  const write = (level: string, event: string, fields: LogFields = {}) => {
    const line = `${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`
    try {
      writeSync(2, line)
    } catch {
      // Nobody reads standard error any more, and there is nowhere else to say so.
    }
  }
  return {
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
  }
}

export function toErrorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
