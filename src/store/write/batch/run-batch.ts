import type { BatchCommand, CreateCommand } from '../../../record/command.ts'
import { decideCreate } from '../../../record/decide.ts'
import type { WritableName } from '../../../record/fields.ts'
import { fromBody, type VideoRecord } from '../../../record/record.ts'
import { toSlug } from '../../../record/text/slug.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchReport, Difference } from '../../batch-reads.ts'
import { toChunks } from '../../read/statements.ts'
import type { Outcome } from '../../store.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import { type BatchPart, hasEffect } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import { createFreeSlugs } from '../slugs.ts'
import type { NewVersion } from '../version-rows.ts'
import { type ReportedBatch, recordsRefused, toRecordDifference, toReport } from './batch-report.ts'
import type { BatchKey, BatchNote, BatchProgress } from './batch-rows.ts'
import { type Finished, type Judge, type Judgement, type Plan, refuseCommand, toTotal } from './plan.ts'
import { toIdsHash } from './selection-rows.ts'

/** Callbacks of a batch between records, while its transaction is open. */
export interface BatchWatch {
  onProgress(done: number): void
  isStopped(): boolean
}

type Accepted = Extract<Judgement, { is: 'accepted' }>

/** The result of a batch in one transaction. `notes` are about its records. */
interface RunBatch {
  readonly outcome: Exclude<Outcome, { is: 'failed' }>
  readonly isChanged: boolean
  readonly notes: readonly BatchNote[]
}

/** Judgements beyond this size are computed again when the record is written, so that memory stays flat. */
const maxKeptBytes = 64_000_000
const maxDifferences = 50
/** Records written between two reports of progress. On PostgreSQL each group costs a few round trips. */
const writtenAtOnce = 32
const maxSliceMs = 500
const chunkOfSlice = 100

/** The transaction that runs a batch, and the existing row of the batch. */
interface BatchRun {
  readonly at: Timestamp
  readonly known: number | null
  readonly key: BatchKey | null
}

/** Rolls back the transaction of a batch that was stopped, or that changed nothing. */
export class RolledBack extends Error {
  readonly ended: RunBatch | 'stopped'

  constructor(ended: RunBatch | 'stopped') {
    super('the transaction of a batch was rolled back')
    this.ended = ended
  }
}

/**
 * Judges all records, then changes all of them or none, in its own transaction. A dry run that changes names does the
 * same and is rolled back, because only then the resulting names are known. Throws `RolledBack` instead of using a
 * savepoint, within which each write to the search index takes longer than the one before.
 */
export async function runWhole(rows: RecordRows, plan: Plan, run: BatchRun, watch: BatchWatch): Promise<RunBatch> {
  const ran = await judgeAndWrite(rows, plan, run, watch)
  const hasWritten = plan.begin !== undefined || plan.beforeWriting !== undefined
  if (!ran.isChanged && hasWritten) throw new RolledBack(ran)
  return ran
}

/** The same for few records, within a group of commands. */
export async function runInGroup(rows: RecordRows, plan: Plan, run: BatchRun): Promise<RunBatch> {
  const ran = await rows.tryInSavepoint(async () => {
    const result = await judgeAndWrite(rows, plan, run, quiet)
    return { result, isKept: result.isChanged }
  })
  // Slugs from before the rollback are free again.
  if (!ran.isChanged) rows.forget()
  return ran
}

const quiet: BatchWatch = { onProgress: () => undefined, isStopped: () => false }

