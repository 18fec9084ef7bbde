import { maxSelected } from '../../../record/bulk.ts'
import type { BatchCommand } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport } from '../../batch-reads.ts'
import type { Database } from '../../database.ts'
import type { Outcome } from '../../store.ts'
import { planCategory, planCategoryMerge } from '../names/categories.ts'
import { planNameMerge, planNameRename } from '../names/name-plans.ts'
import type { RecordRows } from '../record-rows.ts'
import { findEarlier, rememberNoBatch, toBatchKey } from './batch-keys.ts'
import { toReport } from './batch-report.ts'
import type { BatchKey, BatchNote } from './batch-rows.ts'
import { planBulk } from './bulk.ts'
import { type Plan, refuseCommand, toTotal } from './plan.ts'
import { planRecordMerge } from './record-merge.ts'
import {
  addRow,
  type BatchWatch,
  beginSlices,
  RolledBack,
  runInGroup,
  runSlice,
  runWhole,
  type Slices,
} from './run-batch.ts'
import type { SelectionRows } from './selection-rows.ts'
import { planTable } from './table.ts'
import { planUndo } from './undo.ts'

/** The parts of the writer that batches use. */
export interface BatchRunDeps {
  readonly rows: RecordRows
  readonly selections: SelectionRows
}

/**
 * A batch that takes longer than other commands may wait. Its row is committed first, so that clients can read its
 * progress; the records then change in their own transaction, or in slices (decision 74).
 */
export interface BatchJob {
  readonly command: BatchCommand
  readonly kind: BatchKind
  readonly undoes: number | null
  /** Null for a dry run, or a repeated request that changed nothing: these have no row. */
  readonly batch: number | null
  readonly total: number
  /** When it began. */
  readonly at: Timestamp
  /** The remaining slices of a batch; null before the first one. */
  readonly slices: Slices | null
}

export type BegunBatch = { readonly is: 'begun'; readonly job: BatchJob }

/** A slice is committed, and there is more to do. */
export type NextSlice = { readonly is: 'slice'; readonly job: BatchJob; readonly ids: readonly number[] }

/** Maximum number of records that change within a group of commands, about a third of a second. */
const maxInGroup = 500
/** Maximum number of records that change in one transaction, except for changes of a category. */
const maxInOne = maxSelected

/** Changes up to `maxInGroup` records immediately; begins a larger batch. */
export async function startBatch(
  deps: BatchRunDeps,
  command: BatchCommand,
  at: Timestamp,
): Promise<Outcome | BegunBatch> {
  const key = toKey(command)
  const earlier = key === null ? null : await findEarlier(deps.rows, command.author.name, key, at)
  if (earlier === 'other') return refuseCommand({ code: 'key_reused' })
  const known = typeof earlier === 'number' ? await deps.rows.batches.read(earlier) : null
  // A repeated request starts a stopped batch again.
  if (known !== null && known.state !== 'stopped') return { is: 'batch', batch: known, ids: [] }
  const isRepeat = earlier === 'no batch'
  const plan = await planBatch(deps, command, { key, at, own: null, isRepeat })
  if (plan.is !== 'plan') return plan
  const { kind, undoes } = plan
  const total = toTotal(plan)
  if (total <= maxInGroup) return runHere(deps, plan, key, at)
  const batch = command.isDryRun || isRepeat ? null : await addRow(deps.rows, plan, key, at)
  return { is: 'begun', job: { command, kind, undoes, batch, total, at, slices: null } }
}

async function runHere({ rows }: BatchRunDeps, plan: Plan, key: BatchKey | null, at: Timestamp): Promise<Outcome> {
  const { outcome, isChanged } = await runInGroup(rows, plan, { known: null, key, at })
  if (outcome.is === 'batch' && !isChanged) rememberNoBatch(rows, plan.command.author.name, key, at)
  return outcome
}

interface Request {
  readonly key: BatchKey | null
  readonly at: Timestamp
  /** The row of this batch, if it has one. */
  readonly own: number | null
  /** Whether the same request has changed nothing before. */
  readonly isRepeat: boolean
}

async function planBatch(
  { rows, selections }: BatchRunDeps,
  command: BatchCommand,
  { key, at, own, isRepeat }: Request,
): Promise<Outcome | Plan> {
  if (command.kind === 'bulk') return planBulk(rows, selections, command, isRepeat)
  if (command.kind === 'undo') return planUndo(rows, command, own, isRepeat)
  if (isRepeat) return { is: 'batch', batch: null, ids: [] }
  switch (command.kind) {
    case 'table':
      return planTable(rows, selections, command)
    case 'category':
      return planCategory(rows, command, key, at)
    case 'rename name':
      return planNameRename(rows, command, key, at)
    case 'merge names':
      return planNameMerge(rows, command)
    case 'merge categories':
      return planCategoryMerge(rows, command)
    case 'merge records':
      return planRecordMerge(rows, command)
  }
}

function toKey(command: BatchCommand): BatchKey | null {
  return toBatchKey(command, [...toRequest(command), command.reason ?? null])
}

