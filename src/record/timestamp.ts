/** UTC, `YYYY-MM-DDThh:mm:ss.mmm`. Fixed width, so sorting as text sorts by time. */
export type Timestamp = string

export function toTimestamp(ms: number): Timestamp {
  return new Date(ms).toISOString().slice(0, 23)
}

/** For clients: times of the change log say that they are UTC, those of a record never do. */
export const toZoned = (timestamp: Timestamp) => `${timestamp}Z`

export function toMs(timestamp: Timestamp): number {
  return Date.parse(`${timestamp}Z`)
}

/** The time of a change: now, but always later than the previous change, even if the clock went back. */
export function toLater(previous: Timestamp, now: Timestamp): Timestamp {
  return now > previous ? now : toTimestamp(toMs(previous) + 1)
}

/** An existing calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

/**
 * A day, or a time in UTC with or without milliseconds and `Z`; null if it is neither. A day or a second stands for its
 * first or its last millisecond.
 */
export function parseMoment(text: string, which: 'first' | 'last'): Timestamp | null {
  const isFirst = which === 'first'
  if (isDay(text)) return `${text}${isFirst ? 'T00:00:00.000' : 'T23:59:59.999'}`
  const bare = text.replace(/Z$/, '')
  const moment = bare.includes('.') ? bare : `${bare}${isFirst ? '.000' : '.999'}`
  return isTimestamp(moment) ? moment : null
}

/** An existing time in the format of `toTimestamp`. */
export function isTimestamp(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/.test(text)) return false
  const ms = toMs(text)
  return !Number.isNaN(ms) && toTimestamp(ms) === text
}
