import { type Author, hasRole, type Refusal, type UndoCommand } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome } from '../../store.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import { findLeftover } from '../names/leftover-names.ts'
import { type BatchPart, isNameChange, type LinksPart } from '../names/name-change.ts'
import { beginNameUndo, type FindLeftover, finishNameUndo } from '../names/name-undo.ts'
import type { RecordRows } from '../record-rows.ts'
import {
  type BatchJob,
  type BatchRow,
  type BatchWork,
  type BegunSlices,
  createJob,
  maxAtOnce,
  noLimits,
  type RecordWork,
  runSlice,
  toRunning,
} from './batch-job.ts'
import { findEarlier, toBatchKey } from './batch-key.ts'
import type { BatchMember } from './batch-members.ts'
import { toReport } from './batch-report.ts'
import type { FoundBatch } from './batch-rows.ts'
import { filterLinked, findLinksUndo, noLinks } from './links-undo.ts'
import type { BatchKey, CategoryRename } from './new-batch.ts'
import { findRecordUndo } from './record-undo.ts'
import { giveTitleBack } from './rename-category.ts'

/** Reverts a batch field by field (ADR 9). The undo is itself a batch, so that it can be undone too. */
export async function undo(rows: RecordRows, command: UndoCommand, at: Timestamp): Promise<Outcome | BegunSlices> {
  const batch = await rows.batches.find(command.batch)
  if (batch === null) return refuse({ code: 'no_such_batch' })
  if (!mayUndo(command.author, batch)) return refuse({ code: 'not_your_batch' })
  const key = toBatchKey(command, ['undo', command.batch, command.reason ?? null])
  const earlier = key === null ? null : await findEarlier(rows, command.author.name, key, at)
  if (earlier === 'other') return refuse({ code: 'key_reused' })
  if (earlier === 'no batch') return reportNothing(rows, command, at)
  const known = earlier === null ? null : await rows.batches.read(earlier)
  // The same request resumes a batch that was stopped.
  if (known !== null && known.state !== 'stopped') return { is: 'batch', batch: known, ids: [] }
  const running = await findRunning(rows, batch)
  if (running !== null) return refuse(toRunning(running))
  const job = await createUndoJob(rows, command, batch, key, at)
  if (job.row.total > maxAtOnce) return { is: 'begun', job }
  const { report, ids } = await runSlice(rows, job, at, noLimits)
  return { is: 'batch', batch: report, ids }
}

/** There was nothing to undo when the same request came first, so nothing is undone now either. */
async function reportNothing(rows: RecordRows, command: UndoCommand, at: Timestamp): Promise<Outcome> {
  const total = await rows.batches.countMembers(command.batch)
  const progress = { done: total, changed: 0, unchanged: total }
  const row = { id: null, at, command, kind: 'undo', state: 'done', undoes: command.batch, total } as const
  return { is: 'batch', batch: toReport({ ...row, progress, notes: [] }), ids: [] }
}

/** The batch itself, an undo of it, or a batch that changes the same names. */
async function findRunning(rows: RecordRows, { id, state, parts }: FoundBatch): Promise<number | null> {
  if (state === 'running') return id
  let running = await rows.batches.findRunningUndo(id)
  for (const names of parts.filter(isNameChange)) running ??= await rows.batches.findRunningNames(names)
  return running
}

const refuse = (refusal: Refusal): Outcome => ({ is: 'refused', refusal })

/** Editors undo their own batches; admins undo anybody's. */
function mayUndo({ name, role }: Author, batch: FoundBatch): boolean {
  return role === 'admin' || (name === batch.author && hasRole(role, 'editor'))
}

/** Resumes a stopped undo of the same author, or creates a new job. */
async function createUndoJob(
  rows: RecordRows,
  command: UndoCommand,
  undone: FoundBatch,
  key: BatchKey | null,
  at: Timestamp,
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
  const isNew = stopped === null && command.isDryRun !== true
  const parts = isNew ? await beginParts(rows, command, undone) : (stopped?.parts ?? [])
  const row = { kind: 'undo', undoes: undone.id, rename: back, parts, total, key } as const
  const known = isOurs ? stopped.id : null
  const { author, reason = null } = command
  // Names may have changed already, so the batch needs a row even if no record changes.
  const hasBegun = known === null && parts.some(isNameChange) && command.isDryRun !== true
  return createJob({
    command,
    work: createUndoWork(command, undone, back, erased, parts),
    row,
    batch: hasBegun ? await rows.batches.add({ ...row, at, author: author.name, reason, state: 'running' }) : known,
    lastId: isOurs ? stopped.lastId : 0,
  })
}

