import type { FieldName } from '../fields.ts'
import type { VideoRecord } from '../record.ts'
import { toFolded } from '../text/fold.ts'
import { isInsecure, isPlaylist } from './addresses.ts'
import { type Missing, missingKinds, type OwnCode, parkedBit, whiteboardBit } from './finding-codes.ts'
import { isParked } from './parked.ts'
import { isPlaceholderName, isPlaceholderText, isPlaceholderTitle } from './placeholder.ts'

const mediaFields = ['video_mp4_url', 'video_webm_url', 'video_ogv_url', 'video_flv_url'] as const
const addressFields = ['source_url', ...mediaFields, 'thumbnail_url'] as const

/** The fields that `toQuality` looks at. */
export const qualityFields: readonly FieldName[] = [
  ...addressFields,
  ...(['title', 'language', 'recorded', 'duration', 'speakers', 'tags', 'summary', 'description'] as const),
  ...(['copyright_text', 'embed', 'whiteboard'] as const),
]

/** The findings that follow from the record alone, and what its whiteboard says, as bits (decision 53). */
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
    embed: isBlank(record.embed),
  }
}

export function listMissing(record: VideoRecord): Missing[] {
  const lacks = toLacks(record)
  return missingKinds.filter((what) => lacks[what])
}

/** What can look wrong in a record, and the fields in which it does; in the order of `ownCodes`. */
export const ownChecks: readonly (readonly [code: OwnCode, listFields: (record: VideoRecord) => FieldName[]])[] = [
  ['insecure_address', (record) => addressFields.filter((field) => isInsecure(record[field] ?? ''))],
  ['playlist_address', ({ source_url }) => (isPlaylist(source_url) ? ['source_url'] : [])],
  ['placeholder_text', listPlaceholders],
  ['speaker_in_tags', (record) => (listSpeakersInTags(record).length > 0 ? ['tags'] : [])],
  ['shouting_title', ({ title }) => (isShouting(title) ? ['title'] : [])],
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
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) count++
  return count
}

/** Shorter words may be acronyms. */
const minWordLength = 4
const minShouted = 9

/** Whether a title is in capitals only, and too long for an acronym or two. Scripts without case never shout. */
function isShouting(title: string): boolean {
  if (title.length < minShouted || /\p{Ll}/u.test(title)) return false
  const words = title.match(/\p{Lu}{1,255}/gu) ?? []
  const shouted = words.filter(({ length }) => length >= minWordLength)
  return shouted.reduce((sum, { length }) => sum + length, 0) >= minShouted
}
