import type { BatchCommand, Refusal } from '../../../record/command.ts'
import { decide } from '../../../record/decide.ts'
import type { WritableName } from '../../../record/fields.ts'
import type { JsonValue } from '../../../record/json.ts'
import { linksField, linksKey } from '../../../record/links.ts'
import { type Changes, fromBody, type VideoRecord } from '../../../record/record.ts'
import { type Author, hasRole } from '../../../record/role.ts'
import { type Timestamp, toLater } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport, BatchState, Difference } from '../../batch-reads.ts'
import { maxNamed } from '../../read/batch-lines.ts'
import type { Outcome, StoredRecord } from '../../store.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import { type BatchPart, toOthers } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchKey, BatchNote, BatchProgress, CategoryRename } from './batch-rows.ts'

/** The effect of a batch on a record. `notes` name the fields that it leaves unchanged. */
export type Judgement =
  | {
      readonly is: 'accepted'
      readonly stored: StoredRecord
      readonly before: VideoRecord
      readonly after: VideoRecord
      readonly changed: readonly WritableName[]
      /** Its new related links; null if they stay unchanged. */
      readonly links: readonly JsonValue[] | null
      readonly notes: readonly BatchNote[]
    }
  | { readonly is: 'unchanged' | 'refused'; readonly notes: readonly BatchNote[] }

/** Writes nothing. `stored` is null for a record that does not exist. */
export type Judge = (id: number, stored: StoredRecord | null, at: Timestamp) => Promise<Judgement>

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
  /** Called after the records are written. `linked`: those whose links changed. */
  finish?(linked: readonly number[], authorship: FieldAuthorship): Promise<Finished>
  /** Members of the outcome besides the batch. */
  readMore?(): Promise<Pick<Extract<Outcome, { is: 'batch' }>, 'category' | 'name'>>
}

/** The titles of the categories that records get, by record. */
export type NewTitles = ReadonlyMap<number, string>

/** Changes of a batch other than those of records. */
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

/** For changes that no record can refuse: only publishers rename or merge names, and they may change every record. */
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

/** The earlier use of a key: a batch, the same request without a batch, or another request. */
type Earlier = number | 'no batch' | 'other'

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

/** For a request that made no batch, for instance because there was nothing to change. */
export function rememberNoBatch(rows: RecordRows, author: string, key: BatchKey | null, at: Timestamp): void {
  if (key !== null) rows.idempotency.rememberAlone(toRequest(author, key), at)
}

function toRequest(author: string, { key, request }: BatchKey) {
  return { author, key, request: Buffer.from(request, 'hex') }
}

export interface ReportedBatch {
  readonly id: number | null
  readonly at: Timestamp
  readonly command: Pick<BatchCommand, 'author' | 'reason'>
  readonly kind: BatchKind
  readonly state: BatchState
  readonly undoes: number | null
  readonly total: number
  readonly progress: BatchProgress
  readonly notes: readonly BatchNote[]
  readonly parts?: readonly BatchPart[]
}

/** The report of a batch that has no row, or whose row is not committed. `max`: how many notes of each kind it has. */
export function toReport(batch: ReportedBatch, max = maxNamed.alone): BatchReport {
  const { id, at, command, kind, state, undoes, total, notes, parts = [] } = batch
  const { done, changed, unchanged } = batch.progress
  const refused = notes.filter((note) => note.kind === 'refused').map(({ id, why }) => ({ id, problem: why }))
  const left = notes.filter((note) => note.kind === 'left').map(({ id, fields, why }) => ({ id, fields, why }))
  return {
    id,
    at,
    by: command.author.name,
    reason: command.reason ?? null,
    kind,
    state,
    total: Math.max(total, done),
    done,
    changed,
    unchanged,
    refused: refused.slice(0, max),
    refused_count: refused.length,
    // Notes of kind `left` have no other reasons.
    left: left.slice(0, max) as BatchReport['left'],
    left_count: left.length,
    others: toOthers(parts).slice(0, max),
    records: changed,
    undoes,
    undone_by: null,
  }
}

const notForEditors = 'Only publishers may change some of these records; see "refused". Nothing was changed.'

/** Why nothing was changed, with every record that refuses: 403 if a higher role could change one of them. */
export function recordsRefused(author: Author, notes: readonly BatchNote[]): Refusal {
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ id, why }) => ({ id, problem: why }))
  const isRole = !hasRole(author.role, 'publisher') && refused.some(({ problem }) => problem === 'publisher_required')
  return isRole
    ? { code: 'publisher_required', detail: notForEditors, more: { refused } }
    : { code: 'records_refused', more: { refused } }
}

export async function toRecordDifference(
  rows: RecordRows,
  id: number,
  { before, after, changed, links }: Extract<Judgement, { is: 'accepted' }>,
): Promise<Difference> {
  const fields = Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]))
  if (links === null) return { id, fields }
  const now = (await rows.extras.find(id))?.values[linksKey] ?? []
  return { id, fields: { ...fields, [linksField]: { before: now, after: links } } }
}

/** Distinguishes selections with the same number of records. */
export function toIdsHash(ids: readonly number[]): string {
  return new Bun.CryptoHasher('sha256').update(ids.join()).digest('base64url')
}
