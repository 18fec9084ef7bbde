import {
  type CategoryChanges,
  type CategoryFields,
  categoryNames,
  findDateErrors,
  type NewCategory,
  toNewCategory,
} from '../../../record/category.ts'
import type {
  CategoryCommand,
  CreateCategoryCommand,
  MergeCategoriesCommand,
  Refusal,
} from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { alreadyMergedCategory } from '../../../record/name.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { StoredCategory } from '../../list-reads.ts'
import type { Outcome } from '../../store.ts'
import { rememberNoBatch } from '../batch/batch-keys.ts'
import type { BatchKey, CategoryRename } from '../batch/batch-rows.ts'
import { createCertainJudge, type Plan, refuseCommand } from '../batch/plan.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import { toRequestHash } from '../idempotency-rows.ts'
import type { RecordRows } from '../record-rows.ts'
import type { NameChange } from './name-change.ts'

/** Creates a category that is public even while it is empty (decision 31). Refuses a title that exists. */
export async function addCategory(rows: RecordRows, command: CreateCategoryCommand, at: Timestamp): Promise<Outcome> {
  const { idempotencyKey: key, author, changes, reason = null, isDryRun = false } = command
  const request = key === undefined ? null : { author: author.name, key, request: toRequestHash(['category', changes]) }
  const earlier = request === null || isDryRun ? null : await rows.idempotency.findCategory(request, at)
  const asBatch =
    request === null ? null : await rows.batches.findByKey(request.author, { key: request.key, request: '' }, at)
  if (earlier === 'other' || asBatch !== null) return refuseCommand({ code: 'key_reused' })
  const first = earlier === null ? null : await rows.categories.findFirst(earlier)
  if (first !== null) return { is: 'category', category: first, wasWritten: false }
  const taken = await rows.categories.findSlug(changes.title)
  if (taken !== null) return refuseCommand(titleTaken(taken))
  if (isDryRun) return { is: 'category', category: await toDryRun(rows, changes, at), wasWritten: false }
  const category = await rows.categories.create(changes, { at, author: author.name, reason }, true)
  if (request !== null) rows.idempotency.rememberCategory(request, category.id, at)
  return { is: 'category', category, wasWritten: true }
}

/** The category that would be created, without id and version. */
async function toDryRun(rows: RecordRows, changes: NewCategory, at: Timestamp): Promise<StoredCategory> {
  const slug = await rows.categories.findFreeSlug(changes.title)
  return { id: 0, slug, added: at, version: 0, versionTag: '', updated: at, fields: toNewCategory(changes) }
}

const titleTaken = (slug: string): Refusal => ({
  code: 'title_taken',
  detail: `A category with this title exists: ${slug}.`,
  more: { slug },
})

/** The title belongs to an alias of the category itself, so a rename to it would be a loop. */
const ownAlias = (slug: string): Refusal => ({
  code: 'title_taken',
  detail: 'A category with this title was merged into this one. Undo that, then merge the other way round.',
  more: { slug },
})

/**
 * Changes a category immediately, or plans its rename: the category keeps its row, and every record gets a new version,
 * in one transaction of any size (decision 74).
 */
export async function planCategory(
  rows: RecordRows,
  command: CategoryCommand,
  key: BatchKey | null,
  at: Timestamp,
): Promise<Outcome | Plan> {
  const { slug, changes, author } = command
  const category = await rows.categories.find(slug)
  if (category === null) return refuseCommand({ code: 'no_such_category' })
  const current = await rows.categories.findCurrentSlug(category.id)
  if (current !== slug) return refuseCommand(alreadyMergedCategory(slug, current))
  if (isStale(command.precondition ?? {}, category)) return refuseCommand({ code: 'stale' })
  const errors = findDateErrors({ ...category.fields, ...changes })
  if (errors.size > 0) return refuseCommand({ code: 'bad_fields', errors })
  const { title: before } = category.fields
  const { title = before, ...others } = changes
  const taken = title === before ? null : await rows.categories.findSlug(title)
  if (taken !== null) return refuseCommand(taken === slug ? ownAlias(slug) : titleTaken(taken))
  const dryRun = { ...category, fields: { ...category.fields, ...changes } }
  if (command.isDryRun) return { is: 'batch', batch: null, ids: [], category: dryRun }
  if (title !== before)
    return planRename(rows, command, category, { categoryId: category.id, from: before, to: title }, others)
  rememberNoBatch(rows, author.name, key, at)
  const authorship = { at, author: author.name, reason: command.reason ?? null }
  return { is: 'batch', batch: null, ids: [], category: await rows.categories.update(category.id, changes, authorship) }
}

