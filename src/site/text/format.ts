/** Creates a formatter at its first use: the first one of a thread takes 20 ms, which would delay every start. */
function lazily<Format>(create: () => Format): () => Format {
  let format: Format | null = null
  return () => {
    format ??= create()
    return format
  }
}

const toDayFormat = (month: 'long' | 'short') =>
  lazily(() => new Intl.DateTimeFormat('en', { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }))
const [longDays, shortDays] = [toDayFormat('long'), toDayFormat('short')]

/** `2023-06-14` -> `June 14, 2023`. */
export function toLongDay(day: string): string {
  return longDays().format(toDate(day))
}

/** `2023-06-14` -> `Jun 14, 2023`. */
export function toShortDay(day: string): string {
  return shortDays().format(toDate(day))
}

/** `2023-06-14T13:05:09.000` -> `Jun 14, 2023, 13:05 UTC`. */
export function toMoment(timestamp: string): string {
  return `${toShortDay(timestamp.slice(0, 10))}, ${timestamp.slice(11, 16)} UTC`
}

function toDate(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** As on a player: `2347` -> `39:07`. */
export function toClock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
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

/** The days of an event: `June 14–16, 2023`; empty if they are unknown. */
export function toDays(first: string | null, last: string | null): string {
  if (first === null) return ''
  return last === null || last <= first ? toLongDay(first) : longDays().formatRange(toDate(first), toDate(last))
}
