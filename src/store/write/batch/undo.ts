import { type Author, hasRole, type Refusal, type UndoCommand } from '../../../record/command.ts'
import type { WritableName } from '../../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../../record/json/json-value.ts'
import type { Changes, VideoRecord } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { UnchangedFields } from '../../change-log.ts'
import type { Outcome } from '../../store.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import type { RecordRows } from '../record-rows.ts'
import {
  type BatchJob,
  type BatchRow,
  type BatchWork,
  createJob,
  maxAtOnce,
  noLimits,
  type RecordWork,
  runSlice,
} from './batch-job.ts'
import type { BatchMember } from './batch-members.ts'
import type { BatchKey, CategoryRename, FoundBatch } from './batch-rows.ts'

/** A batch that is too large for one transaction has started; the writer continues it (ADR 32). */
export type Begun = { readonly is: 'begun'; readonly job: BatchJob }

/** Reverts a batch field by field (ADR 9). The undo is itself a batch, so that it can be undone too. */
export async function undo(rows: RecordRows, command: UndoCommand, at: Timestamp): Promise<Outcome | Begun> {
  const batch = await rows.batches.find(command.batch)
  if (batch === null) return refuse({ code: 'no_such_batch' })
  if (!mayUndo(command.author, batch)) return refuse({ code: 'not_your_batch' })
  const key = toKey(command)
  const earlier = key === null ? null : await findEarlier(rows, command.author.name, key, at)
  if (earlier === 'other') return refuse({ code: 'key_reused' })
  const known = earlier === null ? null : await rows.batches.read(earlier)
  // The same request resumes a batch that was stopped.
  if (known !== null && known.state !== 'stopped') return { is: 'batch', batch: known, ids: [] }
  const running = batch.state === 'running' ? batch.id : await rows.batches.findRunningUndo(batch.id)
  if (running !== null) return refuse(toRunning(running))
  const job = await createUndoJob(rows, command, batch, key)
  if (job.row.total > maxAtOnce) return { is: 'begun', job }
  const { report, ids } = await runSlice(rows, job, at, noLimits)
  return { is: 'batch', batch: report, ids }
}

const refuse = (refusal: Refusal): Outcome => ({ is: 'refused', refusal })

export const toRunning = (batch: number): Refusal => ({
  code: 'batch_running',
  detail: `Batch ${batch} is still running; wait until it is done. See /api/v2/batches/${batch}.`,
})

/** Editors undo their own batches; admins undo anybody's. */
function mayUndo({ name, role }: Author, batch: FoundBatch): boolean {
  return role === 'admin' || (name === batch.author && hasRole(role, 'editor'))
}

function toKey({ idempotencyKey: key, batch, reason, isDryRun = false }: UndoCommand): BatchKey | null {
  if (key === undefined || isDryRun) return null
  const request = JSON.stringify(['undo', batch, reason ?? null])
  return { key, request: new Bun.CryptoHasher('sha256').update(request).digest('hex') }
}

/** The batch that the same request started; `other` if the key belongs to another request, or to a new record. */
async function findEarlier(
  rows: RecordRows,
  author: string,
  { key, request }: BatchKey,
  at: Timestamp,
): Promise<number | 'other' | null> {
  const asRecord = await rows.idempotency.find({ author, key, request: Buffer.from(request, 'hex') }, at)
  return asRecord === null ? await rows.batches.findByKey(author, { key, request }, at) : 'other'
}

/** Resumes a stopped undo of the same author, or creates a new job. */
async function createUndoJob(
  rows: RecordRows,
  command: UndoCommand,
  undone: FoundBatch,
  key: BatchKey | null,
): Promise<BatchJob> {
  const { rename } = undone
  const stopped = command.isDryRun === true ? null : await rows.batches.findStoppedUndo(undone.id)
  const isOurs = stopped !== null && stopped.author === command.author.name
  if (isOurs) rows.batches.resume(stopped.id, key)
  const isTitleFree = rename !== null && !(await rows.categories.isTitleTaken(rename.from))
  const toOld = isTitleFree ? { categoryId: rename.categoryId, from: rename.to, to: rename.from } : null
  // If another undo was stopped, its records may be in a category with the old title already.
  const back = stopped === null ? toOld : stopped.rename
  const erased = await rows.batches.listErased(undone.id)
  const total = (await rows.batches.countMembers(undone.id)) + erased.length
  return createJob({
    command,
    work: createUndoWork(command, undone, back, erased),
    row: { kind: 'undo', undoes: undone.id, rename: back, total, key },
    batch: isOurs ? stopped.id : null,
    lastId: isOurs ? stopped.lastId : 0,
  })
}

