import type { BatchCommand, CreateCommand, Refusal } from '../../../record/command.ts'
import type { CompanionChange } from '../../../record/companion/kinds.ts'
import { decide, toUpdated } from '../../../record/decide.ts'
import type { WritableName } from '../../../record/fields.ts'
import { type Changes, fromBody, type VideoRecord } from '../../../record/record.ts'
import type { Author } from '../../../record/role.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchKind } from '../../batch-reads.ts'
import type { Outcome } from '../../store.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import type { BatchPart } from '../names/name-change.ts'
import type { WritableRecord } from '../version-rows.ts'
import type { BatchNote, CategoryRename } from './batch-rows.ts'

/** The effect of a batch on a record. `notes` name the fields that it leaves unchanged. */
export type Judgement =
  | {
      readonly is: 'accepted'
      readonly stored: WritableRecord
      readonly before: VideoRecord
      readonly after: VideoRecord
      readonly changed: readonly WritableName[]
      /** Its companions that change. */
      readonly companions: readonly CompanionChange[]
      readonly notes: readonly BatchNote[]
    }
  | { readonly is: 'unchanged' | 'refused'; readonly notes: readonly BatchNote[] }

/** Writes nothing. `stored` is null for a record that does not exist. */
export type Judge = (id: number, stored: WritableRecord | null, at: Timestamp) => Promise<Judgement>

/**
 * What a batch will do: everything that differs between bulk changes, restores, undos, renames and merges (decision 74).
 * Created within the transaction that runs it, or that of its first slice.
 */
export interface Plan {
  readonly is: 'plan'
  readonly kind: BatchKind
  readonly command: BatchCommand
  /** The batch that this one undoes. */
  readonly undoes: number | null
  /** In ascending order: otherwise the search index is slow. */
  readonly ids: readonly number[]
  readonly judge: Judge
  /** The records that it creates. */
  readonly newRecords?: RecordsToCreate
  /** Whether one refusing record prevents the whole batch. */
  readonly isAllOrNothing: boolean
  /** Whether a large batch runs in slices; otherwise it is one transaction of any size. */
  readonly maySlice: boolean
  /** Whether this is a repeated request that changed nothing: it changes nothing again. */
  readonly isRepeat?: boolean
  /** Changes names and categories before the records; returns these changes, for the row of the batch. */
  begin?(authorship: FieldAuthorship): Promise<readonly BatchPart[]>
  /** Called with the new categories of records after all are judged and before they are written. Not for slices. */
  beforeWriting?(titles: NewTitles, authorship: FieldAuthorship): Promise<void>
  /** Called after the records are written. */
  finish?(authorship: FieldAuthorship, batch: number): Promise<Finished>
  /** What a dry run adds to its outcome. */
  readPreview?(asOf: number, at: Timestamp): Promise<Pick<Extract<Outcome, { is: 'batch' }>, 'table'>>
  /** Members of the outcome besides the batch. */
  readMore?(): Promise<Pick<Extract<Outcome, { is: 'batch' }>, 'category' | 'name' | 'refusedRows'>>
}

/** Records that a batch creates, after it has changed others. */
interface RecordsToCreate {
  /** How many rows there are; some may be refused. */
  readonly count: number
  judge(at: Timestamp): Promise<JudgedNewRecords>
}

export interface JudgedNewRecords {
  readonly accepted: readonly CreateCommand[]
  readonly refused: number
}

/** How many records a batch is about. */
export const toTotal = ({ ids, newRecords }: Plan) => ids.length + (newRecords?.count ?? 0)

/** The titles of the categories that records get, by record. */
export type NewTitles = ReadonlyMap<number, string>

/** Changes of a batch other than those of records. */
export interface Finished {
  readonly parts: readonly BatchPart[]
  readonly rename?: CategoryRename | null
}

export const refuseCommand = (refusal: Refusal): Extract<Outcome, { is: 'refused' }> => ({ is: 'refused', refusal })

export const toRunning = (batch: number): Refusal => ({
  code: 'batch_running',
  detail: `Batch ${batch} is still running; wait until it is done. See /api/v2/batches/${batch}.`,
})

/** Judges changes of a record by `decide`, in the role of the author. */
export function judgeChanges(
  stored: WritableRecord,
  { author, changes, companions = [], notes = [] }: Judged,
  at: Timestamp,
): Judgement {
  const { id } = stored
  const before = fromBody(stored.body)
  const command = { kind: 'merge', id, author, precondition: {}, changes } as const
  const decision = decide({ record: before, versionTag: stored.versionTag }, command, at)
  if (decision.is === 'refused') return refuseRecord(id, decision.refusal.code)
  if (decision.is === 'accepted')
    return { is: 'accepted', stored, before, after: decision.record, changed: decision.changed, companions, notes }
  if (companions.length === 0) return { is: 'unchanged', notes }
  return { is: 'accepted', stored, before, after: toUpdated(before, at), changed: [], companions, notes }
}

interface Judged {
  readonly author: Author
  readonly changes: Changes
  readonly companions?: readonly CompanionChange[]
  readonly notes?: readonly BatchNote[]
}

export function refuseRecord(id: number, why: string, fields: readonly string[] = []): Judgement {
  return { is: 'refused', notes: [{ id, kind: 'refused', why, fields }] }
}

/** For changes that no record can refuse: only publishers rename or merge names, and they may change every record. */
export function createCertainJudge(author: Author, findChanges: (stored: WritableRecord) => Promise<Changes>): Judge {
  return async (id, stored, at) => {
    // Erased after the batch has begun.
    if (stored === null) return { is: 'unchanged', notes: [] }
    // Its own event may get another title.
    const { events: _, ...anywhere } = author
    const judged = judgeChanges(stored, { author: anywhere, changes: await findChanges(stored) }, at)
    if (judged.is === 'refused') throw new Error(`record ${id}: ${judged.notes[0]?.why}`)
    return judged
  }
}
