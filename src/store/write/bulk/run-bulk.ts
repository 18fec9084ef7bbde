import type { BulkCommand } from '../../../record/command.ts'
import type { WritableName } from '../../../record/fields.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { VideoRecord } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Difference } from '../../change-log.ts'
import { toChunks } from '../../read/lookup-many.ts'
import type { Outcome } from '../../store.ts'
import { rememberNoBatch } from '../batch/batch-key.ts'
import { type ReportedBatch, toReport } from '../batch/batch-report.ts'
import type { BatchKey, BatchNote } from '../batch/new-batch.ts'
import type { BatchPart } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import { saveLinks, toLinksVersion } from '../set-links.ts'
import type { NewVersion } from '../version-rows.ts'
import { toBulkKind, toDifference, toIdsHash, toRefusal } from './bulk-report.ts'
import type { BulkRows } from './bulk-rows.ts'
import { createJudge, type Judge, type Judgement } from './judge.ts'
import { beginOthers, finishOthers } from './restore-others.ts'

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

type BulkOutcome = Exclude<Outcome, { is: 'failed' }>

/** Judges all records, then changes all of them or none, within the writer's transaction. */
export async function runBulk(rows: RecordRows, bulkRows: BulkRows, run: BulkRun, at: Timestamp): Promise<BulkOutcome> {
  const { command, key } = run
  const isRestore = command.request.work.is === 'restore' && run.isRepeat !== true
  const outcome = isRestore ? await restoreAll(rows, bulkRows, run, at) : await changeAll(rows, bulkRows, run, at)
  const isNothing = outcome.is === 'batch' && outcome.batch?.id === null
  if (isNothing && command.isDryRun !== true) rememberNoBatch(rows, command.author.name, key, at)
  return outcome
}

async function changeAll(rows: RecordRows, bulkRows: BulkRows, run: BulkRun, at: Timestamp): Promise<BulkOutcome> {
  const { command } = run
  const judged = await judgeRun(rows, bulkRows, run, at)
  if (command.isDryRun) return toPreview(judged, await bulkRows.readLastSeq())
  if (judged.isRefused || judged.accepted.length === 0) return toNoChange(run, judged)
  const batch = run.batch ?? (await addBulkRow(rows, command, run.ids.length, run.key, at))
  await writeAll(rows, judged.judge, run, batch, judged, at)
  return endBatch(rows, run, batch, judged, [])
}

/**
 * Takes back all that an author did: fields and links of records, names and categories (decision 72). What names become
 * is known only once the records have changed, so that a dry run does it all and is rolled back.
 */
async function restoreAll(rows: RecordRows, bulkRows: BulkRows, run: BulkRun, at: Timestamp): Promise<BulkOutcome> {
  const { command } = run
  const { author, reason = null, isDryRun = false } = command
  const asOf = await bulkRows.readLastSeq()
  const outcome = await bulkRows.tryOut(async (): Promise<{ result: BulkOutcome; isKept: boolean }> => {
    const begun = await beginOthers(rows, bulkRows, command)
    if ('refusal' in begun) return { result: { is: 'refused', refusal: begun.refusal }, isKept: false }
    const judged = await judgeRun(rows, bulkRows, run, at)
    if (judged.isRefused && !isDryRun) return { result: toNoChange(run, judged), isKept: false }
    const batch = run.batch ?? (await addBulkRow(rows, command, run.ids.length, run.key, at))
    const linked = await writeAll(rows, judged.judge, run, batch, judged, at)
    const others = await finishOthers(rows, bulkRows, begun, { at, author: author.name, reason })
    const links: readonly BatchPart[] = linked.length === 0 ? [] : [{ kind: 'links', ids: linked }]
    const parts = [...links, ...others.done, ...others.left]
    if (isDryRun) return { result: toPreview({ ...judged, parts }, asOf), isKept: false }
    const isChanged = judged.accepted.length > 0 || others.done.length > 0
    if (!isChanged) return { result: toNoChange(run, { ...judged, parts }), isKept: false }
    return { result: await endBatch(rows, run, batch, judged, parts), isKept: true }
  })
  // Slugs of what was rolled back are free.
  rows.forget()
  return outcome
}

