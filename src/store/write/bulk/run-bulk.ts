import type { BulkCommand } from '../../../record/command.ts'
import type { WritableName } from '../../../record/fields.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { VideoRecord } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Difference } from '../../change-log.ts'
import { toChunks } from '../../read/lookup-many.ts'
import type { Outcome } from '../../store.ts'
import { rememberNoBatch } from '../batch/batch-key.ts'
import { toReport } from '../batch/batch-report.ts'
import type { BatchKey, BatchNote } from '../batch/new-batch.ts'
import type { RecordRows } from '../record-rows.ts'
import type { NewVersion } from '../version-rows.ts'
import { toBulkKind, toDifference, toIdsHash, toRefusal } from './bulk-report.ts'
import type { BulkRows } from './bulk-rows.ts'
import { createJudge, type Judge, type Judgement } from './judge.ts'

export interface BulkRun {
  readonly command: BulkCommand
  /** Ascending: the search index is fast only then. */
  readonly ids: readonly number[]
  /** The row of the batch, if it has one. */
  readonly batch?: number
  readonly key: BatchKey | null
  /** Whether the same request has changed nothing before: it changes nothing again. */
  readonly isRepeat?: boolean
  readonly maxKeptBytes?: number
  /** Called between records, with the number of those that are done. */
  onProgress?(done: number): void
  /** Called if nothing is changed, with what there is to say about the records. */
  onNoChange?(notes: readonly BatchNote[]): void
}

/** Judgements of more bytes are made again when the record is written, so that memory stays flat. */
const defaultKeptBytes = 64_000_000
const maxDifferences = 50
/** Records written between two reports of progress. On PostgreSQL each group costs a few round trips. */
const writtenAtOnce = 32

type Accepted = Extract<Judgement, { is: 'accepted' }>

/** Judges all records, then changes all of them or none, within the writer's transaction. */
export async function runBulk(
  rows: RecordRows,
  bulkRows: BulkRows,
  run: BulkRun,
  at: Timestamp,
): Promise<Exclude<Outcome, { is: 'failed' }>> {
  const { command, ids } = run
  const judge = await createJudge(rows, bulkRows, command, ids, at)
  const judged = await judgeAll(bulkRows, judge, run)
  const { notes, differences } = judged
  const accepted = run.isRepeat === true ? [] : judged.accepted
  const total = ids.length
  const progress = { done: total, changed: accepted.length, unchanged: total - accepted.length }
  const report = { id: null, at, command, kind: toBulkKind(command), undoes: null, total, progress, notes }
  if (command.isDryRun) {
    const preview = { differences, as_of: await bulkRows.readLastSeq(), hash: toIdsHash(ids) }
    return { is: 'batch', batch: toReport({ ...report, state: 'done' }, notes.length), ids: [], preview }
  }
  const isRefused = !command.request.isPartial && notes.some((note) => note.kind === 'refused')
  if (isRefused || accepted.length === 0) run.onNoChange?.(notes)
  if (isRefused) return { is: 'refused', refusal: toRefusal(command, notes) }
  if (accepted.length === 0) {
    rememberNoBatch(rows, command.author.name, run.key, at)
    return { is: 'batch', batch: toReport({ ...report, state: 'done' }), ids: [] }
  }
  const batch = run.batch ?? (await addBulkRow(rows, command, total, run.key, at))
  await writeAll(rows, judge, run, batch, judged)
  rows.batches.addProgress(batch, { ...progress, lastId: ids.at(-1) ?? 0 }, notes)
  rows.batches.end(batch)
  return { is: 'batch', batch: await rows.batches.read(batch), ids: accepted }
}

/** The row of a batch that has changed nothing yet. */
export function addBulkRow(
  rows: RecordRows,
  command: BulkCommand,
  total: number,
  key: BatchKey | null,
  at: Timestamp,
): Promise<number> {
  const said = { author: command.author.name, reason: command.reason ?? null }
  const kind = toBulkKind(command)
  return rows.batches.add({ kind, at, ...said, undoes: null, rename: null, state: 'running', total, key })
}

/** Search tokens come last, all at once: after each other write FTS5 would begin another segment of its index. */
async function writeAll(
  rows: RecordRows,
  judge: Judge,
  { command, ids, onProgress }: BulkRun,
  batch: number,
  { accepted, kept }: Judged,
): Promise<void> {
  const said = { author: command.author.name, reason: command.reason ?? null, batch }
  const unchanged = ids.length - accepted.length
  // A record is half done without its search tokens.
  const report = (steps: number) => onProgress?.(unchanged + Math.floor(steps / 2))
  const unkept = new Map<number, readonly WritableName[]>()
  for (let from = 0; from < accepted.length; from += writtenAtOnce) {
    const some: NewVersion[] = []
    for (const id of accepted.slice(from, from + writtenAtOnce)) {
      const { stored: before, after: record, changed } = kept.get(id) ?? (await judgeAgain(rows, judge, id))
      if (!kept.has(id)) unkept.set(id, changed)
      some.push({ record, before, changed, ...said })
    }
    await rows.storeChanged(some)
    report(from + some.length)
  }
  for (const [i, id] of accepted.entries()) {
    const { after, changed } = kept.get(id) ?? { after: await readAgain(rows, id), changed: unkept.get(id) ?? [] }
    rows.updateTokens(after, changed)
    report(accepted.length + i + 1)
  }
}

async function readAgain(rows: RecordRows, id: number): Promise<VideoRecord> {
  const stored = await rows.read(id)
  if (stored === null) throw new Error(`record ${id} vanished within a transaction`)
  return fromBody(stored.body)
}

interface Judged {
  readonly accepted: readonly number[]
  /** Those of the accepted ones that fit into memory. */
  readonly kept: ReadonlyMap<number, Accepted>
  readonly notes: readonly BatchNote[]
  readonly differences: readonly Difference[]
}

async function judgeAll(
  bulkRows: BulkRows,
  judge: Judge,
  { ids, maxKeptBytes = defaultKeptBytes, onProgress }: BulkRun,
): Promise<Judged> {
  const accepted: number[] = []
  const kept = new Map<number, Accepted>()
  const notes: BatchNote[] = []
  const differences: Difference[] = []
  let bytes = 0
  for await (const chunk of toChunks(ids)) {
    const found = new Map((await bulkRows.readMany(chunk)).map((stored) => [stored.id, stored]))
    for (const id of chunk) {
      const judged = await judge(id, found.get(id) ?? null)
      notes.push(...judged.notes)
      if (judged.is !== 'accepted') continue
      accepted.push(id)
      bytes += judged.stored.body.length
      if (bytes < maxKeptBytes) kept.set(id, judged)
      if (differences.length < maxDifferences) differences.push(toDifference(id, judged))
    }
    onProgress?.(0)
  }
  return { accepted, kept, notes, differences }
}

async function judgeAgain(rows: RecordRows, judge: Judge, id: number): Promise<Accepted> {
  const judged = await judge(id, await rows.read(id))
  if (judged.is !== 'accepted') throw new Error(`record ${id} was accepted first and is ${judged.is} now`)
  return judged
}
