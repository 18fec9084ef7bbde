import { longestConference } from '../../record/quality/event-days.ts'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `2023-06-14` -> `14 June 2023`: the one format of days for viewers. */
export function toLongDay(day: string): string {
  const [year, month, date] = toParts(day)
  return `${date} ${month} ${year}`
}

/** `2023-06-14` -> `14 Jun 2023`, for the tables of curators. */
export function toShortDay(day: string): string {
  const [year, month, date] = toParts(day)
  return `${date} ${month.slice(0, 3)} ${year}`
}

/** Inside a page that says the year: `2023-06-14` -> `14 June`. */
export function toDayOfYear(day: string): string {
  const [, month, date] = toParts(day)
  return `${date} ${month}`
}

/** `2023-06-14T13:05:09.000` -> `14 Jun 2023, 13:05 UTC`. */
export function toMoment(timestamp: string): string {
  return `${toShortDay(timestamp.slice(0, 10))}, ${timestamp.slice(11, 16)} UTC`
}

/** Of longer events, such as meetups, months say enough. */
const msPerLongest = longestConference * 86_400_000

/** The days of an event, without what both have in common: `14–16 June 2023`; empty if they are unknown. */
export function toDays(first: string | null, last: string | null): string {
  if (first === null) return last === null ? '' : toLongDay(last)
  if (last === null || last <= first) return toLongDay(first)
  const [[year, month, date], [lastYear, lastMonth]] = [toParts(first), toParts(last)]
  if (Date.parse(last) - Date.parse(first) > msPerLongest) {
    return year === lastYear ? `${month} – ${lastMonth} ${year}` : `${month} ${year} – ${lastMonth} ${lastYear}`
  }
  if (year !== lastYear) return `${toLongDay(first)} – ${toLongDay(last)}`
  return month === lastMonth ? `${date}–${toLongDay(last)}` : `${date} ${month} – ${toLongDay(last)}`
}

/** Year, name of the month and day of the month. */
function toParts(day: string): readonly [string, string, string] {
  const [year = '', month = '', date = ''] = day.split('-')
  return [year, months[Number(month) - 1] ?? month, String(Number(date))]
}

/** As a person says it: `2347` -> `39 min`. */
export function toLength(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${minutes} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** For machines: `2347` -> `PT39M7S`. */
export function toIsoDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `PT${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${rest}S`
}

/** `412630117` -> `413 MB`. */
export function toSize(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}
