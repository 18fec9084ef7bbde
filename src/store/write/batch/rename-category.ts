import type { CategoryCommand } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome } from '../../store.ts'
import type { RecordRows } from '../record-rows.ts'
import { type BatchJob, type BatchWork, createJob, maxAtOnce, noLimits, runSlice } from './batch-job.ts'
import type { CategoryRename } from './batch-rows.ts'
import type { Begun } from './undo.ts'

/**
 * Every record of a renamed category gets a version that says so. A few of them and the category's row change in one
 * transaction. Many records move, slice by slice, to a category of the new title, which takes the place of the old one at
 * the end (ADR 32): so each record agrees with its category at any time, even if nobody ever goes on.
 */
export function renameCategory(
  rows: RecordRows,
  command: CategoryCommand,
  rename: CategoryRename,
  at: Timestamp,
): Outcome | Begun {
  const { title, ...others } = command.changes
  const ids = rows.categories.listRecords(rename.categoryId)
  const isMoved = rows.categories.isTitleTaken(rename.to) || ids.length > maxAtOnce
  const changed = rows.categories.update(rename.categoryId, isMoved ? others : command.changes, toDeed(command, at))
  if (!isMoved) return { ...renameAtOnce(rows, command, rename, ids, at), category: changed }
  const job = toJob(rows, command, rename, ids, at)
  if (ids.length > maxAtOnce) return { is: 'begun', job }
  const slice = runSlice(rows, job, at, noLimits)
  const category = rows.categories.find(command.slug)
  return { is: 'batch', batch: slice.report, ids: slice.ids, ...(category === null ? {} : { category }) }
}

/** The category keeps its row. */
function renameAtOnce(
  rows: RecordRows,
  command: CategoryCommand,
  rename: CategoryRename,
  ids: readonly number[],
  at: Timestamp,
): Extract<Outcome, { is: 'batch' }> {
  const row = toRow(rename, ids.length)
  const batch = addRow(rows, command, row, at)
  const members: BatchWork = {
    mayBeRefused: false,
    listNext: (_, after, limit) => listAfter(ids, after, limit).map((id) => toWork(id, rename)),
    finish: () => undefined,
  }
  const job = createJob({ command, work: members, row, batch, lastId: 0 })
  const slice = runSlice(rows, job, at, noLimits)
  return { is: 'batch', batch: slice.report, ids: slice.ids }
}

function toJob(
  rows: RecordRows,
  command: CategoryCommand,
  rename: CategoryRename,
  ids: readonly number[],
  at: Timestamp,
): BatchJob {
  // Where what a stopped one had made is gone, another is begun.
  const stopped = rows.categories.isTitleTaken(rename.to) ? rows.batches.findStoppedRename(rename) : null
  rows.categories.ensureCategory(rename.to, toDeed(command, at))
  const row = toRow(rename, ids.length)
  const isOurs = stopped !== null && stopped.author === command.author.name
  if (isOurs) rows.batches.resume(stopped.id, null)
  const batch = isOurs ? stopped.id : addRow(rows, command, row, at)
  return createJob({ command, work: createRenameWork(rename, ids), row, batch, lastId: 0 })
}

/** In the order of ids, which the search index needs to be fast; then whoever has come into the category meanwhile. */
function createRenameWork(rename: CategoryRename, ids: readonly number[]): BatchWork {
  const { categoryId, to } = rename
  return {
    mayBeRefused: false,
    listNext(rows, after, limit) {
      const known = listAfter(ids, after, limit)
      const next = known.length > 0 ? known : rows.categories.listSome(categoryId, limit)
      return next.map((id) =>
        rows.categories.has(categoryId, id) ? toWork(id, rename) : { id, changes: {}, notes: [] },
      )
    },
    finish(rows, _batch, _note, deed) {
      // An import may have written to the other one meanwhile: then that one stays, with all records.
      if (rows.categories.canGiveWay(to)) rows.categories.takePlace(categoryId, to, deed)
    },
  }
}

const toWork = (id: number, { to }: CategoryRename) => ({ id, changes: { category: to }, notes: [] })

function listAfter(ids: readonly number[], after: number, limit: number): readonly number[] {
  const from = ids.findIndex((id) => id > after)
  return from < 0 ? [] : ids.slice(from, from + limit)
}

const toRow = (rename: CategoryRename, total: number) =>
  ({ kind: 'rename category', undoes: null, rename, total, key: null }) as const

const toDeed = ({ author, reason }: CategoryCommand, at: Timestamp) => ({
  at,
  author: author.name,
  reason: reason ?? null,
})

function addRow(rows: RecordRows, command: CategoryCommand, row: ReturnType<typeof toRow>, at: Timestamp) {
  return rows.batches.add({ ...row, ...toDeed(command, at), state: 'running' })
}