/** What the batch did last is undone first. */
async function beginParts(rows: RecordRows, { author }: UndoCommand, undone: FoundBatch): Promise<BatchPart[]> {
  const parts: BatchPart[] = undone.parts.filter(isLinks)
  // Whoever may not change every record may not rename them all either.
  if (!hasRole(author.role, 'publisher')) return parts
  const changes = undone.parts.filter(isNameChange).reverse()
  const findLeft: FindLeftover = (kind, row) => findLeftover(rows, kind, row, undone.id)
  for (const names of changes) {
    const back = await beginNameUndo(rows, names, findLeft, changes.length > 1)
    if (back !== null) parts.push(back)
  }
  return parts
}

const isLinks = (part: BatchPart): part is LinksPart => part.kind === 'links'

/** `back`: the category gets its old title back at the end, if that is possible then. */
function createUndoWork(
  { isDryRun = false }: UndoCommand,
  { id: undone, rename, state, parts: undoneParts }: FoundBatch,
  back: CategoryRename | null,
  erased: readonly number[],
  parts: readonly BatchPart[],
): BatchWork {
  const linked = new Set(undoneParts.filter(isLinks).flatMap(({ ids }) => ids))
  return {
    mayBeRefused: true,
    async listNext(rows, after, limit) {
      const work: RecordWork[] = []
      for (const member of await rows.batches.listMembers(undone, after, limit)) {
        work.push(await findWork(rows, undone, member, linked.has(member.id)))
      }
      return work
    },
    async finish(rows, batch, note, authorship) {
      for (const id of erased) note({ id, kind: 'left', why: 'erased', fields: [] })
      if (isDryRun) return
      if (parts.length > 0) await finishParts(rows, parts, batch, authorship)
      if (rename === null) return
      // The category kept its old title; the stopped rename created another one for the new title.
      if (state === 'stopped') await rows.categories.removeEmpty(rename.to)
      else if (back !== null) await endRename(rows, back, batch, authorship)
    },
  }
}

/** Tells in the row of the batch what was left, and whose links were changed. */
async function finishParts(
  rows: RecordRows,
  parts: readonly BatchPart[],
  batch: BatchRow,
  authorship: CategoryAuthorship,
): Promise<void> {
  const finished: BatchPart[] = []
  for (const names of parts.filter(isNameChange)) {
    const { done, left } = await finishNameUndo(rows, names, authorship)
    finished.push(...(done === null ? [] : [done]), ...left)
  }
  const id = batch.id()
  if (id === null) return
  const ids = await filterLinked(
    rows,
    id,
    parts.filter(isLinks).flatMap((part) => part.ids),
  )
  const links: readonly LinksPart[] = ids.length === 0 ? [] : [{ kind: 'links', ids }]
  rows.batches.setParts(id, [...links, ...finished])
}

async function findWork(rows: RecordRows, batch: number, member: BatchMember, isLinked: boolean): Promise<RecordWork> {
  const { changes, left } = await findRecordUndo(rows, batch, member)
  const { id } = member
  const { links, left: leftLinks } = isLinked ? await findLinksUndo(rows, id, batch) : noLinks
  const notes = [...left, ...leftLinks].map(({ fields, why }) => ({ id, kind: 'left' as const, why, fields }))
  return { id, changes, notes, ...(links === null ? {} : { links }) }
}

async function endRename(
  rows: RecordRows,
  back: CategoryRename,
  batch: BatchRow,
  authorship: CategoryAuthorship,
): Promise<void> {
  const categoryId = await giveTitleBack(rows, back, authorship)
  if (categoryId !== null) rows.batches.setRename(await batch.make(), { ...back, categoryId })
  else if (batch.id() !== null) rows.batches.setRename(await batch.make(), null)
}
