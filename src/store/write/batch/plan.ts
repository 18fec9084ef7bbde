import type {
  Author,
  BulkCommand,
  CategoryCommand,
  NameCommand,
  Refusal,
  UndoCommand,
} from '../../../record/command.ts'
import { decide } from '../../../record/decide.ts'
import type { WritableName } from '../../../record/fields.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { JsonValue } from '../../../record/json/json-value.ts'
import type { Changes, VideoRecord } from '../../../record/record.ts'
import { type Timestamp, toLater } from '../../../record/timestamp.ts'
import type { BatchKind } from '../../change-log.ts'
import type { Outcome, StoredRecord } from '../../store.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import type { BatchPart } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchKey, BatchNote, CategoryRename } from './batch-rows.ts'

/** A command that changes many records as one batch. */
export type BatchCommand = UndoCommand | CategoryCommand | NameCommand | BulkCommand

/** What a batch does to a record. `notes` name the fields that it leaves as they are. */
export type Judgement =
  | {
      readonly is: 'accepted'
      readonly stored: StoredRecord
      readonly before: VideoRecord
      readonly after: VideoRecord
      readonly changed: readonly WritableName[]
      /** What its related links become; null if they stay as they are. */
      readonly links: readonly JsonValue[] | null
      readonly notes: readonly BatchNote[]
    }
  | { readonly is: 'unchanged' | 'refused'; readonly notes: readonly BatchNote[] }

/** Writes nothing. `stored` is null for a record that does not exist. */
export type Judge = (id: number, stored: StoredRecord | null, at: Timestamp) => Promise<Judgement>

/**
 * What a batch is to do: all that differs between bulk changes, restores, undos, renames and merges (decision 74). Made
 * within the transaction that runs it, or the first of its slices.
 */
export interface Plan {
  readonly is: 'plan'
  readonly kind: BatchKind
  readonly command: BatchCommand
  /** The batch that this one undoes. */
  readonly undoes: number | null
  /** Ascending: the search index is fast only then. */
  readonly ids: readonly number[]
  readonly judge: Judge
  /** Whether nothing changes if one record refuses. */
  readonly isAllOrNothing: boolean
  /** Whether a large one goes in slices; otherwise it is one transaction, whatever its size. */
  readonly maySlice: boolean
  /** Whether the same request has changed nothing before: it changes nothing again. */
  readonly isRepeat?: boolean
  /** Changes names and categories before the records; returns what the row of the batch is to say about it. */
  begin?(authorship: CategoryAuthorship): Promise<readonly BatchPart[]>
  /** Once all records are judged and before they are written: the categories that they will name. Not in slices. */
  beforeWriting?(titles: NewTitles, authorship: CategoryAuthorship): Promise<void>
  /** Once the records are written. `linked`: those whose links changed. */
  finish?(linked: readonly number[], authorship: CategoryAuthorship): Promise<Finished>
  /** What the answer has besides the batch. */
  readMore?(): Promise<Pick<Extract<Outcome, { is: 'batch' }>, 'category' | 'name'>>
}

/** The titles of the categories that records get, by record. */
export type NewTitles = ReadonlyMap<number, string>

/** What a batch did besides changing records. */
export interface Finished {
  readonly parts: readonly BatchPart[]
  readonly rename?: CategoryRename | null
}

export const refuse = (refusal: Refusal): Extract<Outcome, { is: 'refused' }> => ({ is: 'refused', refusal })

export const toRunning = (batch: number): Refusal => ({
  code: 'batch_running',
  detail: `Batch ${batch} is still running; wait until it is done. See /api/v2/batches/${batch}.`,
})

/** Judges changes of a record by `decide`, in the role of the author. */
export function judgeChanges(
  stored: StoredRecord,
  { author, changes, links = null, notes = [] }: Judged,
  at: Timestamp,
): Judgement {
  const { id } = stored
  const before = fromBody(stored.body)
  const command = { kind: 'merge', id, author, precondition: {}, changes } as const
  const decision = decide({ record: before, versionTag: stored.versionTag }, command, at)
  if (decision.is === 'refused') return refuseRecord(id, decision.refusal.code)
  if (decision.is === 'accepted')
    return { is: 'accepted', stored, before, after: decision.record, changed: decision.changed, links, notes }
  if (links === null) return { is: 'unchanged', notes }
  const after = { ...before, updated: toLater(before.updated, at) }
  return { is: 'accepted', stored, before, after, changed: [], links, notes }
}

interface Judged {
  readonly author: Author
  readonly changes: Changes
  readonly links?: readonly JsonValue[] | null
  readonly notes?: readonly BatchNote[]
}

export function refuseRecord(id: number, why: string, fields: readonly string[] = []): Judgement {
  return { is: 'refused', notes: [{ id, kind: 'refused', why, fields }] }
}

/** For changes that no record can refuse: who may rename or merge names may change every record. */
export function createCertainJudge(author: Author, findChanges: (stored: StoredRecord) => Promise<Changes>): Judge {
  return async (id, stored, at) => {
    // Erased after the batch has begun.
    if (stored === null) return { is: 'unchanged', notes: [] }
    const judged = judgeChanges(stored, { author, changes: await findChanges(stored) }, at)
    if (judged.is === 'refused') throw new Error(`record ${id}: ${judged.notes[0]?.why}`)
    return judged
  }
}

/** The Idempotency-Key of a command with the hash of its request; null without a key, and for a dry run. */
export function toBatchKey(
  command: { readonly idempotencyKey?: string; readonly isDryRun?: boolean },
  request: unknown,
): BatchKey | null {
  const { idempotencyKey: key, isDryRun = false } = command
  if (key === undefined || isDryRun) return null
  return { key, request: new Bun.CryptoHasher('sha256').update(JSON.stringify(request)).digest('hex') }
}

/** What a key was used for before: a batch, the same request without a batch, or another request. */
export type Earlier = number | 'no batch' | 'other'

/** Null for a new key. */
export async function findEarlier(
  rows: RecordRows,
  author: string,
  key: BatchKey,
  at: Timestamp,
): Promise<Earlier | null> {
  const known = await rows.idempotency.has(toRequest(author, key), at)
  if (known === false) return rows.batches.findByKey(author, key, at)
  return known === 'other' ? 'other' : 'no batch'
}

/** For a request that was carried out without a batch, perhaps because there was nothing to change. */
export function rememberNoBatch(rows: RecordRows, author: string, key: BatchKey | null, at: Timestamp): void {
  if (key !== null) rows.idempotency.rememberAlone(toRequest(author, key), at)
}

function toRequest(author: string, { key, request }: BatchKey) {
  return { author, key, request: Buffer.from(request, 'hex') }
}