async function judgeAndWrite(
  rows: RecordRows,
  plan: Plan,
  { at, known, key }: BatchRun,
  watch: BatchWatch,
): Promise<RunBatch> {
  const { command, ids, isRepeat = false } = plan
  const { isDryRun = false } = command
  const authorship = toAuthorship(command, at)
  const asOf = isDryRun ? await rows.readLastSeq() : 0
  const begun = (await plan.begin?.(authorship)) ?? []
  const judged = await judgeAll(rows, plan, ids, at, watch)
  const { notes } = judged
  const made = (await plan.newRecords?.judge(at)) ?? noNewRecords
  const accepted = isRepeat ? [] : judged.accepted
  const total = toTotal(plan)
  const changed = accepted.length + made.accepted.length
  const progress = { done: total, changed, unchanged: total - changed - made.refused }
  const toUnchanged = async (parts: readonly BatchPart[]): Promise<RunBatch> => {
    const said = { id: null, at, ...plan, state: 'done', total, progress, notes, parts } as const
    return { outcome: await toUnstored(plan, said, judged, asOf), isChanged: false, notes }
  }
  const isRefused = made.refused > 0 || notes.some((note) => note.kind === 'refused')
  if (plan.isAllOrNothing && !isDryRun && isRefused)
    return { outcome: refuseCommand(recordsRefused(command.author, notes)), isChanged: false, notes }
  const isAboutRecords = plan.begin === undefined && plan.beforeWriting === undefined
  if (isAboutRecords && (isDryRun || changed === 0)) return toUnchanged([])
  const batch = known ?? (await addRow(rows, plan, key, at))
  await plan.beforeWriting?.(judged.titles, authorship)
  await writeAll(rows, plan.judge, { ...judged, accepted }, { ...authorship, batch }, watch)
  const created = await createAll(rows, made.accepted, { ...authorship, batch }, ids.length, watch)
  const finished = (await plan.finish?.(authorship, batch)) ?? { parts: begun }
  const isChanged = changed > 0 || hasChangedNames(finished)
  if (isDryRun || !isChanged) return toUnchanged(finished.parts)
  rows.batches.addProgress(batch, progress, notes)
  endRow(rows, batch, finished)
  const more = await plan.readMore?.()
  const touched = [...accepted, ...created]
  return { outcome: { is: 'batch', batch: await rows.batches.read(batch), ids: touched, ...more }, isChanged, notes }
}

/** `begin` may have changed names that `finish` then left as they were, because others had changed them. */
const hasChangedNames = ({ parts, rename }: Finished) => parts.some(hasEffect) || (rename ?? null) !== null

/** The result of a batch that changed nothing, or of a dry run, which reports all notes and, for a bulk change, a preview. */
async function toUnstored(
  { command, ids, readPreview }: Plan,
  said: ReportedBatch,
  { differences, accepted }: JudgedRecords,
  asOf: number,
): Promise<RunBatch['outcome']> {
  if (command.isDryRun !== true) return { is: 'batch', batch: toReport(said), ids: [] }
  const batch = toReport(said, Number.POSITIVE_INFINITY)
  if (command.kind !== 'bulk') return { is: 'batch', batch, ids: [], ...(await readPreview?.(asOf, said.at)) }
  const last = differences.at(-1)?.id ?? null
  const next = last !== null && (accepted.at(-1) ?? 0) > last ? last : null
  return { is: 'batch', batch, ids: [], preview: { differences, next, as_of: asOf, hash: toIdsHash(ids) } }
}

function endRow(rows: RecordRows, batch: number, { parts, rename = null }: Finished): void {
  if (parts.length > 0) rows.batches.setParts(batch, parts)
  if (rename !== null) rows.batches.setRename(batch, rename)
  rows.batches.end(batch)
}

/** A batch in slices: the remaining work, and the results so far. */
export interface Slices {
  readonly plan: Plan
  readonly begun: readonly BatchPart[]
  readonly rest: readonly number[]
  readonly progress: BatchProgress
}

/** `ids`: the records that it changed. `report` is set at the end of the batch, and null while there is more to do. */
interface Slice {
  readonly slices: Slices
  readonly ids: readonly number[]
  readonly report: BatchReport | null
  /** Whether the batch has changed anything. Known at its end. */
  readonly isChanged: boolean
}

/** Begins a batch in slices, within the transaction of the first one. */
export async function beginSlices(rows: RecordRows, plan: Plan, batch: number, at: Timestamp): Promise<Slices> {
  const begun = (await plan.begin?.(toAuthorship(plan.command, at))) ?? []
  if (begun.length > 0) rows.batches.setParts(batch, begun)
  return { plan, begun, rest: plan.ids, progress: { done: 0, changed: 0, unchanged: 0 } }
}

