import type { JsonObject } from '../record/json/json-value.ts'
import type { Changes } from '../record/record.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Unfit } from './fit.ts'

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
}

/** What the source says: the whole file or, for a record as the API serves it, the values that do not fit. */
export interface Original {
  readonly is: 'file' | 'unfit'
  readonly values: JsonObject
}

/** What a source says about a category. */
export interface IncomingCategory {
  readonly is: 'category'
  readonly path: string
  readonly title: string
  readonly description: string
  /** Values that do not fit; `original` has them. */
  readonly unfit: readonly Unfit[]
  readonly original: JsonObject
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
export interface IncomingTakedowns {
  readonly is: 'takedowns'
  readonly ids: readonly number[]
}

export type Incoming = IncomingTalk | IncomingCategory | IncomingProblem | IncomingTakedowns

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
}