async function planRename(
  rows: RecordRows,
  command: CategoryCommand,
  { id, slug, fields }: StoredCategory,
  rename: CategoryRename,
  others: CategoryChanges,
): Promise<Plan> {
  let renamed: StoredCategory | null = null
  return {
    is: 'plan',
    kind: 'rename category',
    command,
    undoes: null,
    ids: await rows.categories.listRecords(id),
    judge: createCertainJudge(command.author, async () => ({ category: rename.to })),
    isAllOrNothing: false,
    maySlice: false,
    async begin(authorship) {
      renamed = await rows.categories.update(id, command.changes, authorship)
      return []
    },
    finish: async () => ({ parts: toFilledParts(slug, fields, others), rename }),
    readMore: async () => (renamed === null ? {} : { category: renamed }),
  }
}

/** Other fields that the same request changes, so that an undo restores them too. */
function toFilledParts(slug: string, fields: CategoryFields, changes: CategoryChanges): readonly NameChange[] {
  const known: Readonly<Record<string, unknown>> = fields
  const changed = Object.entries(changes).filter(([name, value]) => known[name] !== value)
  if (changed.length === 0) return []
  const before: CategoryChanges = Object.fromEntries(changed.map(([name]) => [name, known[name]]))
  const filled = { slug, before, after: Object.fromEntries(changed) }
  return [{ kind: 'category', exchanged: null, rows: [], filled }]
}

/** Moves all records of a category to another, and makes it an alias of that one. Its fields fill empty ones there. */
export async function planCategoryMerge(rows: RecordRows, command: MergeCategoriesCommand): Promise<Outcome | Plan> {
  const { slug, into, author } = command
  const [category, target] = [await rows.categories.find(slug), await rows.categories.find(into)]
  if (category === null) return refuseCommand({ code: 'no_such_category' })
  if (isStale(command.precondition ?? {}, category)) return refuseCommand({ code: 'stale' })
  const refusal = await findRefusal(rows, category, target)
  if (refusal !== null || target === null) return refuseCommand(refusal ?? noTarget)
  return {
    is: 'plan',
    kind: 'merge category',
    command,
    undoes: null,
    ids: await rows.categories.listRecords(category.id),
    judge: createCertainJudge(author, async () => ({ category: target.fields.title })),
    isAllOrNothing: false,
    maySlice: false,
    ...(command.isDryRun ? {} : { begin: (authorship) => beginMerge(rows, category, target, authorship) }),
  }
}

async function beginMerge(
  rows: RecordRows,
  category: StoredCategory,
  target: StoredCategory,
  authorship: FieldAuthorship,
): Promise<readonly NameChange[]> {
  const names = await toMergeChange(rows, category, target)
  if (names.filled !== null) await rows.categories.update(target.id, names.filled.after, authorship)
  rows.categoryMerges.set(target.id, null)
  rows.categoryMerges.set(category.id, target.id)
  return [names]
}

const noTarget: Refusal = { code: 'bad_fields', errors: new Map([['into', ['There is no category with this slug.']]]) }

async function findRefusal(
  rows: RecordRows,
  category: StoredCategory,
  target: StoredCategory | null,
): Promise<Refusal | null> {
  const current = await rows.categories.findCurrentSlug(category.id)
  if (current !== category.slug) return alreadyMergedCategory(category.slug, current)
  if (target === null) return noTarget
  const currentTarget = await rows.categories.findCurrentSlug(target.id)
  if (currentTarget === category.slug) {
    const detail = `Both are the category ${currentTarget}. Name another one in "into".`
    return { code: 'same_entry', detail, more: { slug: currentTarget } }
  }
  return currentTarget === target.slug ? null : alreadyMergedCategory(target.slug, currentTarget)
}

async function toMergeChange(rows: RecordRows, category: StoredCategory, target: StoredCategory): Promise<NameChange> {
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

/** The fields that only the merged category has, except a day that does not fit the other one's. */
function toFilling(from: CategoryFields, to: CategoryFields): CategoryChanges {
  const isEmpty = (value: string | null) => value === null || value === ''
  const wanted = categoryNames.filter((name) => isEmpty(to[name]) && !isEmpty(from[name]))
  const filling: CategoryChanges = Object.fromEntries(wanted.map((name) => [name, from[name]]))
  if (findDateErrors({ ...to, ...filling }).size === 0) return filling
  const { start_date: _, end_date: __, ...others } = filling
  return others
}
