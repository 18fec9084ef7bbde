import type { FieldName } from '../fields.ts'
import type { RecordLink } from '../link/uses.ts'
import type { VideoRecord } from '../record.ts'
import {
  type Finding,
  findLinkCode,
  findTranscriptCode,
  type LinkCode,
  type Missing,
  mediaFields,
  missingFields,
  type OwnCode,
  shortestPlausible,
  type TranscriptCode,
  type TranscriptTrait,
  toMissingCode,
} from './finding-codes.ts'
import { listMissing, listSpeakersInTags, ownChecks } from './quality.ts'
import { isSeveralSpeakers } from './several-speakers.ts'

/** Context of a record that its findings depend on. */
interface Surroundings {
  /** The days of the category. */
  readonly event: EventDates
  /** Ids of other records with the same video, as the caller sees them. */
  readonly sameVideo: readonly number[]
  /** Its addresses that are in trouble; none if absent. */
  readonly links?: readonly RecordLink[]
  /** None if absent. */
  readonly transcripts?: readonly TranscriptTrait[]
}

/** Everything that a curator should look at in a record. */
export function toFindings(record: VideoRecord, surroundings: Surroundings): Finding[] {
  const { event, sameVideo, links = [], transcripts = [] } = surroundings
  return [
    ...listMissing(record).map((what) => toMissingFinding(what)),
    ...ownChecks.flatMap(([code, listFields]) =>
      listFields(record).map((field) => ({ code, field, detail: toDetail(code, field, record) })),
    ),
    ...(isOutsideEvent(record.recorded, event) ? [toOutsideFinding(record, event)] : []),
    ...(sameVideo.length === 0 ? [] : [toSameVideoFinding(sameVideo)]),
    ...links.flatMap((link) => toLinkFinding(record, link) ?? []),
    ...transcripts.flatMap((each) => toTranscriptFinding(each) ?? []),
  ]
}

const missingDetails: { readonly [M in Missing]: string } = {
  language: 'The language is not known. Set it to the language that is spoken.',
  recorded: 'The day of the recording is not known. Set it to YYYY-MM-DD.',
  duration: 'The length is not known. Set it in seconds.',
  speakers: 'There is no speaker. Add their names.',
  tags: 'There is no tag. Add some that say what the talk is about.',
  summary: 'There is no summary. Add a sentence or two.',
  description: 'There is no description. Add the abstract of the talk.',
  thumbnail: 'There is no thumbnail. Add the address of an image.',
  source: 'There is no address of the original video. Add it.',
  licence: 'The licence is not known. Add it as the source states it.',
  media: 'There is no file to download. Add the address of one of the four formats.',
  embed: 'This talk has no player. Add the address of the video; for known sites the player is built from it.',
}

function toMissingFinding(what: Missing): Finding {
  return { code: toMissingCode(what), field: missingFields[what], detail: missingDetails[what] }
}

function toDetail(code: OwnCode, field: FieldName, record: VideoRecord): string {
  switch (code) {
    case 'insecure_address':
      return 'The address begins with http:. Use https: if the host offers it.'
    case 'playlist_address':
      return 'The address leads to a playlist or channel. Replace it with the address of this one video.'
    case 'placeholder_text':
      return toPlaceholderDetail(field)
    case 'speaker_in_tags':
      return `These tags are speakers of this talk: ${listSpeakersInTags(record).join(', ')}. Remove them from the tags.`
    case 'shouting_title':
      return 'The title is in capitals only. Write it as a sentence or as the programme does.'
    case 'odd_duration':
      return toOddDetail(record.duration ?? 0)
    case 'several_speakers':
      return `One entry looks like several people: ${record.speakers.find(isSeveralSpeakers)}. Write one for each person.`
    default:
      throw new Error(`${code} is not a check of a field`)
  }
}

function toOddDetail(seconds: number): string {
  if (seconds < shortestPlausible)
    return `A length of ${seconds} s is too short for a talk. Correct it; it may be in minutes.`
  const hours = Math.round(seconds / 3600)
  return `A length of ${hours} hours is too long for a talk. Correct it; it may be in milliseconds.`
}

