import { findVimeoId, findYouTubeId } from './embed.ts'

/** The canonical form, which most URLs have already. */
const canonicalUrl = /^https:\/\/www\.youtube\.com\/watch\?v=[A-Za-z0-9_-]{1,64}$/

/**
 * The canonical URL of a video and its start time: `https://youtu.be/X?t=90` and
 * `http://www.youtube.com/embed/X?start=90` both become `https://www.youtube.com/watch?v=X&t=90`. URLs of unknown hosts
 * are returned unchanged.
 */
export function toVideoAddress(address: string): string {
  if (address === '' || canonicalUrl.test(address)) return address
  const url = URL.parse(address)
  if (url === null) return address
  const youtube = findYouTubeId(url)
  if (youtube !== null) {
    const start = findStart(url)
    return `https://www.youtube.com/watch?v=${youtube}${start === 0 ? '' : `&t=${start}`}`
  }
  const vimeo = findVimeoId(url)
  if (vimeo === null) return address
  const start = findStart(url)
  return `https://vimeo.com/${vimeo}${start === 0 ? '' : `#t=${start}`}`
}

/** The start time in seconds, from `90`, `90s`, `1m30s` or `1h` in the query or fragment. */
function findStart(url: URL): number {
  const fragment = new URLSearchParams(url.hash.slice(1))
  for (const name of ['t', 'start', 'time_continue']) {
    const text = url.searchParams.get(name) ?? fragment.get(name)
    if (text !== null) return parseStart(text)
  }
  return 0
}

function parseStart(text: string): number {
  const parts = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s?)?$/.exec(text)
  if (parts === null) return 0
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
