import { maxSelected } from '../../../record/bulk/bulk-request.ts'
import type { BulkCommand, Refusal } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome } from '../../store.ts'
import { maxAtOnce } from '../batch/batch-job.ts'
import { findEarlier, rememberNoBatch, toBatchKey } from '../batch/batch-key.ts'
import type { BatchKey, BatchNote } from '../batch/new-batch.ts'
import type { RecordRows } from '../record-rows.ts'
import { toIdsHash } from './bulk-report.ts'
import type { BulkRows } from './bulk-rows.ts'
import { addBulkRow, runBulk } from './run-bulk.ts'

/**
 * A bulk change that takes longer than other commands should wait unanswered. Its row is committed first, so that it can
 * be asked for; the records then change in one transaction of their own (ADR 51).
 */
export interface BulkJob {
  readonly command: BulkCommand
  readonly batch: number
  readonly total: number
  /** When the row was created. */
  readonly at: Timestamp
}

export type BegunBulk = { readonly is: 'begun bulk'; readonly job: BulkJob }

/** Changes up to `maxAtOnce` records here and now; a dry run looks at any number. */
export async function bulk(
  rows: RecordRows,
  bulkRows: BulkRows,
  command: BulkCommand,
  at: Timestamp,
): Promise<Outcome | BegunBulk> {
  const key = toKey(command)
  const earlier = key === null ? null : await findEarlier(rows, command.author.name, key, at)
  if (earlier === 'other') return refuse({ code: 'key_reused' })
  if (earlier === 'no batch') return repeatNothing(rows, bulkRows, command, at)
  const known = earlier === null ? null : await rows.batches.read(earlier)
  if (known !== null && known.state !== 'stopped') return { is: 'batch', batch: known, ids: [] }
  const found = await findSelected(bulkRows, command)
  if (found.is === 'refused') return found
  const total = found.ids.length
  if (command.isDryRun || total <= maxAtOnce) return runBulk(rows, bulkRows, { command, ids: found.ids, key }, at)
  // The same request starts a stopped batch again.
  if (known !== null && known.id !== null) {
    rows.batches.resume(known.id, key)
    bulkRows.removeNotes(known.id)
  }
  const batch = known?.id ?? (await addBulkRow(rows, command, total, key, at))
  return { is: 'begun bulk', job: { command, batch, total, at } }
}

/** There was nothing to change when the same request came first, so nothing is changed now either. */
async function repeatNothing(
  rows: RecordRows,
  bulkRows: BulkRows,
  command: BulkCommand,
  at: Timestamp,
): Promise<Outcome> {
  const { ids } = await bulkRows.select(command.request.select)
  const repeated = { ...command, request: { ...command.request, isPartial: true } }
  return runBulk(rows, bulkRows, { command: repeated, ids, key: null, isRepeat: true }, at)
}

/** Runs a begun job in the writer's transaction. It selects the records again: others may have written since. */
export async function runBulkJob(
  rows: RecordRows,
  bulkRows: BulkRows,
  { command, batch }: BulkJob,
  at: Timestamp,
  progress: { onProgress(done: number): void; isAnswered(): boolean },
): Promise<Outcome> {
  const isOurs = (await rows.batches.findOurs(batch)) !== null
  if (!isOurs) return { is: 'batch', batch: await rows.batches.read(batch), ids: [] }
  const found = await findSelected(bulkRows, command)
  let notes: readonly BatchNote[] = []
  const onNoChange = (found: readonly BatchNote[]) => {
    notes = found
  }
  const work = { command, batch, key: null, onProgress: progress.onProgress, onNoChange }
  const outcome = found.is === 'refused' ? found : await runBulk(rows, bulkRows, { ...work, ids: found.ids }, at)
  const hasChanged = outcome.is === 'batch' && outcome.batch?.id === batch
  if (hasChanged) return outcome
  if (progress.isAnswered()) recordNoChange(rows, batch, outcome, notes)
  else {
    bulkRows.removeBatch(batch)
    if (outcome.is === 'batch') rememberNoBatch(rows, command.author.name, toKey(command), at)
  }
  return outcome
}

/** For a client that knows the number of the batch and may ask what has become of it. */
function recordNoChange(rows: RecordRows, batch: number, outcome: Outcome, notes: readonly BatchNote[]): void {
  const done = outcome.is === 'batch' ? (outcome.batch?.done ?? 0) : 0
  rows.batches.addProgress(batch, { done, changed: 0, unchanged: done, lastId: 0 }, notes)
  if (outcome.is === 'batch') rows.batches.end(batch)
  else rows.batches.stop(batch, null)
}

/** Selects, judges and writes in the transaction of a command that runs beside a server. */
export async function runBulkAlone(
  rows: RecordRows,
  bulkRows: BulkRows,
  command: BulkCommand,
  at: Timestamp,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const found = await findSelected(bulkRows, command)
  return found.is === 'refused'
    ? found
    : runBulk(rows, bulkRows, { command, ids: found.ids, key: null, onProgress }, at)
}

const refuse = (refusal: Refusal): Extract<Outcome, { is: 'refused' }> => ({ is: 'refused', refusal })

function toKey(command: BulkCommand): BatchKey | null {
  return toBatchKey(command, ['bulk', command.request, command.reason ?? null])
}

/** The ids of the selected records, unless they are too many or their number is not the expected one. */
async function findSelected(
  bulkRows: BulkRows,
  { request: { select, expect, expectHash, asOf } }: BulkCommand,
): Promise<Extract<Outcome, { is: 'refused' }> | { readonly is: 'found'; readonly ids: readonly number[] }> {
  const { ids, count } = await bulkRows.select(select)
  const more = { count }
  if (count > maxSelected) return refuse({ code: 'too_many_records', detail: toTooMany(count), more })
  if (expect !== null && expect !== count) {
    const detail = `The selection has ${count} records, not ${expect}. Nothing was changed. Look at them, then repeat.`
    return refuse({ code: 'unexpected_count', detail, more })
  }
  if (expectHash !== undefined && expectHash !== toIdsHash(ids)) {
    const detail = 'The selection has other records than expected. Nothing was changed. Look at them, then repeat.'
    return refuse({ code: 'unexpected_count', detail, more })
  }
  if (asOf !== null && asOf > (await bulkRows.readLastSeq())) {
    return refuse({ code: 'bad_fields', errors: new Map([['as_of', ['No dry run has given this number.']]]) })
  }
  return { is: 'found', ids }
}

function toTooMany(count: number): string {
  const [found, max] = [count, maxSelected].map((each) => each.toLocaleString('en'))
  return `The selection has ${found} records; at most ${max} can change at once. Narrow it, and send several requests.`
}
