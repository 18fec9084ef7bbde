import { type CategoryChanges, type CategoryFields, categoryNames } from '../../../record/category.ts'
import type { MergeCategoriesCommand, Refusal } from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { toMergedCategory } from '../../../record/name-refusals.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome, StoredCategory } from '../../store.ts'
import { type BegunSlices, toRunning } from '../batch/batch-job.ts'
import { toBatchKey } from '../batch/batch-key.ts'
import type { RecordRows } from '../record-rows.ts'
import { findRepeated, refuse, runNameBatch, toDryRunReport } from './name-batch.ts'
import type { NameChange } from './name-change.ts'

const kind = 'merge category'

/** Moves all records of a category to another one and makes it an alias of that. Its fields fill empty ones there. */
export async function mergeCategories(
  rows: RecordRows,
  command: MergeCategoriesCommand,
  at: Timestamp,
): Promise<Outcome | BegunSlices> {
  const { slug, into } = command
  const key = toBatchKey(command, ['merge', 'category', slug, into, command.reason ?? null])
  const repeated = await findRepeated(rows, command, key, at)
  if (repeated !== null) return repeated
  const [category, target] = [await rows.categories.find(slug), await rows.categories.find(into)]
  if (category === null) return refuse({ code: 'no_such_category' })
  if (isStale(command.precondition ?? {}, category)) return refuse({ code: 'stale' })
  const stopped = await rows.batches.findStoppedNames(
    kind,
    ({ rows: [from, to] }) => from?.row === slug && to?.row === into,
  )
  const isResumed = stopped !== null && (await rows.categories.findMergedInto(category.id)) === into
  const refusal = await findRefusal(rows, category, target, isResumed)
  if (refusal !== null || target === null) return refuse(refusal ?? noTarget)
  const ids = await rows.categories.listRecords(category.id)
  if (command.isDryRun) return { is: 'batch', batch: toDryRunReport(command, kind, ids.length, at), ids: [] }
  const names = await toChange(rows, category, target)
  if (names.filled !== null) {
    const authorship = { at, author: command.author.name, reason: command.reason ?? null }
    await rows.categories.update(target.id, names.filled.after, authorship)
  }
  rows.categoryMerges.set(target.id, null)
  rows.categoryMerges.set(category.id, target.id)
  const { title } = target.fields
  const findChanges = async (id: number) => ((await rows.categories.has(category.id, id)) ? { category: title } : {})
  return runNameBatch(rows, command, { kind, names, key, stopped: isResumed ? stopped : null, ids, findChanges }, at)
}

const noTarget: Refusal = { code: 'bad_fields', errors: new Map([['into', ['There is no category with this slug.']]]) }

async function findRefusal(
  rows: RecordRows,
  category: StoredCategory,
  target: StoredCategory | null,
  isResumed: boolean,
): Promise<Refusal | null> {
  const current = isResumed ? category.slug : await rows.categories.findCurrentSlug(category.id)
  if (current !== category.slug) return toMergedCategory(category.slug, current)
  if (target === null) return noTarget
  const currentTarget = await rows.categories.findCurrentSlug(target.id)
  if (currentTarget === category.slug) {
    const detail = `Both are the category ${currentTarget}. Name another one in "into".`
    return { code: 'same_entry', detail, more: { slug: currentTarget } }
  }
  if (currentTarget !== target.slug) return toMergedCategory(target.slug, currentTarget)
  const running = await findRunning(rows, [category, target])
  return running === null ? null : toRunning(running)
}

/** A running batch that merges or renames one of these. */
async function findRunning(rows: RecordRows, categories: readonly StoredCategory[]): Promise<number | null> {
  for (const { id, slug, fields } of categories) {
    const renamed = (await rows.batches.findRunningRename(id, fields.title))?.id
    const running = renamed ?? (await findRunningMerge(rows, slug))
    if (running !== null) return running
  }
  return null
}

/** A running batch that merges this category, another one into it, or undoes that. */
export function findRunningMerge(rows: RecordRows, slug: string): Promise<number | null> {
  const change = { row: slug, name: null, from: null, to: null }
  return rows.batches.findRunningNames({ kind: 'category', exchanged: null, rows: [change], filled: null })
}

async function toChange(rows: RecordRows, category: StoredCategory, target: StoredCategory): Promise<NameChange> {
  const after = toFilling(category.fields, target.fields)
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, Object(target.fields)[name]]))
  return {
    kind: 'category',
    exchanged: null,
    rows: [
      { row: category.slug, name: null, from: await rows.categories.findMergedInto(category.id), to: target.slug },
      { row: target.slug, name: null, from: await rows.categories.findMergedInto(target.id), to: null },
    ],
    filled: Object.keys(after).length === 0 ? null : { slug: target.slug, before, after },
  }
}

/** The fields that only the merged category has. */
function toFilling(from: CategoryFields, to: CategoryFields): CategoryChanges {
  const isEmpty = (value: string | null) => value === null || value === ''
  const wanted = categoryNames.filter((name) => isEmpty(to[name]) && !isEmpty(from[name]))
  return Object.fromEntries(wanted.map((name) => [name, from[name]]))
}