/** Requests with equal values are the same request. */
function toRequest(command: BatchCommand): readonly unknown[] {
  switch (command.kind) {
    case 'bulk':
      return ['bulk', command.request]
    case 'table':
      return ['table', command.request]
    case 'undo':
      return ['undo', command.batch]
    case 'category':
      return ['category', command.slug, command.changes]
    case 'rename name':
      return ['rename', command.of, command.nameId, command.name]
    case 'merge names':
      return ['merge', command.of, ...[command, ...(command.also ?? [])].flatMap(({ nameId, into }) => [nameId, into])]
    case 'merge categories':
      return ['merge', 'category', command.slug, command.into]
    case 'merge records':
      return ['merge', 'video', command.id, command.into, command.take]
  }
}

/** Callbacks of a running batch. */
export interface JobWatch extends BatchWatch {
  /** Whether a client has got the number of the batch. */
  isAnswered(): boolean
}

/** Runs a begun batch in the writer's transaction, or the next slice of it. Throws `RolledBack`. */
export async function runJob(
  deps: BatchRunDeps,
  job: BatchJob,
  at: Timestamp,
  watch: JobWatch,
): Promise<Outcome | NextSlice> {
  const { rows } = deps
  const { batch, slices } = job
  const isOurs = batch === null || (await rows.batches.isOurs(batch))
  // Another node has stopped it.
  if (!isOurs) return { is: 'batch', batch: await rows.batches.read(batch), ids: [] }
  if (slices !== null && batch !== null) return continueSlices(rows, job, slices, batch, at, watch)
  const isRepeat = batch === null && job.command.isDryRun !== true
  // Planned again: other writers may have changed records since.
  const plan = await planBatch(deps, job.command, { key: null, at, own: batch, isRepeat })
  if (plan.is !== 'plan') return endUnchanged(rows, job, plan, [], at, watch)
  if (batch !== null && plan.maySlice && plan.ids.length > maxInOne) {
    return continueSlices(rows, job, await beginSlices(rows, plan, batch, at), batch, at, watch)
  }
  const { outcome, isChanged, notes } = await runWhole(rows, plan, { known: batch, key: null, at }, watch)
  return isChanged ? outcome : endUnchanged(rows, job, outcome, notes, at, watch)
}

/** Writes the end of a batch whose transaction was rolled back to its row. */
export async function endRolledBack(
  { rows }: BatchRunDeps,
  job: BatchJob,
  { ended }: RolledBack,
  at: Timestamp,
  watch: JobWatch,
): Promise<Outcome> {
  if (ended !== 'stopped') return endUnchanged(rows, job, ended.outcome, ended.notes, at, watch)
  // A dry run that takes too long.
  if (job.batch === null) return { is: 'failed', failure: 'busy' }
  rows.batches.stop(job.batch, null)
  return { is: 'batch', batch: await rows.batches.read(job.batch), ids: [] }
}

async function continueSlices(
  rows: RecordRows,
  job: BatchJob,
  known: Slices,
  batch: number,
  at: Timestamp,
  watch: JobWatch,
): Promise<Outcome | NextSlice> {
  const { slices, ids, report, isChanged } = await runSlice(rows, known, batch, at, watch)
  if (report === null) return { is: 'slice', job: { ...job, slices }, ids }
  if (!isChanged && report.state === 'done' && !watch.isAnswered()) {
    rows.batches.remove(batch)
    rememberNoBatch(rows, job.command.author.name, toKey(job.command), at)
    return { is: 'batch', batch: { ...report, id: null }, ids }
  }
  return { is: 'batch', batch: report, ids, ...(await slices.plan.readMore?.()) }
}

/** A batch without changes is deleted, unless a client knows its number and may read it. */
async function endUnchanged(
  rows: RecordRows,
  { batch, command }: BatchJob,
  outcome: Outcome,
  notes: readonly BatchNote[],
  at: Timestamp,
  { isAnswered }: JobWatch,
): Promise<Outcome> {
  if (batch === null) return outcome
  if (isAnswered()) {
    const done = outcome.is === 'batch' ? (outcome.batch?.done ?? 0) : 0
    rows.batches.addProgress(batch, { done, changed: 0, unchanged: done }, notes)
    if (outcome.is === 'batch') rows.batches.end(batch)
    else rows.batches.stop(batch, null)
    return outcome
  }
  rows.batches.remove(batch)
  if (outcome.is === 'batch') rememberNoBatch(rows, command.author.name, toKey(command), at)
  return outcome
}

/** Plans, judges and writes in one transaction, for commands that run beside a server. */
export async function runAlone(
  db: Database,
  deps: BatchRunDeps,
  command: BatchCommand,
  at: Timestamp,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  try {
    return await db.transaction('write', async () => {
      const plan = await planBatch(deps, command, { key: null, at, own: null, isRepeat: false })
      if (plan.is !== 'plan') return plan
      const watch = { onProgress, isStopped: () => false }
      return (await runWhole(deps.rows, plan, { known: null, key: null, at }, watch)).outcome
    })
  } catch (error) {
    if (!(error instanceof RolledBack) || error.ended === 'stopped') throw error
    return error.ended.outcome
  }
}

/** The report of a batch that is not committed yet, so that nothing counts as changed. */
export function toRunningReport(job: BatchJob, done: number): BatchReport {
  return toReport({ ...job, id: job.batch, state: 'running', progress: { done, changed: 0, unchanged: 0 }, notes: [] })
}
