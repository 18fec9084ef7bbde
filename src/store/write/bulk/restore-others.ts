import type { CategoryChanges, CategoryName } from '../../../record/category.ts'
import { type BulkCommand, hasRole, type Refusal } from '../../../record/command.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { Changes } from '../../../record/record.ts'
import { toRunning } from '../batch/batch-job.ts'
import type { AuthoredBatch } from '../batch/batch-rows.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import { isNameChange, type LeftPart, type NameChange } from '../names/name-change.ts'
import { nameFields } from '../names/name-entries.ts'
import { beginNameUndo, type FindLeftover, finishNameUndo, isNameUndone } from '../names/name-undo.ts'
import type { RecordRows } from '../record-rows.ts'
import { type AuthorPeriod, type BulkRows, type CategoryStep, endOfTime } from './bulk-rows.ts'
import { createTimeCheck, findFirstChanges, findRestore } from './restore.ts'

/** What a restore does besides fields and links of records: to names, and to categories (decision 72). */
export interface OtherRestore {
  /** What has been done, and will be undone in the reverse order. */
  readonly done: readonly NameChange[]
  readonly left: readonly LeftPart[]
}

const nothing: OtherRestore = { done: [], left: [] }

type Left = LeftPart['left']

const toLeftPart = (
  of: NameChange['kind'],
  id: number | string,
  fields: readonly string[],
  left: Left,
  by?: string | null,
) => ({ kind: 'left', of, id, fields, left, by: by ?? null }) satisfies LeftPart

/**
 * Begins before the records change: names go back, the last change first, so that texts of records find their rows. What
 * categories go back to is found before others can change them.
 */
export async function beginOthers(
  rows: RecordRows,
  bulk: BulkRows,
  { author, request: { select } }: BulkCommand,
): Promise<Begun | { readonly refusal: Refusal }> {
  if (select.is !== 'by') throw new Error('a restore needs an author')
  const slugs = await bulk.listCategories(select)
  const batches = toFirst(await rows.batches.listNameBatches(select.author, select.since, select.until ?? endOfTime))
  const names = batches.flatMap(listChanges)
  if (!hasRole(author.role, 'publisher')) return toBegun(select, await leaveAll(rows, bulk, select, slugs, names))
  for (const { change } of names) {
    const running = await rows.batches.findRunningNames(change)
    if (running !== null) return { refusal: toRunning(running) }
  }
  const begun = toBegun(select, await beginNames(rows, bulk, select, names))
  const categories: CategoryRestore[] = []
  for (const slug of slugs) categories.push(...(await findCategory(rows, bulk, select, slug)))
  return { ...begun, categories }
}

interface Begun extends OtherRestore {
  readonly period: AuthorPeriod
  readonly categories: readonly CategoryRestore[]
}

const toBegun = (period: AuthorPeriod, found: OtherRestore): Begun => ({ period, categories: [], ...found })

/** Without undos of the author's own changes: those go back to what was before them, undone or not. */
function toFirst(batches: readonly AuthoredBatch[]): readonly AuthoredBatch[] {
  const ids = new Set(batches.map(({ id }) => id))
  return batches.filter(({ undoes }) => undoes === null || !ids.has(undoes))
}

interface AuthoredChange {
  readonly batch: number
  readonly change: NameChange
}

/** What a batch did to names, the last first. Fields of categories have versions, which tell more. */
function listChanges({ id, parts }: AuthoredBatch): AuthoredChange[] {
  const changes = parts.filter(isNameChange).filter((each) => each.rows.length > 0)
  return changes.reverse().map((change) => ({ batch: id, change: { ...change, filled: null } }))
}

async function leaveAll(
  rows: RecordRows,
  bulk: BulkRows,
  period: AuthorPeriod,
  slugs: readonly string[],
  names: readonly AuthoredChange[],
): Promise<OtherRestore> {
  const left = names.map(({ change }) => toLeftName(change, 'for publishers'))
  for (const slug of slugs) {
    const categories = await findCategory(rows, bulk, period, slug)
    const isListed = (await rows.categories.findListed((await rows.categories.find(slug))?.id ?? 0)) === 1
    const made = isListed ? ['listed'] : []
    const fields = categories.flatMap(({ isMade, changes }) => (isMade ? made : Object.keys(changes)))
    if (fields.length > 0) left.push(toLeftPart('category', slug, fields, 'for publishers'))
  }
  return { done: [], left }
}

/** The row that was renamed or merged. */
function toLeftName({ kind, exchanged, rows: [row] }: NameChange, left: Left, by?: string | null): LeftPart {
  return toLeftPart(kind, exchanged?.[0] ?? row?.row ?? 0, [exchanged === null ? 'merged_into' : 'name'], left, by)
}

async function beginNames(
  rows: RecordRows,
  bulk: BulkRows,
  period: AuthorPeriod,
  names: readonly AuthoredChange[],
): Promise<OtherRestore> {
  const findLeftover = createLeftovers(rows, bulk, period)
  const [done, left]: [NameChange[], LeftPart[]] = [[], []]
  for (const { batch, change } of names) {
    const back = await beginNameUndo(rows, change, findLeftover, true)
    if (back !== null) done.push(back)
    else if (!(await isNameUndone(rows, change))) {
      const by = await rows.batches.findLaterAuthor(batch, change, period.author)
      left.push(toLeftName(change, 'changed since', by))
    }
  }
  return { done, left }
}

