import type { JsonObject } from '../record/json-value.ts'
import type { Changes } from '../record/record.ts'
import type { Timestamp } from '../record/timestamp.ts'

/** One talk as it comes out of a source, read and mapped. */
export interface IncomingTalk {
  readonly is: 'talk'
  /** Where in the source, as reports call it; the same in every run. */
  readonly path: string
  /** What the source calls it; null where it has none. */
  readonly id: number | null
  readonly slug: string | null
  readonly added: Timestamp | null
  /** All fields that a record needs, as they will be stored. */
  readonly changes: Changes
  /** The whole of what the source says, if it is not a record of the service's own shape. */
  readonly original: JsonObject | null
}

/** What a source knows of a category beside its title. */
export interface IncomingCategory {
  readonly is: 'category'
  readonly path: string
  readonly title: string
  readonly description: string
  readonly original: JsonObject
}

export interface IncomingProblem {
  readonly is: 'problem'
  readonly path: string
  readonly field: string | null
  readonly reason: string
}

export type Incoming = IncomingTalk | IncomingCategory | IncomingProblem

/** Something that records can be imported from. */
export interface Source {
  /** Its name in the origins of its records: the same in every run, wherever it lies. */
  readonly name: string
  /** How many files or lines there are, for the progress bar; null where nobody knows. */
  readonly total: number | null
  /** Whether the source still has something at this path, so that it is spoken for. */
  has(path: string): boolean
  read(): AsyncIterable<Incoming>
}
