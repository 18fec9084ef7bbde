import type { CategoryCommand, NameCommand, Refusal } from '../../../record/command.ts'
import type { Changes } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport } from '../../change-log.ts'
import type { Outcome } from '../../store.ts'
import {
  type BatchWork,
  type BegunSlices,
  createJob,
  maxAtOnce,
  noLimits,
  type RecordWork,
  runSlice,
} from '../batch/batch-job.ts'
import { findEarlier } from '../batch/batch-key.ts'
import type { FoundBatch } from '../batch/batch-rows.ts'
import type { BatchKey } from '../batch/new-batch.ts'
import type { RecordRows } from '../record-rows.ts'
import type { NameChange } from './name-change.ts'

type BatchOutcome = Extract<Outcome, { is: 'batch' }>

/** A rename or merge whose rows are changed already. */
export interface NameBatch {
  readonly kind: BatchKind
  readonly names: NameChange
  readonly key: BatchKey | null
  /** A batch with the same work that was stopped. */
  readonly stopped: FoundBatch | null
  /** The records to change, ascending. */
  readonly ids: readonly number[]
  findChanges(id: number): Promise<Changes>
}

/** Changes the records, in this transaction or in slices (ADR 32). Resumes a stopped batch of the same author. */
export async function runNameBatch(
  rows: RecordRows,
  command: NameCommand,
  { kind, names, key, stopped, ids, findChanges }: NameBatch,
  at: Timestamp,
): Promise<BatchOutcome | BegunSlices> {
  const row = { kind, undoes: null, rename: null, parts: [names], total: ids.length, key } as const
  const authorship = { at, author: command.author.name, reason: command.reason ?? null }
  const isOurs = stopped?.author === command.author.name
  if (isOurs) rows.batches.resume(stopped.id, key)
  const batch = isOurs ? stopped.id : await rows.batches.add({ ...row, ...authorship, state: 'running' })
  const job = createJob({ command, work: createWork(ids, findChanges), row, batch, lastId: 0 })
  if (ids.length > maxAtOnce) return { is: 'begun', job }
  const slice = await runSlice(rows, job, at, noLimits)
  return { is: 'batch', batch: slice.report, ids: slice.ids }
}

/** Records that get the old name after the batch has begun keep it: a name is stored as sent. */
function createWork(ids: readonly number[], findChanges: NameBatch['findChanges']): BatchWork {
  return {
    mayBeRefused: false,
    async listNext(_, after, limit) {
      const from = ids.findIndex((id) => id > after)
      const work: RecordWork[] = []
      for (const id of from < 0 ? [] : ids.slice(from, from + limit)) {
        work.push({ id, changes: await findChanges(id), notes: [] })
      }
      return work
    },
    finish: async () => undefined,
  }
}

/** The report of a dry run: each of these records would be changed. */
export function toDryRunReport(
  { author, reason }: NameCommand,
  kind: BatchKind,
  count: number,
  at: Timestamp,
): BatchReport {
  const counts = { total: count, done: count, changed: count, unchanged: 0, records: count }
  const notes = { refused: [], refused_count: 0, left: [], left_count: 0, others: [] }
  const said = { at, by: author.name, reason: reason ?? null, kind, state: 'done' } as const
  return { id: null, ...said, ...counts, ...notes, undoes: null, undone_by: null }
}

/** What an earlier request with the same key was answered with; null if there was none, or its batch was stopped. */
export async function findRepeated(
  rows: RecordRows,
  command: NameCommand | CategoryCommand,
  key: BatchKey | null,
  at: Timestamp,
): Promise<Outcome | null> {
  const earlier = key === null ? null : await findEarlier(rows, command.author.name, key, at)
  if (earlier === 'other') return refuse({ code: 'key_reused' })
  if (earlier === 'no batch') return { is: 'batch', batch: null, ids: [] }
  const batch = earlier === null ? null : await rows.batches.read(earlier)
  return batch === null || batch.state === 'stopped' ? null : { is: 'batch', batch, ids: [] }
}

export const refuse = (refusal: Refusal): Outcome => ({ is: 'refused', refusal })
