/** Hosts whose players we can put into a frame. */
export type PlayerKind = 'youtube' | 'vimeo' | 'peertube' | 'archive' | 'ccc'

export function isPlayerKind(text: string | undefined): text is PlayerKind {
  return text !== undefined && Object.hasOwn(setStart, text)
}

/** How each host takes a start time. */
const setStart: { readonly [kind in PlayerKind]: (url: URL, seconds: number) => void } = {
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

/** The URL of a frame with autoplay: the frame is loaded when the viewer presses play. */
export function toFrameUrl(kind: PlayerKind, frame: string, start: number): string {
  const url = new URL(frame)
  url.searchParams.set('autoplay', '1')
  if (start > 0) setStart[kind](url, start)
  return url.href
}
