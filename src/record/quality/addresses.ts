/** The host of an address: lower case, without `www.`; `""` if there is none. */
export function toHost(address: string): string {
  if (address === '') return ''
  return URL.parse(address)?.hostname.replace(/^www\./, '') ?? ''
}

export const isInsecure = (address: string) => /^http:/i.test(address)

/** Whether an address leads to a playlist or a channel instead of one video. */
export function isPlaylist(address: string): boolean {
  // Most addresses are of one of these forms.
  if (address === '' || /^https?:\/\/(?:www\.youtube\.com\/watch\?v=|youtu\.be\/)/.test(address)) return false
  const url = URL.parse(address)
  if (url === null) return false
  const host = url.hostname.replace(/^(?:www|m|music|player)\./, '')
  const [, first = '', second = '', third = ''] = url.pathname.split('/')
  switch (host) {
    case 'youtube.com':
    case 'youtube-nocookie.com':
      return isYouTubePlaylist(url, first, second)
    case 'vimeo.com':
      return isVimeoPlaylist(first, third, url.pathname)
    case 'dailymotion.com':
      return first === 'playlist'
    default:
      // PeerTube, on any host.
      return (first === 'w' && second === 'p') || url.pathname.startsWith('/videos/watch/playlist/')
  }
}

/** Beside `v`, `list` only says what to play next. */
function isYouTubePlaylist({ searchParams }: URL, first: string, second: string): boolean {
  if (first === 'playlist' || (first === 'embed' && second === 'videoseries')) return true
  if (first.startsWith('@') || ['channel', 'user', 'c'].includes(first)) return true
  return ['', 'watch'].includes(first) && searchParams.has('list') && !searchParams.has('v')
}

/** A video in an album has an address below it. */
function isVimeoPlaylist(first: string, third: string, path: string): boolean {
  if (first === 'album' || first === 'showcase') return third !== 'video'
  return ['channels', 'groups', 'user'].includes(first) && !/\/\d{1,20}\/?$/.test(path)
}
