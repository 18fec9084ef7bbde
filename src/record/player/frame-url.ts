/** Hosts whose players we can put into a frame. */
export type PlayerKind = 'youtube' | 'vimeo' | 'peertube' | 'archive' | 'ccc'

export function isPlayerKind(text: string | undefined): text is PlayerKind {
  return text !== undefined && Object.hasOwn(setStart, text)
}

type SetStart = (url: URL, seconds: number) => void

/** How the player of each host takes a start time. */
const setStart: { readonly [kind in PlayerKind]: SetStart } = {
  youtube: (url, seconds) => url.searchParams.set('start', String(seconds)),
  vimeo: (url, seconds) => {
    url.hash = `t=${seconds}s`
  },
  peertube: (url, seconds) => url.searchParams.set('start', `${seconds}s`),
  archive: (url, seconds) => url.searchParams.set('start', String(seconds)),
  ccc: (url, seconds) => {
    url.hash = `t=${seconds}`
  },
}

/** The page of a video takes it like the player, except at YouTube. */
const setPageStart: { readonly [kind in PlayerKind]: SetStart } = {
  ...setStart,
  youtube: (url, seconds) => {
    url.searchParams.set('t', `${seconds}s`)
    url.hash = ''
  },
}

/** The page of a video at its host, from a time on. */
export function toPageUrl(kind: PlayerKind, page: string, start: number): string {
  const url = new URL(page)
  if (start > 0) setPageStart[kind](url, start)
  return url.href
}

/** How players take an end; the others play on. */
const endNames: { readonly [kind in PlayerKind]?: string } = { youtube: 'end', peertube: 'stop' }

/** The URL of a frame with autoplay: the frame is loaded when the viewer presses play. */
export function toFrameUrl(kind: PlayerKind, frame: string, start: number, end = 0): string {
  const url = new URL(frame)
  const endName = endNames[kind]
  url.searchParams.set('autoplay', '1')
  if (start > 0) setStart[kind](url, start)
  if (endName !== undefined && end > start) url.searchParams.set(endName, String(Math.ceil(end)))
  return url.href
}
