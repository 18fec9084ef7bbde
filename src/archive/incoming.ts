import type { JsonObject } from '../record/json/json-value.ts'
import type { Changes } from '../record/record.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Unfit } from './fit.ts'

/** One talk as it comes out of a source, read and mapped. */
export interface IncomingTalk {
  readonly is: 'talk'
  /** Where in the source, as reports call it; the same in every run. */
  readonly path: string
  /** What the source calls it; null where it has none. */
  readonly id: number | null
  readonly slug: string | null
  readonly added: Timestamp | null
  /** When the record was last changed, where the source is a store's own export: which version of it this is. */
  readonly updated: Timestamp | null
  /** All fields that a record needs, as they will be stored. */
  readonly changes: Changes
  /** Values that no field could hold; they are in `original`, so that they are kept. */
  readonly unfit: readonly Unfit[]
  /** The source says that it must not be published. */
  readonly isTakenDown: boolean
  readonly original: Original | null
}

/** What the source says: the whole file, or of a record in the service's own shape that which no field could hold. */
export interface Original {
  readonly is: 'file' | 'unfit'
  readonly values: JsonObject
}

/** What a source knows of a category beside its title. */
export interface IncomingCategory {
  readonly is: 'category'
  readonly path: string
  readonly title: string
  readonly description: string
  /** Values that no field could hold; they are in `original`. */
  readonly unfit: readonly Unfit[]
  readonly original: JsonObject
}

export interface IncomingProblem {
  readonly is: 'problem'
  readonly path: string
  readonly field: string | null
  readonly reason: string
  /** The source is not there, or is there no more. */
  readonly isUnreachable?: true
}

/** Talks that must not be published, of which the source has no file. */
export interface IncomingTakedowns {
  readonly is: 'takedowns'
  readonly ids: readonly number[]
}

export type Incoming = IncomingTalk | IncomingCategory | IncomingProblem | IncomingTakedowns

/** Something that records can be imported from. */
export interface ArchiveSource {
  /** Its name in the origins of its records: the same in every run, wherever it lies. */
  readonly name: string
  /** The name that it had in older stores, if that was another: a secret, to compare with and never to keep. */
  readonly formerName?: string
  /** How many files or lines there are, for the progress bar; null where nobody knows. */
  readonly total: number | null
  /** Whether the source still has something at this path, so that it is spoken for. */
  has(path: string): boolean
  read(): AsyncIterable<Incoming>
}
