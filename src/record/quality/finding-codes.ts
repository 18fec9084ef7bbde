import type { ChangedName, CompanionName } from '../companion/kinds.ts'
import type { FieldName } from '../fields.ts'
import type { LinkRole, LinkState } from '../link/link.ts'
import type { Timestamp } from '../timestamp.ts'
import type { TranscriptName } from '../transcript/transcript-kind.ts'

/**
 * What a record can lack, and the field to fill. A record lacks `media` if it has none of the four files, and `embed` if
 * it has no player markup and the site has no player for it either.
 */
export const missingFields = {
  language: 'language',
  recorded: 'recorded',
  duration: 'duration',
  speakers: 'speakers',
  tags: 'tags',
  summary: 'summary',
  description: 'description',
  thumbnail: 'thumbnail_url',
  source: 'source_url',
  licence: 'copyright_text',
  media: 'video_mp4_url',
  embed: 'embed',
} as const satisfies { readonly [what: string]: FieldName }

export type Missing = keyof typeof missingFields

// True because `missingFields` is a literal: Object.keys returns exactly its own keys, in order.
export const missingKinds = Object.keys(missingFields) as Missing[]

export const toMissingCode = <M extends Missing>(what: M): `missing_${M}` => `missing_${what}`

/** Findings that follow from the record alone. The listing stores them as bits, in this order (decision 53). */
export const ownCodes = [
  ...missingKinds.map(toMissingCode),
  'insecure_address',
  'playlist_address',
  'placeholder_text',
  'speaker_in_tags',
  'shouting_title',
  'odd_duration',
  'several_speakers',
] as const
export type OwnCode = (typeof ownCodes)[number]

/** Findings that follow from the states of addresses: by the use of the address and its state (decision 95). */
export const linkFindings = {
  video_gone: { roles: ['page'], states: ['gone'] },
  video_private: { roles: ['page'], states: ['private'] },
  video_not_embeddable: { roles: ['page'], states: ['not_embeddable'] },
  video_moved: { roles: ['page'], states: ['moved'] },
  file_gone: { roles: ['file', 'thumbnail'], states: ['gone', 'private'] },
  link_gone: { roles: ['related'], states: ['gone', 'private'] },
} as const satisfies {
  readonly [code: string]: { readonly roles: readonly LinkRole[]; readonly states: readonly LinkState[] }
}
export type LinkCode = keyof typeof linkFindings

// True because `linkFindings` is a literal.
export const linkCodes = Object.keys(linkFindings) as LinkCode[]

/** The finding for an address in this state; null if there is none. */
export const findLinkCode = (role: LinkRole, state: LinkState) =>
  linkCodes.find((code) => {
    const { roles, states }: (typeof linkFindings)[LinkCode] = linkFindings[code]
    return roles.some((each) => each === role) && states.some((each) => each === state)
  })

/** Findings that follow from transcripts (decision 94). */
const transcriptCodes = ['transcript_repeats', 'transcript_length'] as const
export type TranscriptCode = (typeof transcriptCodes)[number]

/** What the traits tell about a transcript without reading it. */
export interface TranscriptTrait {
  readonly name: TranscriptName
  readonly trait: string
  /** Of the talk, in seconds. */
  readonly duration: number | null
}

/** A transcript that ends more seconds than this after its talk belongs to another talk. */
export const maxOverrun = 30

/** The finding for a trait of a transcript; null if there is none. */
export function findTranscriptCode({ trait, duration }: Omit<TranscriptTrait, 'name'>): TranscriptCode | null {
  const [kind, seconds] = trait.split(':')
  if (kind === 'transcript_repeats') return kind
  if (kind !== 'transcript_end' || duration === null) return null
  const end = Number(seconds)
  return 2 * end < duration || end > duration + maxOverrun ? 'transcript_length' : null
}

/** Findings that neither the record nor its columns have: lists read the few records by their ids. */
export const besideCodes = [...linkCodes, ...transcriptCodes] as const
export type BesideCode = (typeof besideCodes)[number]

/** Every finding; those after `ownCodes` depend on the category, on other records, and on what is kept beside records. */
export const findingCodes = [...ownCodes, 'outside_event', 'same_video', ...besideCodes] as const
export type FindingCode = (typeof findingCodes)[number]

export const mediaFields = ['video_mp4_url', 'video_webm_url', 'video_ogv_url', 'video_flv_url'] as const
/** Of one address each. */
export const addressFields = ['source_url', ...mediaFields, 'thumbnail_url'] as const
const downloadOnly = ['video_mp4_download_only', 'video_webm_download_only', 'video_ogv_download_only'] as const

