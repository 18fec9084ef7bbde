import type { WritableName } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json/json-value.ts'
import type { Changes } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'

/** What no field has a place for, and what the record alone would have said instead. */
export interface Extras {
  readonly values: JsonObject
  readonly basis: JsonObject
}

export interface ImportedTalk {
  readonly path: string
  readonly id: number | null
  readonly slug: string | null
  readonly added: Timestamp | null
  /** The time of the version that this is, where it was exported from a store. */
  readonly updated: Timestamp | null
  readonly changes: Changes
  /** Those of them that only a new record takes: the source has a value there that the field cannot hold. */
  readonly unfitNames: readonly WritableName[]
  /** The source says that it must not be published. */
  readonly isTakenDown: boolean
  /** What the source says beside the record that came of it, which has this slug. */
  toExtras(slug: string): Extras | null
}

export interface ImportedCategory {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly extras: Extras
}

export interface ImportOptions {
  readonly source: string
  /** The name that the source had in older stores: only digests of erased talks are compared with it. */
  readonly formerSource?: string
  readonly author: string
  readonly reason: string | null
  /** Of records that are new here. */
  readonly state: 1 | 2
  readonly isDryRun: boolean
  /** Whether talks that were erased here may come in again. */
  readonly mayBringBack?: boolean
  hasPath(path: string): boolean
  now(): number
}

export interface ImportedRecord {
  readonly is: 'created' | 'updated' | 'unchanged'
  readonly id: number
  /** Why it could not keep the id that it has in the source. */
  readonly renumbered: 'taken' | 'erased' | 'too large' | null
  /** Fields in which the source says something else than people here, whose word stays; or a takedown, which stays too. */
  readonly kept: readonly WritableName[]
  /** Whether an undone import had made it a draft, and this one made it live again. */
  readonly isLiveAgain: boolean
  /** Whether the extras of the record are this source's, so that they have what no field could hold. */
  readonly hasExtras: boolean
}

export type ImportOutcome =
  | ImportedRecord
  /** It was here before, and was erased for good. */
  | { readonly is: 'erased'; readonly at: Timestamp }
  /** The source says that it must not be published. Its record here, if there is one, is a draft now. */
  | { readonly is: 'taken down'; readonly id: number | null; readonly wasLive: boolean }

export interface TakenDownGone {
  readonly path: string
  /** In the source. */
  readonly id: number
  readonly outcome: ImportOutcome
}

/** Brings talks in, group by group, all as one batch. */
export interface Importer {
  /** One group: one transaction, one fsync. */
  run(talks: readonly ImportedTalk[], categories: readonly ImportedCategory[]): Promise<readonly ImportOutcome[]>
  /**
   * Takes down the records of this source that are in there no more, if what was kept of them is listed: `findListed`
   * gives the id in the source by which it is.
   */
  takeDownGone(findListed: (values: JsonObject) => number | null): Promise<readonly TakenDownGone[]>
  /** Null while nothing was changed. */
  batch(): number | null
}
