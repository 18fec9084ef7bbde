/** Shorter lengths are mostly minutes taken for seconds, of which 60 is the most frequent; longer ones milliseconds. */
export const shortestPlausible = 61
const longest = 8 * 3600

/** Whether a length is known and cannot be that of a talk (`odd_duration`). */
export function isOddDuration(seconds: number | null): seconds is number {
  return seconds !== null && (seconds < shortestPlausible || seconds > longest)
}

/** The length as pages and feeds show it; null if it is not known or odd. */
export function toPlausibleDuration(seconds: number | null): number | null {
  return isOddDuration(seconds) ? null : seconds
}
