import type { FieldName } from '../fields.ts'

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

/** Every finding; the last two depend on the category and on other records. */
export const findingCodes = [...ownCodes, 'outside_event', 'same_video'] as const
export type FindingCode = (typeof findingCodes)[number]

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
  readonly field: FieldName
  /** A sentence that says what to do. */
  readonly detail: string
}
