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
