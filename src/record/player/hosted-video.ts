import { findVimeoId, findYouTubeId } from '../embed.ts'
import type { PlayerKind } from './frame-url.ts'
import { findStartTime } from './start-time.ts'

/** A video at a host whose player we can put into a frame. */
export interface HostedVideo {
  readonly kind: PlayerKind
  /** The name of the host, for people. */
  readonly host: string
  /** The page of the video there. */
  readonly page: string
  /** The URL of its player. */
  readonly frame: string
  /** In seconds, from the URL. */
  readonly start: number
}

/** A kind of host with the frame of one of its videos. */
type Found = Pick<HostedVideo, 'kind' | 'host' | 'frame'>

/** The PeerTube instances that the operator names; `any` where those are not known. */
export type PlayerHosts = readonly string[] | 'any'

/** Null unless it is the page of a video at a known host. */
export function findHostedVideo(text: string, playerHosts: PlayerHosts): HostedVideo | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  const found = findYouTube(url) ?? findVimeo(url) ?? findArchive(url) ?? findCcc(url) ?? findPeerTube(url, playerHosts)
  return found && { ...found, page: url.href, start: findStartTime(url) ?? 0 }
}

/** The picture that a host shows for a video, if its address follows from that of the video; else null. */
export function findThumbnail(sourceUrl: string): string | null {
  const url = URL.parse(sourceUrl)
  const youtube = url && findYouTubeId(url)
  if (youtube !== null) return `https://i.ytimg.com/vi/${youtube}/hqdefault.jpg`
  const archive = url && findArchiveId(url)
  return archive && `https://archive.org/services/img/${archive}`
}

function findYouTube(url: URL): Found | null {
  const id = findYouTubeId(url)
  return id === null
    ? null
    : { kind: 'youtube', host: 'YouTube', frame: `https://www.youtube-nocookie.com/embed/${id}` }
}

/** Unlisted videos play only with the hash in their URL. */
function findVimeo(url: URL): Found | null {
  const id = findVimeoId(url)
  if (id === null) return null
  const hash = url.searchParams.get('h') ?? url.pathname.split('/').at(url.pathname.endsWith('/') ? -2 : -1) ?? ''
  const isHash = hash !== id && /^[0-9a-f]{6,64}$/.test(hash)
  return { kind: 'vimeo', host: 'Vimeo', frame: `https://player.vimeo.com/video/${id}${isHash ? `?h=${hash}` : ''}` }
}

function findArchive(url: URL): Found | null {
  const id = findArchiveId(url)
  return id === null ? null : { kind: 'archive', host: 'Internet Archive', frame: `https://archive.org/embed/${id}` }
}

function findArchiveId({ hostname, pathname }: URL): string | null {
  if (hostname !== 'archive.org' && hostname !== 'www.archive.org') return null
  return /^\/(?:details|embed)\/([\w.-]{1,200})(?:\/|$)/.exec(pathname)?.[1] ?? null
}

function findCcc({ hostname, pathname }: URL): Found | null {
  if (hostname !== 'media.ccc.de') return null
  const [, slug] = /^\/v\/([\w.-]{1,200})(?:\/|$)/.exec(pathname) ?? []
  return slug === undefined
    ? null
    : { kind: 'ccc', host: 'media.ccc.de', frame: `https://media.ccc.de/v/${slug}/oembed` }
}

function findPeerTube({ host, pathname }: URL, playerHosts: PlayerHosts): Found | null {
  if (playerHosts !== 'any' && !playerHosts.includes(host)) return null
  const [, id] = /^\/(?:w|videos\/(?:watch|embed))\/([\w-]{1,64})\/?$/.exec(pathname) ?? []
  return id === undefined ? null : { kind: 'peertube', host, frame: `https://${host}/videos/embed/${id}` }
}