function toPlaceholderDetail(field: FieldName): string {
  if (field === 'title') return 'The title is a placeholder. Replace it with the title of the talk.'
  if (field === 'speakers' || field === 'tags') return `One of the ${field} is a placeholder. Replace or remove it.`
  return `The ${field} is a placeholder or repeats the title. Replace it, or leave it empty.`
}

function toOutsideFinding({ recorded }: VideoRecord, event: EventDates): Finding {
  const detail = `${toDaysText(event)}; this one says ${recorded}. Correct the day, the category, or the days of the event.`
  return { code: 'outside_event', field: 'recorded', detail }
}

function toDaysText({ startDate, endDate }: EventDates): string {
  if (startDate === null) return `The event ended on ${endDate}`
  if (endDate !== null) return `The event took place from ${startDate} to ${endDate}`
  const last = findLastDay({ startDate, endDate })
  return `The event started on ${startDate}, so its talks were recorded until ${last}`
}

const maxNamed = 5

function toSameVideoFinding(others: readonly number[]): Finding {
  const named = others.slice(0, maxNamed).join(', ')
  const more = others.length > maxNamed ? ' and more' : ''
  const records = others.length === 1 ? `Record ${named} has` : `Records ${named}${more} have`
  const detail = `${records} the same video. Keep one of them, or correct the address or its start time.`
  return { code: 'same_video', field: 'source_url', detail }
}

const linkDetails: { readonly [C in LinkCode]: string } = {
  video_gone: 'The video is gone. Find it elsewhere, or look for a copy in the web archive.',
  video_private: 'The video is private. Ask its owner, or find it elsewhere.',
  video_not_embeddable: 'The host does not let other sites play this video. Add a recording that can be played here.',
  video_moved: 'The video has moved. Accept the new address.',
  file_gone: 'The file is gone. Replace its address, or remove it.',
  link_gone: 'The page is gone. Replace the link, or remove it.',
}

function toLinkFinding(record: VideoRecord, { url, role, state, since, target }: RecordLink): Finding | null {
  const code = findLinkCode(role, state)
  if (code === undefined) return null
  const day = since === null ? '' : ` Since ${since.slice(0, 10)}:`
  const led = target === null ? '' : ` -> ${target}`
  return { code, field: findLinkField(record, url, role), detail: `${linkDetails[code]}${day} ${url}${led}` }
}

/** Where the record has the address. */
function findLinkField(record: VideoRecord, url: string, role: RecordLink['role']): Finding['field'] {
  if (role === 'related') return 'related'
  if (role === 'thumbnail') return 'thumbnail_url'
  return (['source_url', ...mediaFields] as const).find((field) => record[field] === url) ?? 'recordings'
}

const transcriptDetails: { readonly [C in TranscriptCode]: string } = {
  transcript_repeats:
    'Speech recognition got stuck and repeated one line more than 20 times in a row. Correct the transcript.',
  transcript_length:
    'The transcript is much shorter or longer than the talk. Check that it is of this talk, and its length.',
}

function toTranscriptFinding(trait: TranscriptTrait): Finding | null {
  const code = findTranscriptCode(trait)
  return code === null ? null : { code, field: trait.name, detail: transcriptDetails[code] }
}

/** The first and the last day of a category; null if unknown. */
export interface EventDates {
  readonly startDate: string | null
  readonly endDate: string | null
}

/** A talk that was recorded later belongs to another event, if the end of this one is unknown. */
const maxEventDays = 14
const dayMs = 86_400_000

/** The last day on which a talk of an event can have been recorded; null if unknown. */
export function findLastDay({ startDate, endDate }: EventDates): string | null {
  if (endDate !== null || startDate === null) return endDate
  const last = Date.parse(`${startDate}T00:00:00Z`) + maxEventDays * dayMs
  return last > lastMs ? '9999-12-31' : new Date(last).toISOString().slice(0, 10)
}

const lastMs = Date.parse('9999-12-31T00:00:00Z')

/** Whether a talk was recorded before its event or too long after it. Days that are not known are inside. */
export function isOutsideEvent(recorded: string | null, event: EventDates): boolean {
  if (recorded === null) return false
  const last = findLastDay(event)
  return (event.startDate !== null && recorded < event.startDate) || (last !== null && recorded > last)
}
