import type { CategoryCommand, ChangeCommand, NameCommand, Refusal, UndoCommand } from '../../../record/command.ts'
import type { JsonValue } from '../../../record/json/json-value.ts'
import type { Changes } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchReport } from '../../change-log.ts'
import type { Outcome } from '../../store.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import { change } from '../change.ts'
import type { RecordRows } from '../record-rows.ts'
import { saveLinks, toLinksVersion } from '../set-links.ts'
import { rememberNoBatch } from './batch-key.ts'
import { toReport } from './batch-report.ts'
import type { BatchNote, BatchProgress, NewBatch } from './new-batch.ts'

/** Maximum number of records changed in one transaction, about a third of a second. Larger batches run in slices. */
export const maxAtOnce = 500
export const noLimits = { maxMs: Number.POSITIVE_INFINITY, maxRecords: Number.POSITIVE_INFINITY }

/** Limits of one transaction of a batch, which blocks all other writes (ADR 32). */
export interface SliceLimits {
  readonly maxMs: number
  readonly maxRecords: number
}

/** What a batch changes in a record, and notes on what it leaves unchanged. */
export interface RecordWork {
  readonly id: number
  readonly changes: Changes
  /** Absent if they stay as they are. */
  readonly links?: readonly JsonValue[]
  readonly notes: readonly BatchNote[]
}

/**
 * A batch in progress. Immutable: each slice returns the job after it; use that one once the slice is committed.
 */
export interface BatchJob {
  readonly command: UndoCommand | CategoryCommand | NameCommand
  readonly work: BatchWork
  readonly row: Pick<NewBatch, 'kind' | 'undoes' | 'rename' | 'parts' | 'total' | 'key'>
  /** Null until the first change: a batch that changes nothing gets no row. */
  readonly batch: number | null
  readonly lastId: number
  /** Progress that is not in the batch's row yet. */
  readonly progress: Omit<BatchProgress, 'lastId'>
  readonly notes: readonly BatchNote[]
}

/** A batch that is too large for one transaction has started; the writer continues it (ADR 32). */
export type BegunSlices = { readonly is: 'begun'; readonly job: BatchJob }

/** What differs between the kinds of batches. */
export interface BatchWork {
  /** The work on the next records after this id; empty at the end. */
  listNext(rows: RecordRows, after: number, limit: number): Promise<readonly RecordWork[]>
  /** Runs after the last record. */
  finish(
    rows: RecordRows,
    batch: BatchRow,
    note: (note: BatchNote) => void,
    authorship: CategoryAuthorship,
  ): Promise<void>
  /** Whether a change of a record may be refused; otherwise a refusal is a bug. */
  readonly mayBeRefused: boolean
}

export interface BatchRow {
  id(): number | null
  /** Returns the number of the batch; creates its row if there is none. */
  make(): Promise<number>
}

export interface Slice {
  readonly job: BatchJob
  /** The records that it changed. */
  readonly ids: readonly number[]
  readonly isOver: boolean
  readonly report: BatchReport
}

/** Records looked up at a time. */
const chunk = 100
/** Maximum number of notes written in one transaction. Many may accumulate before a batch has a row. */
const maxNotes = 1_000
const nothing = { done: 0, changed: 0, unchanged: 0 }

export function createJob(of: Pick<BatchJob, 'command' | 'work' | 'row' | 'batch' | 'lastId'>): BatchJob {
  return { ...of, progress: nothing, notes: [] }
}

/**
 * Processes as many records as the limits allow, within the writer's transaction. `needsRow`: a response has to contain
 * the number of the batch.
 */
export async function runSlice(
  rows: RecordRows,
  known: BatchJob,
  at: Timestamp,
  limits: SliceLimits,
  needsRow = false,
): Promise<Slice> {
  const lastId = known.batch === null ? known.lastId : await rows.batches.findOurs(known.batch)
  if (known.batch !== null && lastId === null) {
    return { job: known, ids: [], isOver: true, report: await rows.batches.read(known.batch) }
  }
  // A slice may have been committed although its COMMIT reported an error.
  const job = { ...known, lastId: Math.max(known.lastId, lastId ?? 0) }
  const run = createRun(rows, job, at)
  const until = performance.now() + limits.maxMs
  const hasTime = () => run.looked() === 0 || (run.looked() < limits.maxRecords && performance.now() < until)
  let isThrough = false
  while (!isThrough && hasTime()) {
    const next = await job.work.listNext(rows, run.lastId(), chunk)
    for (const record of next) {
      await run.look(record)
      if (!hasTime()) break
    }
    isThrough = next.length === 0
  }
  const isOver = isThrough && !run.hasManyNotes()
  if (isOver) await run.finish()
  if (needsRow && job.command.isDryRun !== true) await run.ensureBatch()
  const after = await run.save(isOver)
  // The key is in the batch's row, if there is one.
  if (isOver && after.batch === null) rememberNoBatch(rows, job.command.author.name, job.row.key ?? null, at)
  return { job: after, ids: run.ids, isOver, report: await readReport(rows, after, at, isOver) }
}