/** Changes as many records as fit into half a second. They stay changed even if later slices fail. */
export async function runSlice(
  rows: RecordRows,
  { plan, begun, ...known }: Slices,
  batch: number,
  at: Timestamp,
  watch: BatchWatch,
): Promise<Slice> {
  const until = performance.now() + maxSliceMs
  const authorship = toAuthorship(plan.command, at)
  const ids: number[] = []
  let { rest, progress } = known
  do {
    const next = rest.slice(0, chunkOfSlice)
    const { done } = progress
    const steps = { isStopped: () => false, onProgress: (some: number) => watch.onProgress(done + some) }
    const judged = await judgeAll(rows, plan, next, at, steps)
    await writeAll(rows, plan.judge, judged, { ...authorship, batch }, steps)
    const { accepted, notes } = judged
    const some = { done: next.length, changed: accepted.length, unchanged: next.length - accepted.length }
    rows.batches.addProgress(batch, some, notes)
    progress = sum(progress, some)
    rest = rest.slice(next.length)
    ids.push(...accepted)
  } while (rest.length > 0 && performance.now() < until && !watch.isStopped())
  const slices = { plan, begun, rest, progress }
  if (rest.length > 0 && !watch.isStopped()) return { slices, ids, report: null, isChanged: false }
  const finished = rest.length > 0 ? { parts: [] } : ((await plan.finish?.(authorship, batch)) ?? { parts: begun })
  if (rest.length > 0) rows.batches.stop(batch, null)
  else endRow(rows, batch, finished)
  const isChanged = progress.changed > 0 || hasChangedNames(finished)
  return { slices, ids, report: await rows.batches.read(batch), isChanged }
}

const sum = (one: BatchProgress, other: BatchProgress): BatchProgress => ({
  done: one.done + other.done,
  changed: one.changed + other.changed,
  unchanged: one.unchanged + other.unchanged,
})

/** The row of a batch that has changed nothing yet. */
export function addRow(rows: RecordRows, plan: Plan, key: BatchKey | null, at: Timestamp): Promise<number> {
  const { kind, command, undoes } = plan
  return rows.batches.add({ kind, ...toAuthorship(command, at), undoes, state: 'running', total: toTotal(plan), key })
}

const toAuthorship = ({ author, reason }: BatchCommand, at: Timestamp): FieldAuthorship => ({
  at,
  author: author.name,
  reason: reason ?? null,
})

interface JudgedRecords {
  readonly count: number
  readonly accepted: readonly number[]
  /** The accepted judgements that fit into memory. */
  readonly kept: ReadonlyMap<number, Accepted>
  /** The categories that accepted records get. */
  readonly titles: ReadonlyMap<number, string>
  readonly notes: readonly BatchNote[]
  readonly differences: readonly Difference[]
}

async function judgeAll(
  rows: RecordRows,
  { judge, command }: Plan,
  ids: readonly number[],
  at: Timestamp,
  watch: BatchWatch,
): Promise<JudgedRecords> {
  const accepted: number[] = []
  const kept = new Map<number, Accepted>()
  const titles = new Map<number, string>()
  const notes: BatchNote[] = []
  const differences: Difference[] = []
  const isShown = createDifferenceFilter(command)
  let bytes = 0
  for await (const chunk of toChunks(ids)) {
    const found = new Map((await rows.readMany(chunk)).map((stored) => [stored.id, stored]))
    for (const id of chunk) {
      const judged = await judge(id, found.get(id) ?? null, at)
      notes.push(...judged.notes)
      if (judged.is !== 'accepted') continue
      accepted.push(id)
      bytes += judged.stored.body.length + toNewSize(judged)
      if (bytes < maxKeptBytes) kept.set(id, judged)
      if (judged.changed.includes('category')) titles.set(id, judged.after.category)
      if (differences.length < maxDifferences && isShown(id))
        differences.push(await toRecordDifference(rows, id, judged))
    }
    watch.onProgress(0)
    if (watch.isStopped()) throw new RolledBack('stopped')
  }
  return { count: ids.length, accepted, kept, titles, notes, differences }
}

