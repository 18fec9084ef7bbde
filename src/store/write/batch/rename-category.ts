import type { CategoryChanges } from '../../../record/category.ts'
import type { CategoryCommand } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome } from '../../store.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import type { NameChange } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import {
  type BatchJob,
  type BatchWork,
  type BegunSlices,
  createJob,
  maxAtOnce,
  noLimits,
  type RecordWork,
  runSlice,
} from './batch-job.ts'
import type { BatchKey, CategoryRename, NewBatch } from './new-batch.ts'

/**
 * Every record of a renamed category gets a new version. A few records change in one transaction with the category.
 * Many records move in slices to a category with the new title, which replaces the old one at the end (ADR 32). So each
 * record agrees with its category at any time, even if the rename is never finished.
 */
export async function renameCategory(
  rows: RecordRows,
  command: CategoryCommand,
  rename: CategoryRename,
  key: BatchKey | null,
  at: Timestamp,
): Promise<Outcome | BegunSlices> {
  const { title: _, ...others } = command.changes
  const ids = await rows.categories.listRecords(rename.categoryId)
  const parts = await findOthers(rows, command.slug, others)
  const row = { kind: 'rename category', undoes: null, rename, parts, total: ids.length, key } as const
  const isMoved = (await rows.categories.isTitleTaken(rename.to)) || ids.length > maxAtOnce
  const changed = await rows.categories.update(
    rename.categoryId,
    isMoved ? others : command.changes,
    toAuthorship(command, at),
  )
  if (!isMoved) return { ...(await renameAtOnce(rows, command, row, ids, at)), category: changed }
  const job = await createRenameJob(rows, command, row, ids, at)
  if (ids.length > maxAtOnce) return { is: 'begun', job }
  const slice = await runSlice(rows, job, at, noLimits)
  const category = await rows.categories.find(command.slug)
  return { is: 'batch', batch: slice.report, ids: slice.ids, ...(category === null ? {} : { category }) }
}

/** Changes all records in this transaction; the category keeps its row. */
async function renameAtOnce(
  rows: RecordRows,
  command: CategoryCommand,
  row: RenameRow,
  ids: readonly number[],
  at: Timestamp,
): Promise<Extract<Outcome, { is: 'batch' }>> {
  const batch = await addRow(rows, command, row, at)
  const members: BatchWork = {
    mayBeRefused: false,
    listNext: async (_, after, limit) => listAfter(ids, after, limit).map((id) => toWork(id, row.rename)),
    finish: async () => undefined,
  }
  const job = createJob({ command, work: members, row, batch, lastId: 0 })
  const slice = await runSlice(rows, job, at, noLimits)
  return { is: 'batch', batch: slice.report, ids: slice.ids }
}

async function createRenameJob(
  rows: RecordRows,
  command: CategoryCommand,
  row: RenameRow,
  ids: readonly number[],
  at: Timestamp,
): Promise<BatchJob> {
  const { rename, key } = row
  // If the category that a stopped rename created is gone, start a new rename.
  const stopped = (await rows.categories.isTitleTaken(rename.to)) ? await rows.batches.findStoppedRename(rename) : null
  await rows.categories.ensureCategory(rename.to, toAuthorship(command, at))
  const isOurs = stopped !== null && stopped.author === command.author.name
  if (isOurs) rows.batches.resume(stopped.id, key)
  const batch = isOurs ? stopped.id : await addRow(rows, command, row, at)
  return createJob({ command, work: createRenameWork(rename, ids), row, batch, lastId: 0 })
}

/** Ordered by id, which keeps the search index fast; then the records that joined the category in the meantime. */
function createRenameWork(rename: CategoryRename, ids: readonly number[]): BatchWork {
  const { categoryId, to } = rename
  return {
    mayBeRefused: false,
    async listNext(rows, after, limit) {
      const known = listAfter(ids, after, limit)
      const next = known.length > 0 ? known : await rows.categories.listSome(categoryId, limit)
      const work: RecordWork[] = []
      for (const id of next) {
        const isIn = await rows.categories.has(categoryId, id)
        work.push(isIn ? toWork(id, rename) : { id, changes: {}, notes: [] })
      }
      return work
    },
    async finish(rows, _batch, _note, authorship) {
      // If an import has changed the new category in the meantime, it stays, with all records.
      if (await rows.categories.canGiveWay(to)) await rows.categories.takePlace(categoryId, to, authorship)
    },
  }
}

const toWork = (id: number, { to }: CategoryRename) => ({ id, changes: { category: to }, notes: [] })

function listAfter(ids: readonly number[], after: number, limit: number): readonly number[] {
  const from = ids.findIndex((id) => id > after)
  return from < 0 ? [] : ids.slice(from, from + limit)
}

/**
 * Gives a renamed category its old title back, if no record stays under the new title, no other category had the old
 * title when the undo started, and the category that the undo created is unchanged. Otherwise the records stay in the
 * category with the old title. Returns the id that the category has then; null if it keeps its title.
 */
export async function giveTitleBack(
  rows: RecordRows,
  { categoryId, from, to }: CategoryRename,
  authorship: CategoryAuthorship,
): Promise<number | null> {
  const isLeft =
    (await rows.categories.findTitle(categoryId)) === from && !(await rows.categories.hasRecords(categoryId))
  if (!isLeft || !(await rows.categories.canGiveWay(to))) return null
  return rows.categories.takePlace(categoryId, to, authorship)
}

interface RenameRow extends Pick<NewBatch, 'kind' | 'undoes' | 'parts' | 'total' | 'key'> {
  readonly rename: CategoryRename
}

/** Other fields that the same request changes, so that an undo gives them back too. */
async function findOthers(rows: RecordRows, slug: string, changes: CategoryChanges): Promise<readonly NameChange[]> {
  const fields: Readonly<Record<string, unknown>> = (await rows.categories.find(slug))?.fields ?? {}
  const changed = Object.entries(changes).filter(([name, value]) => fields[name] !== value)
  if (changed.length === 0) return []
  const before: CategoryChanges = Object.fromEntries(changed.map(([name]) => [name, fields[name]]))
  const filled = { slug, before, after: Object.fromEntries(changed) }
  return [{ kind: 'category', exchanged: null, rows: [], filled }]
}

const toAuthorship = ({ author, reason }: CategoryCommand, at: Timestamp) => ({
  at,
  author: author.name,
  reason: reason ?? null,
})

function addRow(rows: RecordRows, command: CategoryCommand, row: RenameRow, at: Timestamp) {
  return rows.batches.add({ ...row, ...toAuthorship(command, at), state: 'running' })
}
