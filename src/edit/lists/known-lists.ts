import type { LinkState } from '../../record/link/link.ts'
import type { RecordLink } from '../../record/link/uses.ts'
import { type FindingCode, findingCodes, isFindingCode } from '../../record/quality/finding-codes.ts'
import { toLongDay } from '../../site/text/format.ts'

/** The filters of a known list. */
export type KnownFilters = { readonly [name: string]: string }

/** Drafts without parked ones, which have a separate list (decision 60). */
export const drafts: KnownFilters = { state: '2', parked: '0' }
export const parkedDrafts: KnownFilters = { state: '2', parked: '1' }
/** Drafts with a time at which they go live, and those that did not. */
export const scheduled: KnownFilters = { scheduled: '1' }
export const withNote: KnownFilters = { whiteboard: '1' }
/** By what companions have. */
export const withoutSlides: KnownFilters = { missing: 'slides' }
export const withoutChapters: KnownFilters = { missing: 'chapters' }
export const withoutTranscript: KnownFilters = { missing: 'transcript' }
export const withRecordings: KnownFilters = { has: 'recordings' }
export const toFindingList = (code: FindingCode): KnownFilters => ({ finding: code })
/** By the day in UTC, as all times of records. */
export const changedOn = (day: string): KnownFilters => ({ updated_after: day })
export const changedBy = (name: string, day: string): KnownFilters => ({ by: name, updated_after: day })

/** The day in UTC. */
export const toToday = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10)

export const listTitles = {
  all: 'All talks',
  drafts: 'Drafts',
  allDrafts: 'Drafts and set-aside drafts',
  parked: 'Set-aside drafts',
  live: 'Live talks',
  scheduled: 'Going live later',
  whiteboard: 'With a note for curators',
  slides: 'No slides',
  chapters: 'No chapters',
  transcript: 'No transcript',
  recordings: 'Several recordings',
  today: 'Changed today',
  mine: 'Changed by me today',
  /** Any other combination of filters. */
  custom: 'Talks',
} as const

type ListKind = keyof typeof listTitles | 'search' | 'finding'

/** Which known list has these filters, in one event or in all. */
export function findListKind(filters: URLSearchParams, caller: string, today: string): ListKind {
  const key = toKey([...filters].filter(([name]) => name !== 'ordering' && name !== 'category'))
  const finding = filters.get('finding') ?? ''
  const known: readonly (readonly [ListKind, KnownFilters])[] = [
    ['all', {}],
    ['drafts', drafts],
    ['allDrafts', { state: '2' }],
    ['parked', parkedDrafts],
    ['live', { state: '1' }],
    ['scheduled', scheduled],
    ['whiteboard', withNote],
    ['slides', withoutSlides],
    ['chapters', withoutChapters],
    ['transcript', withoutTranscript],
    ['recordings', withRecordings],
    ['today', changedOn(today)],
    ['mine', changedBy(caller, today)],
    ['search', { q: filters.get('q') ?? '' }],
    ...(isFindingCode(finding) ? [['finding', toFindingList(finding)] as const] : []),
  ]
  return known.find(([, list]) => toKey(Object.entries(list)) === key)?.[0] ?? 'custom'
}

/**
 * The title of a list by its filters. `event` is the title of the event that it is narrowed to; without it, the title has
 * the slug of the event.
 */
export function toListTitle(filters: URLSearchParams, caller: string, today: string, event?: string | null): string {
  const kind = findListKind(filters, caller, today)
  const category = event ?? filters.get('category')
  if (category !== null) return toEventTitle(kind, filters, category)
  if (kind === 'search') return `Talks with “${filters.get('q')}”`
  return kind === 'finding' ? toFindingTitle(filters) : listTitles[kind]
}

const toKey = (entries: readonly (readonly [string, string])[]) =>
  JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))

interface FindingText {
  /** The title of the list. */
  readonly title: string
  /** In a row of a list. */
  readonly badge: string
}

export const findingTexts: { readonly [C in FindingCode]: FindingText } = {
  missing_language: { title: 'No language', badge: 'no language' },
  missing_recorded: { title: 'No date', badge: 'no date' },
  missing_duration: { title: 'No length', badge: 'no length' },
  missing_speakers: { title: 'No speakers', badge: 'no speakers' },
  missing_tags: { title: 'No tags', badge: 'no tags' },
  missing_summary: { title: 'No summary', badge: 'no summary' },
  missing_description: { title: 'No description', badge: 'no description' },
  missing_thumbnail: { title: 'No thumbnail', badge: 'no thumbnail' },
  missing_source: { title: 'No source address', badge: 'no source' },
  missing_licence: { title: 'No licence', badge: 'no licence' },
  missing_media: { title: 'No video file', badge: 'no file' },
  missing_embed: { title: 'No player', badge: 'no player' },
  insecure_address: { title: 'Address without https', badge: 'http address' },
  playlist_address: { title: 'Address of a playlist', badge: 'playlist' },
  placeholder_text: { title: 'Placeholder text', badge: 'placeholder' },
  speaker_in_tags: { title: 'Speaker among the tags', badge: 'speaker in tags' },
  shouting_title: { title: 'Title in capitals', badge: 'capitals' },
  odd_duration: { title: 'Implausible length', badge: 'odd length' },
  several_speakers: { title: 'Several speakers in one entry', badge: 'several speakers' },
  outside_event: { title: 'Recorded outside of the event', badge: 'outside event' },
  same_video: { title: 'Video of another talk', badge: 'same video' },
  video_gone: { title: 'Video is gone', badge: 'video gone' },
  video_private: { title: 'Video is private', badge: 'private video' },
  video_not_embeddable: { title: 'Video plays only at its host', badge: 'not embeddable' },
  video_moved: { title: 'Video has moved', badge: 'video moved' },
  file_gone: { title: 'File or thumbnail is gone', badge: 'file gone' },
  link_gone: { title: 'Related link is gone', badge: 'link gone' },
  transcript_repeats: { title: 'Transcript repeats a line', badge: 'transcript repeats' },
  transcript_length: { title: 'Transcript does not fit the length', badge: 'transcript length' },
}

export const linkStateTexts: { readonly [State in LinkState]: string } = {
  ...{ ok: 'ok', moved: 'moved', gone: 'gone', private: 'private', unknown: 'unknown' },
  not_embeddable: 'plays only there',
}

/** `gone since 3 February 2026`. */
export const toStateSince = ({ state, since }: Pick<RecordLink, 'state' | 'since'>) =>
  `${linkStateTexts[state]}${since === null ? '' : ` since ${toLongDay(since.slice(0, 10))}`}`

/** Every finding as a choice, with its title. */
export const findingChoices = findingCodes.map((code) => [code, findingTexts[code].title] as const)

function toEventTitle(kind: ListKind, filters: URLSearchParams, event: string): string {
  switch (kind) {
    case 'all':
      return `Talks of ${event}`
    case 'drafts':
    case 'allDrafts':
      return `Drafts of ${event}`
    case 'parked':
    case 'live':
      return `${listTitles[kind]} of ${event}`
    case 'scheduled':
    case 'whiteboard':
    case 'slides':
    case 'chapters':
    case 'recordings':
      return `${event}: ${listTitles[kind]}`
    case 'finding':
      return `${event}: ${toFindingTitle(filters)}`
    default:
      return listTitles.custom
  }
}

function toFindingTitle(filters: URLSearchParams): string {
  const code = filters.get('finding') ?? ''
  return isFindingCode(code) ? findingTexts[code].title : listTitles.custom
}
