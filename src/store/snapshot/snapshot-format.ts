import type { Change } from '../columns/change-follower.ts'
import { slotArrayTypes } from '../columns/slot-arrays.ts'

/**
 * Increase it whenever the sections change, or the words that `record-words.ts` finds in a record: an older file is then
 * ignored. A test compares a digest of these.
 */
export const snapshotFormat = 4

/** Folding and classes of letters are those of the runtime. */
export const runtime = `${Bun.version} ${process.versions.unicode ?? ''}`

/** What a snapshot says of itself. */
export interface SnapshotFacts {
  readonly runtime: string
  /** The number of migrations: one may change listed values without a version. */
  readonly schema: number
  readonly storeId: string
  readonly change: Change
  readonly languageNames: readonly string[]
  readonly hostNames: readonly string[]
  readonly authorNames: readonly string[]
  readonly segmentCount: number
}

/** Sections with one value per slot, and their arrays. */
export const slotSections = { ids: Float64Array, ...slotArrayTypes } as const

/** Hashes of source URLs. */
export const videoSection = 'video hashes'

/** Sections of each segment; their names are preceded by its number. */
export const segmentSections = {
  slots: Uint32Array,
  titleLengths: Uint8Array,
  sizes: Uint8Array,
  words: Uint32Array,
  starts: Uint32Array,
  positions: Uint16Array,
  occurrences: Uint16Array,
  titleStarts: Uint32Array,
  titlePositions: Uint16Array,
} as const

export const toSegmentSection = (segment: number, name: string) => `segment ${segment} ${name}`

/** Texts are in UTF-8, each followed by a line feed, which no word contains. */
export const wordSections = {
  numbers: 'word numbers',
  signatures: 'word signatures',
  texts: 'word texts',
  order: 'word order',
} as const

export const toListSection = (kind: 'speakers' | 'tags', part: 'starts' | 'lists') => `${kind} ${part}`
