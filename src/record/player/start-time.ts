/** Longer than any recording. */
const maxSeconds = 10_000_000

/** Seconds from `90`, `90s`, `1m30s`, `1h`, `1:30`, `1:02:03`, or the beginning of a range `90,120`; null for others. */
export function parseStartTime(text: string): number | null {
  const [start = ''] = text.split(',')
  const seconds = parseClock(start) ?? parseUnits(start)
  return seconds === null || seconds > maxSeconds ? null : seconds
}

/** The start time in the parameters or the fragment of a URL; null if there is none. The fragment wins. */
export function findStartTime(url: Pick<URL, 'search' | 'hash'>): number | null {
  for (const text of [url.hash.slice(1), url.search]) {
    const parameters = new URLSearchParams(text)
    for (const name of ['t', 'start', 'time_continue']) {
      const seconds = parseStartTime(parameters.get(name) ?? '')
      if (seconds !== null) return seconds
    }
  }
  return null
}

function parseClock(text: string): number | null {
  const [, hours = '0', minutes = '0', seconds] =
    /^(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,8})(?:\.\d{1,9})?$/.exec(text) ?? []
  return seconds === undefined ? null : toSeconds(hours, minutes, seconds)
}

function parseUnits(text: string): number | null {
  const parts = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/.exec(text)
  if (parts === null || text === '') return null
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return toSeconds(hours, minutes, seconds)
}

function toSeconds(hours: string, minutes: string, seconds: string): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