/** Finds a record that keeps a name although the author's changes are taken back. */
function createLeftovers(rows: RecordRows, bulk: BulkRows, period: AuthorPeriod): FindLeftover {
  type Lists = Pick<Changes, 'speakers' | 'tags'>
  /** A record has several names, of which several may have changed. */
  const known = new Map<number, Lists>()

  async function findLists(id: number): Promise<Lists> {
    const stored = await rows.read(id)
    if (stored === null) throw new Error(`record ${id} vanished within a transaction`)
    const { speakers, tags } = (await findRestore(rows, bulk, fromBody(stored.body), period)).changes
    return { ...(speakers === undefined ? {} : { speakers }), ...(tags === undefined ? {} : { tags }) }
  }

  return async (kind, { id: rowId, name }) => {
    const entries = rows.names[kind]
    for (const id of await entries.filterRecords(await entries.listRecords(rowId), name)) {
      const lists = known.get(id) ?? (await findLists(id))
      known.set(id, lists)
      if (lists[nameFields[kind]]?.includes(name) ?? true) return id
    }
    return null
  }
}

/** What to do to a category of which the author made a version. */
interface CategoryRestore {
  readonly slug: string
  /** Whether the author created it. */
  readonly isMade: boolean
  readonly changes: CategoryChanges
  readonly left: readonly LeftPart[]
}

async function findCategory(
  rows: RecordRows,
  bulk: BulkRows,
  period: AuthorPeriod,
  slug: string,
): Promise<CategoryRestore[]> {
  const category = await rows.categories.find(slug)
  if (category === null) return []
  const steps = await bulk.listCategorySteps(category.id, period)
  if (steps[0]?.number === 1) return [{ slug, isMade: true, changes: {}, left: [] }]
  const first = findFirstChanges(steps.filter(createTimeCheck(period)))
  const [changes, left]: [[string, unknown][], LeftPart[]] = [[], []]
  for (const [name, number] of first) {
    const before = (await bulk.findCategoryVersion(category.id, number - 1))[name]
    if (category.fields[name] === before) continue
    const by = findLaterAuthor(steps, name, number, period)
    const isTaken = name === 'title' && (await isTitleTaken(rows, period, String(before)))
    if (by !== null) left.push(toLeftPart('category', slug, [name], 'changed since', by))
    else if (isTaken) left.push(toLeftPart('category', slug, [name], 'name taken'))
    else changes.push([name, before])
  }
  // Each value was a value of the same field of this category.
  return [{ slug, isMade: false, changes: Object.fromEntries(changes) as CategoryChanges, left }]
}

/** A category that the author's own records made gives way. */
async function isTitleTaken(rows: RecordRows, period: AuthorPeriod, title: string): Promise<boolean> {
  const creation = await rows.categories.findCreation(title)
  return creation === null ? rows.categories.isTitleTaken(title) : !createTimeCheck(period)(creation)
}

function findLaterAuthor(steps: readonly CategoryStep[], name: CategoryName, since: number, { author }: AuthorPeriod) {
  const isLater = (step: CategoryStep) => step.number > since && step.author !== author && step.changed.includes(name)
  return steps.findLast(isLater)?.author ?? null
}

/** Ends when the records have changed. */
export async function finishOthers(
  rows: RecordRows,
  bulk: BulkRows,
  begun: Begun,
  authorship: CategoryAuthorship,
): Promise<OtherRestore> {
  const [done, left]: [NameChange[], LeftPart[]] = [[], [...begun.left]]
  for (const names of begun.done) {
    const ended = await finishNameUndo(rows, names, authorship)
    if (ended.done !== null) done.push(ended.done)
    left.push(...ended.left)
  }
  for (const category of begun.categories) {
    const ended = category.isMade
      ? await hide(rows, bulk, begun.period, category)
      : await fill(rows, category, authorship)
    done.push(...ended.done)
    left.push(...category.left, ...ended.left)
  }
  return { done, left }
}

/** A category that only the author uses is not public any more. */
async function hide(
  rows: RecordRows,
  bulk: BulkRows,
  period: AuthorPeriod,
  { slug }: CategoryRestore,
): Promise<OtherRestore> {
  const category = await rows.categories.find(slug)
  if (category === null) return nothing
  if (await bulk.isUsedByOthers(category.id, period)) {
    return { done: [], left: [toLeftPart('category', slug, ['listed'], 'in use')] }
  }
  if ((await rows.categories.findListed(category.id)) !== 1) return nothing
  rows.categories.setListed(category.id, 0)
  return { done: [toFilled({ slug, before: {}, after: {}, listed: 0 })], left: [] }
}

async function fill(
  rows: RecordRows,
  { slug, changes }: CategoryRestore,
  authorship: CategoryAuthorship,
): Promise<OtherRestore> {
  const category = await rows.categories.find(slug)
  if (category === null || Object.keys(changes).length === 0) return nothing
  const fields: Readonly<Record<string, unknown>> = category.fields
  const before: CategoryChanges = Object.fromEntries(Object.keys(changes).map((name) => [name, fields[name]]))
  const { done, left } = await finishNameUndo(rows, toFilled({ slug, before, after: changes }), authorship)
  // Nobody has changed these fields since; a title stays while records of others have it.
  return { done: done === null ? [] : [done], left: left.map((part) => ({ ...part, left: 'in use' })) }
}

const toFilled = (filled: NonNullable<NameChange['filled']>): NameChange => ({
  ...{ kind: 'category', exchanged: null, rows: [], filled },
})