interface JudgedRun extends Judged {
  readonly judge: Judge
  /** Whether nothing is changed, because a record refuses. */
  readonly isRefused: boolean
  readonly report: Omit<ReportedBatch, 'state'>
  readonly parts?: readonly BatchPart[]
  readonly ids: readonly number[]
}

async function judgeRun(rows: RecordRows, bulkRows: BulkRows, run: BulkRun, at: Timestamp): Promise<JudgedRun> {
  const { command, ids } = run
  const judge = await createJudge(rows, bulkRows, command, ids, at)
  const judged = await judgeAll(rows, bulkRows, judge, run)
  const { notes } = judged
  const accepted = run.isRepeat === true ? [] : judged.accepted
  const total = ids.length
  const progress = { done: total, changed: accepted.length, unchanged: total - accepted.length }
  const report = { id: null, at, command, kind: toBulkKind(command), undoes: null, total, progress, notes }
  const isRefused = !command.request.isPartial && notes.some((note) => note.kind === 'refused')
  return { ...judged, accepted, judge, isRefused, report, ids }
}

function toPreview({ report, differences, ids, parts = [] }: JudgedRun, asOf: number): BulkOutcome {
  const preview = { differences, as_of: asOf, hash: toIdsHash(ids) }
  return {
    is: 'batch',
    batch: toReport({ ...report, parts, state: 'done' }, Number.POSITIVE_INFINITY),
    ids: [],
    preview,
  }
}

function toNoChange(run: BulkRun, { report, notes, isRefused, parts = [] }: JudgedRun): BulkOutcome {
  run.onNoChange?.(notes)
  if (isRefused) return { is: 'refused', refusal: toRefusal(run.command, notes) }
  return { is: 'batch', batch: toReport({ ...report, parts, state: 'done' }), ids: [] }
}

async function endBatch(
  rows: RecordRows,
  { ids }: BulkRun,
  batch: number,
  { report, notes, accepted }: JudgedRun,
  parts: readonly BatchPart[],
): Promise<BulkOutcome> {
  rows.batches.addProgress(batch, { ...report.progress, lastId: ids.at(-1) ?? 0 }, notes)
  if (parts.length > 0) rows.batches.setParts(batch, parts)
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

/**
 * Search tokens come last, all at once: after each other write FTS5 would begin another segment of its index. Returns the
 * records whose links changed.
 */
async function writeAll(
  rows: RecordRows,
  judge: Judge,
  { command, ids, onProgress }: BulkRun,
  batch: number,
  { accepted, kept }: Judged,
  at: Timestamp,
): Promise<readonly number[]> {
  const said = { author: command.author.name, reason: command.reason ?? null, batch }
  const { author: by, reason } = said
  const linked: number[] = []
  const unchanged = ids.length - accepted.length
  // A record is half done without its search tokens.
  const report = (steps: number) => onProgress?.(unchanged + Math.floor(steps / 2))
  const unkept = new Map<number, readonly WritableName[]>()
  for (let from = 0; from < accepted.length; from += writtenAtOnce) {
    const some: NewVersion[] = []
    for (const id of accepted.slice(from, from + writtenAtOnce)) {
      const { stored: before, after: record, changed, links } = kept.get(id) ?? (await judgeAgain(rows, judge, id))
      if (!kept.has(id)) unkept.set(id, changed)
      some.push(changed.length === 0 ? toLinksVersion(before, said, at) : { record, before, changed, ...said })
      if (links === null) continue
      await saveLinks(rows, id, links, { at, by, reason, batch })
      linked.push(id)
    }
    await rows.storeChanged(some)
    report(from + some.length)
  }
  for (const [i, id] of accepted.entries()) {
    const { after, changed } = kept.get(id) ?? { after: await readAgain(rows, id), changed: unkept.get(id) ?? [] }
    rows.updateTokens(after, changed)
    report(accepted.length + i + 1)
  }
  return linked
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
  rows: RecordRows,
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
      if (differences.length < maxDifferences) differences.push(await toDifference(rows, id, judged))
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
