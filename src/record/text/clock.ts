/** With leading zeros. */
export const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** `12:04`, `1:02:03`, `0:07.5`. */
export function toClock(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, ms % 60_000]
  const fraction = rest % 1000 === 0 ? '' : `.${pad(rest % 1000, 3).replace(/0{1,3}$/, '')}`
  const clock = `${pad(Math.floor(rest / 1000))}${fraction}`
  return hours === 0 ? `${minutes}:${clock}` : `${hours}:${pad(minutes)}:${clock}`
}

/** The seconds of `12:04`, `1:02:03.5` or `75:00`; null if it is no time. */
export function parseClock(text: string): number | null {
  const [, first, second, third, fraction = ''] = /^(\d{1,5}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?$/.exec(text) ?? []
  if (first === undefined || second === undefined) return null
  const [hours, minutes, seconds] =
    third === undefined ? [0, Number(first), Number(second)] : [Number(first), Number(second), Number(third)]
  if (seconds > 59 || (third !== undefined && minutes > 59)) return null
  return hours * 3600 + minutes * 60 + seconds + Number(`0.${fraction || '0'}`)
}
