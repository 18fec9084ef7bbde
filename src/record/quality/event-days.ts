/** Events take at most this long: a talk that was recorded later belongs to another one. */
const maxEventDays = 14
const dayMs = 86_400_000

/** The last day on which a talk of an event that starts on this day can have been recorded. */
export function toLastDay(startDate: string): string {
  const last = Date.parse(`${startDate}T00:00:00Z`) + maxEventDays * dayMs
  return last > lastMs ? '9999-12-31' : new Date(last).toISOString().slice(0, 10)
}

const lastMs = Date.parse('9999-12-31T00:00:00Z')

/** Whether a talk was recorded before its event or too long after it. Days that are not known are inside. */
export function isOutsideEvent(recorded: string | null, startDate: string | null): boolean {
  if (recorded === null || startDate === null) return false
  return recorded < startDate || recorded > toLastDay(startDate)
}
