import { toPlausibleDuration } from '../quality/finding-codes.ts'
import type { VideoRecord } from '../record.ts'
import { toPageUrl } from './frame-url.ts'
import { findHostedVideo, type HostedVideo, type PlayerHosts } from './hosted-video.ts'

/** What browsers and podcast apps play, the most widely played first. flv is for download only. */
export const fileFormats = ['mp4', 'webm', 'ogv'] as const
export type FileFormat = (typeof fileFormats)[number]

export const fileTypes: { readonly [F in FileFormat]: string } = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
}

const formats = [...fileFormats, 'flv'] as const
type Format = (typeof formats)[number]

interface PlayableFile {
  readonly url: string
  readonly type: string
}

interface Download {
  readonly format: Format
  readonly url: string
  /** Null if unknown. */
  readonly bytes: number | null
}

/** Where a talk can be watched. */
export interface PlayerSource {
  /** Files for our own player. */
  readonly files: readonly PlayableFile[]
  /** At a host whose player can be put into a frame. */
  readonly hosted: HostedVideo | null
  readonly downloads: readonly Download[]
  /** The page of the original; null if there is none. */
  readonly original: WatchLink | null
  /** The best link for a talk that this page cannot play; null if there is no recording. */
  readonly watchable: WatchLink | null
}

/** A URL with the name of its host. */
interface WatchLink {
  readonly url: string
  readonly host: string
}

interface SourceOptions {
  readonly playerHosts: PlayerHosts
  /** Whether our pages are served by https; then browsers block media over http. */
  readonly isSecure: boolean
  /** In seconds; links to the recording begin there. */
  readonly start?: number
  /** Whether its host lets other sites play it; true if absent. */
  readonly isFramable?: boolean
}

export function toPlayerSource(record: VideoRecord, options: SourceOptions): PlayerSource {
  const { playerHosts, isSecure, start = 0, isFramable = true } = options
  const { source_url: source } = record
  const files = listPlayable(record, isSecure)
  const downloads = formats.flatMap((format) => {
    const url = record[`video_${format}_url`] ?? ''
    return url === '' ? [] : [{ format, url, bytes: findFileBytes(record, format) }]
  })
  const hosted = findHostedVideo(source, playerHosts)
  const page = hosted === null || start === 0 ? source : toPageUrl(hosted.kind, source, start)
  const original = source === '' ? null : { url: page, host: hosted?.host ?? toHostLabel(source) }
  // Pages of unknown hosts are mostly gone; files outlive them.
  const [file = null] = downloads
  const watchable =
    hosted === null && file !== null
      ? { url: start > 0 ? toFileUrl(file.url, start) : file.url, host: toHostLabel(file.url) }
      : original
  return { files, hosted: isFramable ? hosted : null, downloads, original, watchable }
}

/** Files for a player of our own. */
function listPlayable(record: VideoRecord, isSecure: boolean): PlayableFile[] {
  const isLoadable = (url: string) => url.startsWith('https:') || (!isSecure && url.startsWith('http:'))
  return fileFormats.flatMap((format) => {
    const url = record[`video_${format}_url`] ?? ''
    const isLeftOut = record[`video_${format}_download_only`] || !isLoadable(url.toLowerCase())
    return isLeftOut ? [] : [{ url, type: fileTypes[format] }]
  })
}

/**
 * Whether the site plays the talk, as far as the record alone says: on pages without https, and with every host that
 * looks like PeerTube among those that the operator names.
 */
export function isPlayable(record: VideoRecord): boolean {
  return listPlayable(record, false).length > 0 || findHostedVideo(record.source_url, 'any') !== null
}

/** The URL of a file with the times as its fragment, at whose end browsers pause; any other fragment is left out. */
export function toFileUrl(url: string, start: number, end: number | null = null): string {
  const until = end === null ? '' : `,${end}`
  return `${url.split('#', 1)[0] ?? url}${start > 0 || end !== null ? `#t=${start}${until}` : ''}`
}

export function toHostLabel(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? url
}

/** Fewer bytes are a mistake: some sources give seconds or kilobytes instead. */
const minBytesPerSecond = 1_000

/** The size of a file; null if it is unknown, or too small for the length of the talk. */
export function findFileBytes(record: VideoRecord, format: Format): number | null {
  const bytes = record[`video_${format}_length`]
  return bytes !== null && bytes >= minBytesPerSecond * (toPlausibleDuration(record.duration) ?? 1) ? bytes : null
}
