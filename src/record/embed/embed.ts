/**
 * The player markup for a video at a known host, as old clients expect it: an object element with three params and a
 * nested embed, 640 × 390, ampersands escaped. `""` for any other URL.
 */
export function toEmbed(sourceUrl: string): string {
  const player = findPlayerUrl(sourceUrl)
  if (player === null) return ''
  const address = player.replaceAll('&', '&amp;')
  return [
    '<object width="640" height="390">',
    `<param name="movie" value="${address}"></param>`,
    '<param name="allowFullScreen" value="true"></param>',
    '<param name="allowscriptaccess" value="always"></param>',
    `<embed src="${address}" type="application/x-shockwave-flash" width="640" height="390"`,
    ' allowscriptaccess="always" allowfullscreen="true"></embed>',
    '</object>',
  ].join('')
}

/** The most common form, matched without parsing the URL. */
const commonUrl = /^https?:\/\/www\.youtube\.com\/watch\?v=([A-Za-z0-9_-]{1,64})$/

function findPlayerUrl(sourceUrl: string): string | null {
  const commonId = commonUrl.exec(sourceUrl)?.[1]
  if (commonId !== undefined) return toYouTubePlayer(commonId)
  const url = URL.parse(sourceUrl)
  if (url === null) return null
  const youtube = findYouTubeId(url)
  if (youtube !== null) return toYouTubePlayer(youtube)
  const vimeo = findVimeoId(url)
  if (vimeo !== null) return `https://vimeo.com/moogaloop.swf?clip_id=${vimeo}&server=vimeo.com`
  return null
}

const toYouTubePlayer = (id: string) => `https://www.youtube.com/v/${id}?version=3&hl=en_US`

export function findYouTubeId(url: URL): string | null {
  const host = url.hostname.replace(/^(www|m|music)\./, '')
  const [, first = '', second = ''] = url.pathname.split('/')
  let id: string | null = null
  if (host === 'youtu.be') id = first
  else if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    id = ['v', 'embed', 'shorts', 'live', 'e'].includes(first) ? second : url.searchParams.get('v')
  }
  return id !== null && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null
}

export function findVimeoId(url: URL): string | null {
  const host = url.hostname.replace(/^(www|player)\./, '')
  if (host !== 'vimeo.com') return null
  return /^\/(?:.+\/)?(\d{1,20})(?:\/[0-9a-f]+)?\/?$/.exec(url.pathname)?.[1] ?? null
}

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