/** `back`: the category gets its old title back at the end, if that is possible then. */
function createUndoWork(
  { isDryRun = false }: UndoCommand,
  { id: undone, rename, state }: FoundBatch,
  back: CategoryRename | null,
  erased: readonly number[],
): BatchWork {
  return {
    mayBeRefused: true,
    async listNext(rows, after, limit) {
      const work: RecordWork[] = []
      for (const member of await rows.batches.listMembers(undone, after, limit)) {
        work.push(await findWork(rows, undone, member))
      }
      return work
    },
    async finish(rows, batch, note, authorship) {
      for (const id of erased) note({ id, kind: 'left', why: 'erased', fields: [] })
      if (isDryRun || rename === null) return
      // The category kept its old title; the stopped rename created another one for the new title.
      if (state === 'stopped') await rows.categories.removeEmpty(rename.to)
      else if (back !== null) await giveTitleBack(rows, back, batch, authorship)
    },
  }
}

async function findWork(rows: RecordRows, batch: number, member: BatchMember): Promise<RecordWork> {
  const { changes, left } = await findRecordUndo(rows, batch, member)
  const { id } = member
  return { id, changes, notes: left.map(({ fields, why }) => ({ id, kind: 'left' as const, why, fields })) }
}

/**
 * Gives a renamed category its old title back, if no record stays under the new title, no other category had the old
 * title when the undo started, and the category that the undo created is unchanged. Otherwise the records stay in the
 * category with the old title.
 */
async function giveTitleBack(
  rows: RecordRows,
  back: CategoryRename,
  batch: BatchRow,
  authorship: CategoryAuthorship,
): Promise<void> {
  const { categoryId, from, to } = back
  const isLeft =
    (await rows.categories.findTitle(categoryId)) === from && !(await rows.categories.hasRecords(categoryId))
  if (isLeft && (await rows.categories.canGiveWay(to)))
    rows.batches.setRename(await batch.make(), {
      ...back,
      categoryId: await rows.categories.takePlace(categoryId, to, authorship),
    })
  else if (batch.id() !== null) rows.batches.setRename(await batch.make(), null)
}

/** What the undo of a batch changes in a record, and the fields it leaves unchanged. */
interface RecordUndo {
  readonly changes: Changes
  readonly left: readonly Omit<UnchangedFields, 'id'>[]
}

/** The value of a field before and after a batch. */
interface Given {
  readonly before: JsonValue
  readonly after: JsonValue
}

/** Reverts a field if it still has the value that the batch gave it; changes of other fields do not matter. */
async function findRecordUndo(rows: RecordRows, batch: number, member: BatchMember): Promise<RecordUndo> {
  if (member.first === 1) return findWithdrawal(rows, member)
  const { given, last } = await findGiven(rows, batch, member)
  const current = member.current === member.last ? last : await find(rows, member.id, member.current)
  const [changes, since, already]: [Record<string, JsonValue>, string[], string[]] = [{}, [], []]
  for (const [name, { before, after }] of given) {
    if (isSameJson(before, after)) continue
    if (isSameJson(current[name], after)) changes[name] = before
    else (isSameJson(current[name], before) ? already : since).push(name)
  }
  // Reverting the source URL must not replace a player that was changed since.
  if ('source_url' in changes && !('embed' in changes)) changes.embed = current.embed
  return {
    // Each value was a value of the same field of this record.
    changes: changes as Changes,
    left: [...toLeft(already, 'already as before'), ...toLeft(since, 'changed since')],
  }
}

const toLeft = (fields: readonly string[], why: UnchangedFields['why']) =>
  fields.length === 0 ? [] : [{ fields, why }]

async function find(rows: RecordRows, id: number, number: number): Promise<VideoRecord> {
  const record = await rows.versions.find(id, number)
  if (record === null) throw new Error(`version ${number} of record ${id} is not there`)
  return record
}

/** A record that the batch created becomes a draft: records are never deleted. */
async function findWithdrawal(rows: RecordRows, { id, last, current }: BatchMember): Promise<RecordUndo> {
  const { state } = await find(rows, id, current)
  if (state === 2) return { changes: {}, left: toLeft(['state'], 'already a draft') }
  const isAsMade = last === current || (await find(rows, id, last)).state === state
  return isAsMade ? { changes: { state: 2 }, left: [] } : { changes: {}, left: toLeft(['state'], 'changed since') }
}

/** Skips versions of others between those of the batch. Also returns the record in the last version of the batch. */
async function findGiven(rows: RecordRows, batch: number, { id, first, last }: BatchMember) {
  const given = new Map<WritableName, Given>()
  let earlier = await find(rows, id, first - 1)
  for (let number = first; number <= last; number++) {
    const step = await rows.versions.findStep(id, number)
    if (step === null) throw new Error(`version ${number} of record ${id} is not there`)
    for (const name of step.batch === batch ? step.changed : []) {
      const known = given.get(name)
      given.set(name, { before: known === undefined ? earlier[name] : known.before, after: step.record[name] })
    }
    earlier = step.record
  }
  return { given, last: earlier }
}
