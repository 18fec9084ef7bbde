/** Hosts whose players we know how to put into a frame. */
export type PlayerKind = 'youtube' | 'vimeo' | 'peertube' | 'archive' | 'ccc'

export function isPlayerKind(text: string | undefined): text is PlayerKind {
  return text !== undefined && Object.hasOwn(toStart, text)
}

/** How each host is told where to start. */
const toStart: { readonly [kind in PlayerKind]: (url: URL, seconds: number) => void } = {
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

/** The URL of a frame that plays at once, since it is loaded when somebody presses play. */
export function toFrameUrl(kind: PlayerKind, frame: string, start: number): string {
  const url = new URL(frame)
  url.searchParams.set('autoplay', '1')
  if (start > 0) toStart[kind](url, start)
  return url.href
}