/** Which records a dry run shows: all, or those after an id. */
function createDifferenceFilter(command: BatchCommand): (id: number) => boolean {
  const after = command.kind === 'bulk' ? (command.after ?? 0) : 0
  return (id) => command.isDryRun === true && id > after
}

/** Edits give each record texts of its own, which may be longer than those that it has. */
function toNewSize({ after, changed, companions }: Accepted): number {
  const values = [...changed.map((name) => after[name]), ...companions.map(({ content }) => JSON.stringify(content))]
  return values.reduce<number>((size, value) => size + (typeof value === 'string' ? value.length : 0), 0)
}

/** Writes search tokens last, without other writes in between: after each, FTS5 would begin a new segment. */
async function writeAll(
  rows: RecordRows,
  judge: Judge,
  { accepted, kept, count }: Pick<JudgedRecords, 'accepted' | 'kept' | 'count'>,
  { at, author, reason, batch }: FieldAuthorship & { readonly batch: number },
  watch: BatchWatch,
): Promise<void> {
  const said = { author, reason, batch }
  // A record is half done without its search tokens.
  const report = (steps: number) => {
    watch.onProgress(count - accepted.length + Math.floor(steps / 2))
    if (watch.isStopped()) throw new RolledBack('stopped')
  }
  const unkept = new Map<number, readonly WritableName[]>()
  for (let from = 0; from < accepted.length; from += writtenAtOnce) {
    const some: NewVersion[] = []
    for (const id of accepted.slice(from, from + writtenAtOnce)) {
      const judged = kept.get(id) ?? (await judgeAgain(rows, judge, id, at))
      const { stored: before, after: record, changed, companions } = judged
      if (!kept.has(id)) unkept.set(id, changed)
      some.push({ record, before, changed, companions, ...said })
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

const noNewRecords = { accepted: [], refused: 0 }
/** New records written at once. */
const createdAtOnce = 128

/** Creates the records of a batch; returns their ids. They passed `decideCreate` before, without an id. */
async function createAll(
  rows: RecordRows,
  commands: readonly CreateCommand[],
  { at, author, reason, batch }: FieldAuthorship & { readonly batch: number },
  done: number,
  watch: BatchWatch,
): Promise<readonly number[]> {
  const ids: number[] = []
  let next = commands.length === 0 ? 0 : await rows.findNextId()
  for (let from = 0; from < commands.length; from += createdAtOnce) {
    const slugs = new Set<string>()
    const free = createFreeSlugs(async (slug) => slugs.has(slug) || !(await rows.isSlugFree(slug)))
    const some: NewVersion[] = []
    for (const command of commands.slice(from, from + createdAtOnce)) {
      const slug = await free.findFree(toSlug(command.changes.title ?? ''))
      slugs.add(slug)
      const decision = decideCreate(command, { id: next, slug }, at)
      if (decision.is !== 'accepted') throw new Error(`a new record was accepted before, but is ${decision.is} now`)
      some.push({ record: decision.record, before: null, changed: decision.changed, author, reason, batch })
      ids.push(next++)
    }
    await rows.storeNew(some)
    watch.onProgress(done + ids.length)
    if (watch.isStopped()) throw new RolledBack('stopped')
  }
  return ids
}

async function readAgain(rows: RecordRows, id: number): Promise<VideoRecord> {
  const stored = await rows.read(id)
  if (stored === null) throw new Error(`record ${id} vanished within a transaction`)
  return fromBody(stored.body)
}

async function judgeAgain(rows: RecordRows, judge: Judge, id: number, at: Timestamp): Promise<Accepted> {
  const judged = await judge(id, await rows.read(id), at)
  if (judged.is !== 'accepted') throw new Error(`record ${id} was accepted before, but is ${judged.is} now`)
  return judged
}
