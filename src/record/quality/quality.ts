import type { FieldName } from '../fields.ts'
import { isPlayable } from '../player/player-source.ts'
import type { VideoRecord } from '../record.ts'
import { toFolded } from '../text/fold.ts'
import {
  addressFields,
  isOddDuration,
  type Missing,
  mediaFields,
  missingKinds,
  type OwnCode,
  parkedBit,
  whiteboardBit,
} from './finding-codes.ts'
import { isSeveralSpeakers } from './several-speakers.ts'

/** The fields that `toQuality` looks at. */
export const qualityFields: readonly FieldName[] = [
  ...addressFields,
  ...(['title', 'language', 'recorded', 'duration', 'speakers', 'tags', 'summary', 'description'] as const),
  ...(['copyright_text', 'embed', 'whiteboard'] as const),
  ...(['video_mp4_download_only', 'video_webm_download_only', 'video_ogv_download_only'] as const),
]

/** The findings that follow from the record alone, and the state of its whiteboard, as bits (decision 53). */
export function toQuality(record: VideoRecord): number {
  const lacks = toLacks(record)
  let bits = toWhiteboardBits(record)
  // Plain loops: every write comes through here.
  let bit = 1
  for (const what of missingKinds) {
    if (lacks[what]) bits |= bit
    bit <<= 1
  }
  for (const [, listFields] of ownChecks) {
    if (listFields(record).length > 0) bits |= bit
    bit <<= 1
  }
  return bits
}

function toWhiteboardBits({ whiteboard }: VideoRecord): number {
  if (whiteboard === '') return 0
  return isParked(whiteboard) ? whiteboardBit | parkedBit : whiteboardBit
}

const isBlank = (text: string | null) => text === null || text.trim() === ''

function toLacks(record: VideoRecord): { readonly [M in Missing]: boolean } {
  return {
    language: record.language === '',
    recorded: record.recorded === null,
    duration: record.duration === null,
    speakers: record.speakers.length === 0,
    tags: record.tags.length === 0,
    summary: isBlank(record.summary),
    description: isBlank(record.description),
    thumbnail: record.thumbnail_url === '',
    source: record.source_url === '',
    licence: isBlank(record.copyright_text),
    media: mediaFields.every((field) => isBlank(record[field])),
    embed: isBlank(record.embed) && !isPlayable(record),
  }
}

export function listMissing(record: VideoRecord): Missing[] {
  const lacks = toLacks(record)
  return missingKinds.filter((what) => lacks[what])
}

/** Checks of a record, and the fields in which each finds something; in the order of `ownCodes`. */
export const ownChecks: readonly (readonly [code: OwnCode, listFields: (record: VideoRecord) => FieldName[]])[] = [
  ['insecure_address', (record) => addressFields.filter((field) => isInsecure(record[field] ?? ''))],
  ['playlist_address', ({ source_url }) => (isPlaylist(source_url) ? ['source_url'] : [])],
  ['placeholder_text', listPlaceholders],
  ['speaker_in_tags', (record) => (listSpeakersInTags(record).length > 0 ? ['tags'] : [])],
  ['shouting_title', ({ title }) => (isShouting(title) ? ['title'] : [])],
  ['odd_duration', ({ duration }) => (isOddDuration(duration) ? ['duration'] : [])],
  ['several_speakers', ({ speakers }) => (speakers.some(isSeveralSpeakers) ? ['speakers'] : [])],
]

function listPlaceholders({ title, summary, description, speakers, tags }: VideoRecord): FieldName[] {
  const found: FieldName[] = []
  if (isPlaceholderTitle(title)) found.push('title')
  if (isPlaceholderText(summary, title)) found.push('summary')
  if (isPlaceholderText(description, title)) found.push('description')
  if (speakers.some(isPlaceholderName)) found.push('speakers')
  if (tags.some(isPlaceholderName)) found.push('tags')
  return found
}

/** The tags that are speakers of the talk, apart from case and accents. */
export function listSpeakersInTags({ speakers, tags }: VideoRecord): string[] {
  // Most tags have fewer words than names, and folding takes time.
  const counts = speakers.map(countSpaces)
  const similar = tags.filter((tag) => counts.includes(countSpaces(tag)))
  if (similar.length === 0) return similar
  const folded = new Set(speakers.map(toFolded))
  return similar.filter((tag) => folded.has(toFolded(tag)))
}

function countSpaces(text: string): number {
  let count = 0
  for (let offset = text.indexOf(' '); offset >= 0; offset = text.indexOf(' ', offset + 1)) count++
  return count
}

/** Shorter words may be acronyms. */
const minWordLength = 4
const minShouted = 9

/** Whether a title is in capitals only, and too long for an acronym or two. Scripts without case never match. */
function isShouting(title: string): boolean {
  if (title.length < minShouted || /\p{Ll}/u.test(title)) return false
  const words = title.match(/\p{Lu}{1,255}/gu) ?? []
  const shouted = words.filter(({ length }) => length >= minWordLength)
  return shouted.reduce((sum, { length }) => sum + length, 0) >= minShouted
}

/** The host of a URL: lower case, without `www.`; `""` if there is none. */
export function toHost(url: string): string {
  if (url === '') return ''
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
}

export const isInsecure = (url: string) => /^http:/i.test(url)