/** The state of one slice. */
function createRun(rows: RecordRows, job: BatchJob, at: Timestamp) {
  const { command, work, row } = job
  const { author, reason, isDryRun = false } = command
  const authorship = { at, author: author.name, reason: reason ?? null }
  const common = { author, isDryRun, ...(reason === undefined ? {} : { reason }) }
  const ids: number[] = []
  const notes = [...job.notes]
  let { batch, lastId, progress } = job
  let looked = 0

  async function ensureBatch(): Promise<number> {
    batch ??= await rows.batches.add({ ...row, ...authorship, state: 'running' })
    return batch
  }

  function count(isChanged: boolean): void {
    const { done, changed, unchanged } = progress
    progress = { done: done + 1, changed: changed + Number(isChanged), unchanged: unchanged + Number(!isChanged) }
  }

  async function look({ id, changes, links, notes: left }: RecordWork): Promise<void> {
    looked++
    lastId = Math.max(lastId, id)
    notes.push(...left)
    if (Object.keys(changes).length === 0 && links === undefined) return count(false)
    const wanted = { kind: 'merge', id, precondition: {}, changes, ...common } as const
    const outcome = isDryRun ? await change(rows, wanted, at) : await store(wanted, links)
    if (outcome.is === 'refused' && !work.mayBeRefused) throw new Error(`record ${id}: ${outcome.refusal.code}`)
    if (outcome.is === 'refused')
      notes.push({ id, kind: 'refused', why: outcome.refusal.code, fields: Object.keys(changes) })
    if (outcome.is === 'stored') ids.push(id)
    count(outcome.is === 'stored' || outcome.is === 'dry run')
  }

  /** The first accepted change creates the batch's row. */
  async function store(wanted: ChangeCommand, links: RecordWork['links']): Promise<Outcome> {
    const tried = batch === null ? await change(rows, { ...wanted, isDryRun: true }, at) : null
    if (tried !== null && tried.is !== 'dry run') return tried
    const id = await ensureBatch()
    const outcome = await change(rows, wanted, at, id)
    return links === undefined || outcome.is === 'refused' ? outcome : storeLinks(wanted.id, links, id, outcome)
  }

  /** They are in the version of the changed fields; without any, they get one of their own. */
  async function storeLinks(of: number, links: readonly JsonValue[], id: number, fields: Outcome): Promise<Outcome> {
    await saveLinks(rows, of, links, { at, by: author.name, reason: authorship.reason, batch: id })
    if (fields.is !== 'unchanged') return fields
    const version = toLinksVersion(fields.stored, { ...authorship, batch: id }, at)
    return { is: 'stored', stored: await rows.store(version), changed: [] }
  }

  function note(said: BatchNote): void {
    notes.push(said)
    count(false)
  }

  /** Counts a record once that was moved back in the meantime and changed by the batch again. */
  async function countOnce(id: number): Promise<BatchJob['progress']> {
    const repeated = await rows.batches.countRepeated(id, ids)
    return { ...progress, done: progress.done - repeated, changed: progress.changed - repeated }
  }

  return {
    ids,
    looked: () => looked,
    hasManyNotes: () => batch !== null && notes.length > maxNotes,
    lastId: () => lastId,
    look,
    ensureBatch,
    finish: () => work.finish(rows, { id: () => batch, make: ensureBatch }, note, authorship),
    async save(isOver: boolean): Promise<BatchJob> {
      if (batch === null) return { ...job, lastId, progress, notes }
      const written = isOver ? notes : notes.slice(0, maxNotes)
      rows.batches.addProgress(batch, { ...(await countOnce(batch)), lastId }, written)
      if (isOver) rows.batches.end(batch)
      return { ...job, batch, lastId, progress: nothing, notes: notes.slice(written.length) }
    },
  }
}

/** The report of the batch; one without a row gets the same kind of report. */
async function readReport(rows: RecordRows, job: BatchJob, at: Timestamp, isOver: boolean): Promise<BatchReport> {
  if (job.batch !== null) return rows.batches.read(job.batch)
  const { command, row, progress, notes } = job
  return toReport({ id: null, at, command, ...row, state: isOver ? 'done' : 'running', progress, notes })
}

export const toRunning = (batch: number): Refusal => ({
  code: 'batch_running',
  detail: `Batch ${batch} is still running; wait until it is done. See /api/v2/batches/${batch}.`,
})
