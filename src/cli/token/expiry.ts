import { isDay, type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'

/** When a token expires; null is never. */
export type ParsedExpiry =
  | { readonly ok: true; readonly expires: Timestamp | null }
  | { readonly ok: false; readonly problem: string }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const unitMs: { readonly [unit: string]: number } = { h: hourMs, d: dayMs, w: 7 * dayMs }
/** Beyond this, somebody has mistyped. */
const maxMs = 100 * 365 * dayMs

const expected = '--expires must be a time from now, such as 12h, 90d or 2w, a day or time in UTC, such as'

/** `12h`, `90d`, `2w`, a day (which is included), a time in UTC, or `never`. */
export function parseExpiry(text: string, nowMs: number): ParsedExpiry {
  if (text === 'never') return { ok: true, expires: null }
  const ms = parseDuration(text, nowMs) ?? parseMoment(text)
  if (ms === null) return refuse(`${expected} ${toTimestamp(nowMs + 90 * dayMs).slice(0, 10)}, or never.`)
  if (ms <= nowMs) return refuse(`--expires ${text} is in the past. It is now ${toTimestamp(nowMs).slice(0, 19)} UTC.`)
  if (ms > nowMs + maxMs) return refuse('--expires may be at most 100 years ahead. For a token without end: never.')
  return { ok: true, expires: toTimestamp(ms) }
}

function parseDuration(text: string, nowMs: number): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,9})([hdw])$/.exec(text) ?? []
  return digits === '' ? null : nowMs + Number(digits) * (unitMs[unit] ?? 0)
}

/** A day ends with its last moment. */
function parseMoment(text: string): number | null {
  if (isDay(text)) return toMs(`${text}T00:00:00.000`) + dayMs
  const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)Z?$/.exec(text) ?? []
  const ms = Date.parse(`${day}T${time}Z`)
  return isDay(day) && !Number.isNaN(ms) ? ms : null
}

const refuse = (problem: string): ParsedExpiry => ({ ok: false, problem })
