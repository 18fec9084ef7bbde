import type { ArchivedFields } from '../../record/category.ts'
import type { ChangedName, SingleName } from '../../record/companion/kinds.ts'
import type { WritableName } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import type { EntryKind } from '../../record/name.ts'
import type { ProfileChanges } from '../../record/profile.ts'
import type { Changes, VideoRecord } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'

/** Values that fit no field, and the output of an export without them (decision 12). */
export interface Extras {
  readonly values: JsonObject
  readonly basis: JsonObject
}

export interface ImportedTalk {
  readonly path: string
  readonly id: number | null
  readonly slug: string | null
  readonly added: Timestamp | null
  /** The time of the exported version, if the talk was exported from a store. */
  readonly updated: Timestamp | null
  readonly changes: Changes
  /** Fields whose value in the source does not fit; only a new record takes the replacement in `changes`. */
  readonly unfitNames: readonly WritableName[]
  /** The source lists the talk as one that must not be published. */
  readonly isTakenDown: boolean
  /** Companions that a server said nothing about; undefined for other sources. */
  readonly unsaid?: readonly SingleName[]
  /** The values that fit no field, for a record with this slug. */
  toExtras(slug: string): Extras | null
}

export interface ImportedCategory {
  readonly path: string
  readonly title: string
  /** Without those whose values do not fit, which keep their values here. */
  readonly fields: Partial<ArchivedFields>
  readonly extras: Extras
}

export interface ImportedSpeaker {
  readonly name: string
  readonly profile: ProfileChanges
}

export interface ImportOptions {
  readonly source: string
  /** The source's name in older stores; only compared with the digests of erased talks. */
  readonly formerSource?: string
  readonly author: string
  readonly reason: string | null
  /** The state of new records. */
  readonly state: VideoRecord['state']
  readonly isDryRun: boolean
  /** Whether erased talks may be imported again. */
  readonly mayBringBack?: boolean
  hasPath(path: string): boolean
  now(): number
}

/** A name in the source that is an alias here, and the name that the record got instead (decision 52). */
export interface MappedName {
  readonly kind: EntryKind
  readonly from: string
  readonly to: string
}

export interface ImportedRecord {
  readonly is: 'created' | 'updated' | 'unchanged'
  readonly id: number
  /** Why the record could not keep its id from the source. */
  readonly renumbered: 'taken' | 'erased' | 'too large' | null
  /** Fields that differ from the source and keep the value of this store: edited by people, or a takedown. */
  readonly kept: readonly ChangedName[]
  /** Whether the undo of an import had made it a draft, and this import published it again. */
  readonly isLiveAgain: boolean
  /** Whether the values that fit no field are kept: only the extras of a record's first source are. */
  readonly hasExtras: boolean
  readonly mapped: readonly MappedName[]
  /** Records that chapters name in the source, and that are not here. */
  readonly lostParts: readonly number[]
}

export type ImportOutcome =
  | ImportedRecord
  /** The talk was erased before. */
  | { readonly is: 'erased'; readonly at: Timestamp }
  /** The source says that it must not be published. Its record, if there is one, is a draft now. */
  | { readonly is: 'taken down'; readonly id: number | null; readonly wasLive: boolean }

export interface TakenDownGone {
  readonly path: string
  /** The id in the source. */
  readonly id: number
  readonly outcome: ImportOutcome
}

/** Imports talks in groups, all in one batch (decision 20). */
export interface Importer {
  /** One group: one transaction, one fsync. Speakers come after their talks, and fill what nobody has said of them here. */
  run(
    talks: readonly ImportedTalk[],
    categories: readonly ImportedCategory[],
    speakers?: readonly ImportedSpeaker[],
  ): Promise<readonly ImportOutcome[]>
  /**
   * Takes down records whose files are gone from the source and whose extras are listed as taken down: `findListed`
   * returns the listed id.
   */
  takeDownGone(findListed: (values: JsonObject) => number | null): Promise<readonly TakenDownGone[]>
  /** The number of the batch; null until something changes. */
  batch(): number | null
}
