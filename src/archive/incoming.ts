import type { ArchivedFields } from '../record/category.ts'
import { type CompanionChange, type SingleName, toKind } from '../record/companion/kinds.ts'
import type { JsonObject } from '../record/json.ts'
import type { ProfileChanges } from '../record/profile.ts'
import { type Changes, isTooLargeForExtras, maxExtrasBytes, toDefaults } from '../record/record.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Unfit } from './fit.ts'
import { type Fileable, toCategoryFile, toFile } from './pyvideo.ts'
import { type Residue, toResidue } from './round-trip.ts'

/** One talk of a source, mapped to the fields of a record. */
export interface IncomingTalk {
  readonly is: 'talk'
  /** Where the talk is in the source, for reports; the same in every run. */
  readonly path: string
  /** The id in the source; null if it has none. */
  readonly id: number | null
  readonly slug: string | null
  readonly added: Timestamp | null
  /** When the record was last changed, if it was exported from a store: identifies the version. */
  readonly updated: Timestamp | null
  /** All fields that a record needs, as they are stored. */
  readonly changes: Changes
  /** Values that do not fit their fields; `original` has them, so that they are kept. */
  readonly unfit: readonly Unfit[]
  /** Whether the source says that the talk must not be published. */
  readonly isTakenDown: boolean
  readonly original: Original | null
  /** What the source has beside the record, as a server gives it. */
  readonly companions?: readonly CompanionChange[]
  /** Companions that a server said nothing about: what it gave earlier stays. Only servers have this. */
  readonly unsaid?: readonly SingleName[]
}

/** The source's own data: the whole file or, for a record as the API serves it, the values that do not fit. */
interface Original {
  readonly is: 'file' | 'unfit'
  readonly values: JsonObject
}

/** What a source says about a category. */
interface IncomingCategory {
  readonly is: 'category'
  readonly path: string
  readonly title: string
  /** Without those whose values do not fit; `original` has them. */
  readonly fields: Partial<ArchivedFields>
  readonly unfit: readonly Unfit[]
  readonly original: JsonObject
}

/** What a source says about a speaker. */
interface IncomingSpeaker {
  readonly is: 'speaker'
  readonly name: string
  readonly profile: ProfileChanges
}

export interface IncomingProblem {
  readonly is: 'problem'
  readonly path: string
  readonly field: string | null
  readonly reason: string
  /** The source cannot be reached, or no longer can. */
  readonly isUnreachable?: true
}

/** Talks that must not be published and have no file in the source. */
interface IncomingTakedowns {
  readonly is: 'takedowns'
  readonly ids: readonly number[]
}

export type Incoming = IncomingTalk | IncomingCategory | IncomingSpeaker | IncomingProblem | IncomingTakedowns

/** Something to import records from. */
export interface ArchiveSource {
  /** Its name in the origins of its records: the same in every run, wherever the source is. */
  readonly name: string
  /** The name in older stores, if it differs. It contains a password: for comparison only, never stored. */
  readonly formerName?: string
  /** The number of files or lines, for the progress bar; null if it is not known. */
  readonly total: number | null
  /** Whether the source still has something at this path. */
  has(path: string): boolean
  read(): AsyncIterable<Incoming>
  /** WebVTT files beside the talks, by their paths. */
  captions?(): Iterable<IncomingFile>
}

interface IncomingFile {
  readonly path: string
  read(): Buffer | { readonly reason: string }
}

/** A talk with everything that can be computed without the store. */
export interface PreparedTalk extends Omit<IncomingTalk, 'original' | 'companions'> {
  /** What its record cannot express. The record's slug is not known yet; see `settle`. */
  readonly kept: Residue | null
}

interface PreparedCategory extends Omit<IncomingCategory, 'original'> {
  readonly kept: Residue
}

export type PreparedEntry = PreparedTalk | PreparedCategory | IncomingSpeaker | IncomingProblem | IncomingTakedowns

export function prepare(incoming: Incoming): PreparedEntry {
  if (incoming.is !== 'talk' && incoming.is !== 'category') return incoming
  const prepared = incoming.is === 'talk' ? prepareTalk(incoming) : prepareCategory(incoming)
  // A takedown keeps nothing, and must not be refused.
  const isKept = prepared.is === 'category' || !prepared.isTakenDown
  return isKept && isTooLargeForExtras(prepared.kept?.values ?? null) ? refuse(prepared.path) : prepared
}

function refuse(path: string): IncomingProblem {
  const reason = `More than ${maxExtrasBytes / 1024 / 1024} MiB of extra data.`
  return { is: 'problem', path, field: null, reason }
}

function prepareTalk({ original, companions = [], ...talk }: IncomingTalk): PreparedTalk {
  // `changes` has the fields of the source, the defaults have the others; the store chooses the slug.
  const record = { ...toDefaults(), ...talk.changes, slug: '' } as Fileable
  return { ...talk, kept: toTalkResidue(original, companions, toFile(record)) }
}

/** Companions are kept as a file would have them, and are read from there (decision 91). */
function toTalkResidue(
  original: Original | null,
  companions: readonly CompanionChange[],
  file: JsonObject,
): Residue | null {
  if (original?.is === 'file') return toResidue(original.values, file, 'slug')
  const beside = companions.map(({ name, content }) => toKind(name).toSource(content, null, file))
  const values: JsonObject = Object.assign({}, original?.values, ...beside)
  if (original === null && beside.length === 0) return null
  const said = Object.entries(file).filter(([key]) => Object.hasOwn(values, key))
  return { values, basis: { said: Object.fromEntries(said), absent: [] } }
}

function prepareCategory({ original, ...category }: IncomingCategory): PreparedCategory {
  const said = toCategoryFile(category.title, category.fields)
  const kept = toResidue(original, said)
  // Keeps all data of the source, so that the next import sees what has changed.
  return { ...category, kept: { values: kept?.values ?? {}, basis: { said, absent: kept?.basis.absent ?? [] } } }
}