/** Whether a URL leads to a playlist or a channel instead of one video. */
export function isPlaylist(url: string): boolean {
  // Most URLs have one of these forms.
  if (url === '' || /^https?:\/\/(?:www\.youtube\.com\/watch\?v=|youtu\.be\/)/.test(url)) return false
  const parsed = URL.parse(url)
  if (parsed === null) return false
  const host = parsed.hostname.replace(/^(?:www|m|music|player)\./, '')
  const [, first = '', second = '', third = ''] = parsed.pathname.split('/')
  switch (host) {
    case 'youtube.com':
    case 'youtube-nocookie.com':
      return isYouTubePlaylist(parsed, first, second)
    case 'vimeo.com':
      return isVimeoPlaylist(first, third, parsed.pathname)
    case 'dailymotion.com':
      return first === 'playlist'
    default:
      // PeerTube, on any host.
      return (first === 'w' && second === 'p') || parsed.pathname.startsWith('/videos/watch/playlist/')
  }
}

/** Beside `v`, `list` only says what to play next. */
function isYouTubePlaylist({ searchParams }: URL, first: string, second: string): boolean {
  if (first === 'playlist' || (first === 'embed' && second === 'videoseries')) return true
  if (first.startsWith('@') || ['channel', 'user', 'c'].includes(first)) return true
  return ['', 'watch'].includes(first) && searchParams.has('list') && !searchParams.has('v')
}

/** The URL of a video in an album is below that of the album. */
function isVimeoPlaylist(first: string, third: string, path: string): boolean {
  if (first === 'album' || first === 'showcase') return third !== 'video'
  return ['channels', 'groups', 'user'].includes(first) && !/\/\d{1,20}\/?$/.test(path)
}

/** Placeholders for a text that was never written; folded, without punctuation at their ends. */
const placeholders = new Set([
  'tbd',
  'tba',
  'tbc',
  'todo',
  'fixme',
  'xxx',
  'to be announced',
  'to be added',
  'to be confirmed',
  'to be determined',
  'to be done',
  'to do',
  'coming soon',
  'placeholder',
  'untitled',
])

/** More placeholders, for summaries and descriptions only: a talk or a tag may have such a name. */
const emptyTexts = new Set([
  '',
  'n/a',
  'na',
  'nil',
  'none',
  'null',
  'undefined',
  'unknown',
  'empty',
  'missing',
  'description',
  'summary',
  'abstract',
  'no description',
  'no description available',
  'no description provided',
  'no description yet',
  'description not available',
  'no summary',
  'no summary available',
  'no abstract',
  'no abstract available',
])

const emptyNames = new Set(['', 'n/a', 'none', 'null', 'unknown', 'unknown speaker', 'speaker', 'speaker name'])

/** No placeholder is longer; folding longer texts would waste time. */
const maxLength = 60
const maxNameLength = 24
/** The beginnings of all placeholders, so that few texts are folded: every write checks every name. */
const firstLetters = /^\W{0,24}(?:tb|to|fi|xx|co|pl|un|n|sp|$)/i

/** Whether a title is a placeholder. */
const isPlaceholderTitle = (title: string) =>
  title.length <= maxNameLength && firstLetters.test(title) && placeholders.has(toBare(title))

/** Whether the name of a speaker or tag is a placeholder. */
function isPlaceholderName(name: string): boolean {
  if (name.length > maxNameLength || !firstLetters.test(name)) return false
  const bare = toBare(name)
  return placeholders.has(bare) || emptyNames.has(bare)
}

/** Whether a summary or description says nothing: filler, or the title again. Blank texts are missing instead. */
function isPlaceholderText(text: string, title: string): boolean {
  if (text.trim() === '') return false
  if (/^\W{0,20}lorem ipsum\b/i.test(text)) return true
  if (text.length <= maxLength) {
    const bare = toBare(text)
    if (placeholders.has(bare) || emptyTexts.has(bare)) return true
  }
  // Markup around it may make it a little longer than the title.
  const isSimilar = text.length >= title.length / 2 && text.length <= title.length + maxLength
  return isSimilar && toBare(text) === toBare(title)
}

const ends = /^[^\p{L}\p{N}]{1,200}|[^\p{L}\p{N}]{1,200}$/gu

/** Folded, single spaces, without anything but letters and digits at its ends. */
function toBare(text: string): string {
  return toFolded(text).replace(/\s+/g, ' ').replace(ends, '')
}

/** Begins the whiteboard of a draft that nobody will finish. Curators set and clear it, and programs see it (decision 60). */
export const parkedMark = '[parked]'

/** Ignores case, because people also type the mark. */
export function isParked(whiteboard: string): boolean {
  return whiteboard.trimStart().slice(0, parkedMark.length).toLowerCase() === parkedMark
}

/** The whiteboard with the mark before its text. */
export function toParked(whiteboard: string): string {
  if (isParked(whiteboard)) return whiteboard
  return whiteboard === '' ? parkedMark : `${parkedMark} ${whiteboard}`
}

/** The whiteboard without the mark; reverses `toParked`. */
export function toUnparked(whiteboard: string): string {
  if (!isParked(whiteboard)) return whiteboard
  const rest = whiteboard.trimStart().slice(parkedMark.length)
  return rest.startsWith(' ') ? rest.slice(1) : rest
}
