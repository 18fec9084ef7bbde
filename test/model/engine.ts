import type { Command } from '../../src/record/command.ts'
import type { BatchLine } from '../../src/store/batch-reads.ts'
import type { ChangeDetails, FeedEntry, StoredVersion, VersionLine } from '../../src/store/change-log.ts'
import type { Outcome, StoredRecord } from '../../src/store/store.ts'
import type { NameKind } from './model-names.ts'
import type { ListAnswer } from './questions.ts'

/**
 * What keeps records and their history, as these tests ask it: a store on a real file, or the model that it is held
 * against. Records and batches are numbered from 1 without gaps, so that a command can name what an earlier one of its
 * group will have made.
 */
export interface Engine {
  /** One group at one time; an outcome for each command. */
  run(commands: readonly Command[], nowMs: number): Promise<readonly Outcome[]>
  read(id: number): Promise<StoredRecord | null>
  readVersion(id: number, number: number): Promise<StoredVersion | null>
  /** Every version of a record, newest first. */
  history(id: number): Promise<readonly VersionLine[]>
  /** The whole feed in the order of commits, with drafts and details or as the public reads it. */
  changes(drafts: boolean): Promise<readonly FeedLine[]>
  /** Every batch, newest first. */
  batches(): Promise<readonly BatchLine[]>
  vocabulary(): Promise<Vocabulary>
  /** One of `questions`, with drafts or as the public asks it. */
  ask(parameters: string, drafts: boolean): Promise<ListAnswer>
  counts(): Promise<Counts>
}

export type FeedLine = FeedEntry & { readonly details: ChangeDetails | null }

/** Each list in the order of its own first column. */
export interface Vocabulary {
  readonly categories: readonly { readonly slug: string; readonly title: string; readonly ids: readonly number[] }[]
  readonly speakers: readonly { readonly name: string; readonly count: number }[]
  readonly tags: readonly { readonly name: string; readonly count: number }[]
  /** All rows by id, those without records too, and the ids that aliases lead to. */
  readonly names: { readonly [K in NameKind]: readonly { readonly name: string; readonly mergedInto: number | null }[] }
}

export interface Counts {
  readonly records: number
  readonly versions: number
  readonly batches: number
  readonly categories: number
}
