import type { Logger } from './logger.ts'

export type Refusal = 'token refused' | 'sign-in refused' | 'too many wrong tokens' | 'too many writes'

/** Counts a refusal for the log. `by` is the owner of the token, if it is known. */
export type RefusalLog = (event: Refusal, address: string, by?: string) => void

/** Bounds the memory and the lines that a flood costs; refusals of further addresses are counted together. */
const maxLines = 100
const everyMs = 1_000

/** Logs refusals once a second, with their number: one line for each event, address and owner. */
export function createRefusalLog(log: Pick<Logger, 'warn'>): RefusalLog {
  const lines = new Map<string, { event: Refusal; address: string; by?: string | undefined; count: number }>()

  function writeLines(): void {
    for (const { event, ...fields } of lines.values()) log.warn(event, fields)
    lines.clear()
  }

  return (event, address, by) => {
    if (lines.size === 0) setTimeout(writeLines, everyMs)
    const own = JSON.stringify([event, address, by])
    const hasOwn = lines.has(own) || lines.size < maxLines
    const key = hasOwn ? own : event
    const line = lines.get(key) ?? { event, ...(hasOwn ? { address, by } : { address: 'others' }), count: 0 }
    line.count++
    lines.set(key, line)
  }
}
