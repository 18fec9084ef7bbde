import type { CategoryCommand } from '../../record/command.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome } from '../store.ts'
import { type BatchJob, type BatchWork, createJob, maxAtOnce, noLimits, runSlice } from './batch-job.ts'
import type { CategoryRename } from './batch-rows.ts'
import type { Rows } from './rows.ts'
import type { Begun } from './undo.ts'

/**
 * Every record of a renamed category gets a version that says so. A few of them and the category's row change in one
 * transaction. Many records move, slice by slice, to a category of the new title, which takes the place of the old one at
 * the end (ADR 32): so each record agrees with its category at any time, even if nobody ever goes on.
 */
export function renameCategory(
  rows: Rows,
  command: CategoryCommand,
  rename: CategoryRename,
  at: Timestamp,
): Outcome | Begun {
  const { title, ...others } = command.changes
  const ids = rows.categories.listRecords(rename.categoryId)
  const isMoved = rows.categories.isTitleTaken(rename.to) || ids.length > maxAtOnce
  const changed = rows.categories.update(rename.categoryId, isMoved ? others : command.changes, toDeed(command, at))
  if (!isMoved) return { ...renameAtOnce(rows, command, rename, ids, at), category: changed }
  const job = toJob(rows, command, rename, ids.length, at)
  if (ids.length > maxAtOnce) return { is: 'begun', job }
  const slice = runSlice(rows, job, at, noLimits)
  const category = rows.categories.find(command.slug)
  return { is: 'batch', batch: slice.report, ids: slice.ids, ...(category === null ? {} : { category }) }
}

/** The category keeps its row. */
function renameAtOnce(
  rows: Rows,
  command: CategoryCommand,
  rename: CategoryRename,
  ids: readonly number[],
  at: Timestamp,
): Extract<Outcome, { is: 'batch' }> {
  const row = toRow(rename, ids.length)
  const batch = addRow(rows, command, row, at)
  const members: BatchWork = {
    mayBeRefused: false,
    listNext: (_, after, limit) => {
      const from = ids.findIndex((id) => id > after)
      return from < 0 ? [] : ids.slice(from, from + limit).map((id) => toWork(id, rename))
    },
    finish: () => undefined,
  }
  const job = createJob({ command, work: members, row, batch, lastId: 0 })
  const slice = runSlice(rows, job, at, noLimits)
  return { is: 'batch', batch: slice.report, ids: slice.ids }
}

function toJob(rows: Rows, command: CategoryCommand, rename: CategoryRename, total: number, at: Timestamp): BatchJob {
  rows.categories.toId(rename.to, toDeed(command, at))
  const row = toRow(rename, total)
  const stopped = rows.batches.findStoppedRename(rename)
  const isOurs = stopped !== null && stopped.author === command.author.name
  if (isOurs) rows.batches.resume(stopped.id, null)
  const batch = isOurs ? stopped.id : addRow(rows, command, row, at)
  return createJob({ command, work: createRenameWork(rename), row, batch, lastId: 0 })
}

function createRenameWork(rename: CategoryRename): BatchWork {
  return {
    mayBeRefused: false,
    // Whoever has got the new title is no longer in the old category; who has come into it meanwhile goes along.
    listNext: (rows, _, limit) => rows.categories.listSome(rename.categoryId, limit).map((id) => toWork(id, rename)),
    finish: (rows, _batch, _note, deed) => void rows.categories.takePlace(rename.categoryId, rename.to, deed),
  }
}

const toWork = (id: number, { to }: CategoryRename) => ({ id, changes: { category: to }, notes: [] })

const toRow = (rename: CategoryRename, total: number) =>
  ({ kind: 'rename category', undoes: null, rename, total, key: null }) as const

const toDeed = ({ author, reason }: CategoryCommand, at: Timestamp) => ({
  at,
  author: author.name,
  reason: reason ?? null,
})

function addRow(rows: Rows, command: CategoryCommand, row: ReturnType<typeof toRow>, at: Timestamp) {
  return rows.batches.add({ ...row, ...toDeed(command, at), state: 'running' })
}