/**
 * The fields and companions that each finding depends on, `transcripts` in any language. A change of one of them ends its
 * acceptance (decision 88).
 */
export const findingFields: { readonly [C in FindingCode]: readonly (ChangedName | 'transcripts')[] } = {
  missing_language: ['language'],
  missing_recorded: ['recorded'],
  missing_duration: ['duration'],
  missing_speakers: ['speakers'],
  missing_tags: ['tags'],
  missing_summary: ['summary'],
  missing_description: ['description'],
  missing_thumbnail: ['thumbnail_url'],
  missing_source: ['source_url'],
  missing_licence: ['copyright_text'],
  missing_media: mediaFields,
  missing_embed: ['embed', 'source_url', ...mediaFields, ...downloadOnly],
  insecure_address: addressFields,
  playlist_address: ['source_url'],
  placeholder_text: ['title', 'summary', 'description', 'speakers', 'tags'],
  speaker_in_tags: ['speakers', 'tags'],
  shouting_title: ['title'],
  odd_duration: ['duration'],
  several_speakers: ['speakers'],
  outside_event: ['recorded', 'category'],
  same_video: ['source_url'],
  video_gone: ['source_url', 'recordings'],
  video_private: ['source_url', 'recordings'],
  video_not_embeddable: ['source_url', 'recordings'],
  video_moved: ['source_url', 'recordings'],
  file_gone: [...mediaFields, 'thumbnail_url', 'recordings'],
  link_gone: ['related'],
  transcript_repeats: ['transcripts'],
  transcript_length: ['transcripts', 'duration'],
}

/** The findings that depend on each field and companion. Every change of a record asks, so it is not searched for. */
const codesByName = Map.groupBy(
  findingCodes.flatMap((code) => findingFields[code].map((name) => ({ code, name }))),
  ({ name }): string => name,
)

/** The findings that depend on one of these. */
export function listAffected(changed: readonly string[]): FindingCode[] {
  const names = changed.map((name) => (name.startsWith('transcripts/') ? 'transcripts' : name))
  const affected = new Set(names.flatMap((name) => codesByName.get(name) ?? []).map(({ code }) => code))
  return findingCodes.filter((code) => affected.has(code))
}

export const isMissing = (text: string): text is Missing => Object.hasOwn(missingFields, text)
export const isFindingCode = (text: string): text is FindingCode => findingCodes.some((code) => code === text)

/** The bits of these codes in the column `quality`. */
export function toQualityBits(codes: Iterable<FindingCode>): number {
  let bits = 0
  for (const code of codes) bits |= bitsByCode.get(code) ?? 0
  return bits
}

const bitsByCode: ReadonlyMap<FindingCode, number> = new Map(ownCodes.map((code, i) => [code, 1 << i]))

/** Set in `quality` if the record has a note for curators. */
export const whiteboardBit = 1 << ownCodes.length
/** Set in `quality` if that note begins with the mark of parked drafts (decision 60). */
export const parkedBit = whiteboardBit << 1

/** Something that a curator should look at. A type, not an interface, so that it is assignable to JSON. */
export type Finding = {
  readonly code: FindingCode
  /** The field or companion to look at first. */
  readonly field: FieldName | CompanionName
  /** A sentence that says what to do. */
  readonly detail: string
}

/** Who called something fine as it is, or not worth the work, and when. */
export type Decided = { readonly by: string; readonly at: Timestamp }

/** The findings of a record. A finding that is hidden for all is in neither list. */
export interface RecordFindings {
  readonly findings: readonly Finding[]
  /** Those that somebody has called fine as they are. */
  readonly accepted: readonly (Finding & Decided)[]
  /** Seq of the newest version of the record. */
  readonly asOf: number
}

/** Shorter lengths are mostly minutes taken for seconds, longer ones milliseconds. */
export const shortestPlausible = 60
const longest = 8 * 3600

/** Whether a length is known and cannot be that of a talk (`odd_duration`). */
export function isOddDuration(seconds: number | null): seconds is number {
  return seconds !== null && (seconds < shortestPlausible || seconds > longest)
}

/** The length as pages and feeds show it; null if it is not known or odd. */
export function toPlausibleDuration(seconds: number | null): number | null {
  return isOddDuration(seconds) ? null : seconds
}
