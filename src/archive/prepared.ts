import type { JsonObject } from '../record/json/json-value.ts'
import { isTooLargeForExtras, maxExtrasBytes, toDefaults } from '../record/record.ts'
import type {
  Incoming,
  IncomingCategory,
  IncomingProblem,
  IncomingTakedowns,
  IncomingTalk,
  Original,
} from './incoming.ts'
import { type Fileable, toCategoryFile, toFile } from './pyvideo.ts'
import { type Residue, toResidue } from './round-trip.ts'

/** A talk with everything about it that can be known without the store. */
export interface PreparedTalk extends Omit<IncomingTalk, 'original'> {
  /** What its record cannot express. The record's slug is not known yet; see `settle`. */
  readonly kept: Residue | null
}

export interface PreparedCategory extends Omit<IncomingCategory, 'original'> {
  readonly kept: Residue
}

export type PreparedEntry = PreparedTalk | PreparedCategory | IncomingProblem | IncomingTakedowns

export function prepare(incoming: Incoming): PreparedEntry {
  if (incoming.is === 'problem' || incoming.is === 'takedowns') return incoming
  const prepared = incoming.is === 'talk' ? prepareTalk(incoming) : prepareCategory(incoming)
  // A takedown keeps nothing, and must not be refused.
  const isKept = prepared.is === 'category' || !prepared.isTakenDown
  return isKept && isTooLargeForExtras(prepared.kept?.values ?? null) ? refuse(prepared.path) : prepared
}

function refuse(path: string): IncomingProblem {
  const reason = `More than ${maxExtrasBytes / 1024 / 1024} MiB of extra data.`
  return { is: 'problem', path, field: null, reason }
}

function prepareTalk({ original, ...talk }: IncomingTalk): PreparedTalk {
  // `changes` has the fields of the source, the defaults have the others; the store chooses the slug.
  const record = { ...toDefaults(), ...talk.changes, slug: '' } as Fileable
  return { ...talk, kept: original === null ? null : toTalkResidue(original, toFile(record)) }
}

function toTalkResidue({ is, values }: Original, file: JsonObject): Residue | null {
  if (is === 'file') return toResidue(values, file, 'slug')
  const said = Object.entries(file).filter(([key]) => Object.hasOwn(values, key))
  return { values, basis: { said: Object.fromEntries(said), absent: [] } }
}

function prepareCategory({ original, ...category }: IncomingCategory): PreparedCategory {
  const said = toCategoryFile(category.title, category.description)
  const kept = toResidue(original, said)
  // Keeps everything the source says, so that the next import sees what has changed.
  return { ...category, kept: { values: kept?.values ?? {}, basis: { said, absent: kept?.basis.absent ?? [] } } }
}
