import { toNewCategory } from '../../record/category.ts'
import type {
  BulkCommand,
  CategoryCommand,
  Command,
  CreateCategoryCommand,
  CreateCommand,
  Refusal,
  RestoreCommand,
} from '../../record/command.ts'
import { decideCreate, isStale } from '../../record/decide.ts'
import { toMergedCategory } from '../../record/name-refusals.ts'
import { toChanges } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome, StoredCategory } from '../store.ts'
import { type BegunSlices, toRunning } from './batch/batch-job.ts'
import { rememberNoBatch, toBatchKey } from './batch/batch-key.ts'
import type { CategoryRename } from './batch/new-batch.ts'
import { renameCategory } from './batch/rename-category.ts'
import { undo } from './batch/undo.ts'
import { change, write } from './change.ts'
import { toRequestHash } from './idempotency-rows.ts'
import { dismissVariants } from './names/dismiss-variants.ts'
import { findRunningMerge, mergeCategories } from './names/merge-categories.ts'
import { mergeNames } from './names/merge-names.ts'
import { findRepeated } from './names/name-batch.ts'
import { renameName } from './names/rename-name.ts'
import type { RecordRows } from './record-rows.ts'
import { setLinks } from './set-links.ts'

/** All but bulk changes, which need more of the engine. */
export type PlainCommand = Exclude<Command, BulkCommand>

/** Runs a command within the writer's transaction. */
export function runCommand(rows: RecordRows, command: PlainCommand, at: Timestamp): Promise<Outcome | BegunSlices> {
  switch (command.kind) {
    case 'create':
      return create(rows, command, at)
    case 'create category':
      return createCategory(rows, command, at)
    case 'category':
      return changeCategory(rows, command, at)
    case 'restore':
      return restore(rows, command, at)
    case 'rename name':
      return renameName(rows, command, at)
    case 'merge names':
      return mergeNames(rows, command, at)
    case 'merge categories':
      return mergeCategories(rows, command, at)
    case 'dismiss variants':
      return dismissVariants(rows, command, at)
    case 'undo':
      return undo(rows, command, at)
    case 'open session':
    case 'end session':
    case 'end other sessions':
      return rows.sessions.run(command, at)
    case 'set links':
      return setLinks(rows, command, at)
    default:
      return change(rows, command, at)
  }
}

async function create(rows: RecordRows, command: CreateCommand, at: Timestamp): Promise<Outcome> {
  const { idempotencyKey: key, author, changes, isDryRun = false } = command
  const request = key === undefined ? null : { author: author.name, key, request: toRequestHash(changes) }
  const earlier = request === null || isDryRun ? null : await rows.idempotency.find(request, at)
  const asBatch =
    request === null ? null : await rows.batches.findByKey(request.author, { key: request.key, request: '' }, at)
  if (earlier === 'other' || asBatch !== null) return refuse({ code: 'key_reused' })
  if (earlier !== null) return { is: 'repeated', stored: earlier }
  const slug = await rows.findFreeSlug(changes.title ?? '')
  const decision = decideCreate(command, { id: isDryRun ? 0 : await rows.findNextId(), slug }, at)
  const outcome = await write(rows, null, decision, command, null)
  if (request !== null && outcome.is === 'stored') rows.idempotency.remember(request, outcome.stored.id, at)
  return outcome
}

const refuse = (refusal: Refusal): Outcome => ({ is: 'refused', refusal })

/** Decided like a PUT of the earlier version. */
async function restore(
  rows: RecordRows,
  { kind: _, number, ...command }: RestoreCommand,
  at: Timestamp,
): Promise<Outcome> {
  const earlier = await rows.versions.find(command.id, number)
  if (earlier === null) return refuse({ code: (await rows.isErased(command.id)) ? 'gone' : 'no_such_record_version' })
  return change(rows, { ...command, kind: 'replace', changes: toChanges(earlier) }, at)
}

async function changeCategory(
  rows: RecordRows,
  command: CategoryCommand,
  at: Timestamp,
): Promise<Outcome | BegunSlices> {
  const { slug, changes } = command
  const key = toBatchKey(command, ['category', slug, changes, command.reason ?? null])
  const repeated = await findRepeated(rows, command, key, at)
  if (repeated !== null) return repeated
  const category = await rows.categories.find(slug)
  if (category === null) return refuse({ code: 'no_such_category' })
  const current = await rows.categories.findCurrentSlug(category.id)
  if (current !== slug) return refuse(toMergedCategory(slug, current))
  if (isStale(command.precondition ?? {}, category)) return refuse({ code: 'stale' })
  const { title: before } = category.fields
  const { title = before } = changes
  const isRenamed = title !== before
  const running = await rows.batches.findRunningRename(category.id, before)
  if (running !== null && (isRenamed || running.to === before)) return refuse(toRunning(running.id))
  const merging = isRenamed ? await findRunningMerge(rows, slug) : null
  if (merging !== null) return refuse(toRunning(merging))
  const rename = { categoryId: category.id, from: before, to: title }
  const taken = isRenamed ? await findTaken(rows, rename) : null
  if (taken !== null) return refuse(taken === slug ? toOwnAlias(slug) : toTitleTaken(taken))
  const dryRun = { ...category, fields: { ...category.fields, ...changes } }
  if (command.isDryRun) return { is: 'batch', batch: null, ids: [], category: dryRun }
  if (isRenamed) return renameCategory(rows, command, rename, key, at)
  rememberNoBatch(rows, command.author.name, key, at)
  const authorship = { at, author: command.author.name, reason: command.reason ?? null }
  return { is: 'batch', batch: null, ids: [], category: await rows.categories.update(category.id, changes, authorship) }
}

/** The slug of a category that has the new title already; null if a stopped rename created it and it is unchanged. */
async function findTaken(rows: RecordRows, rename: CategoryRename): Promise<string | null> {
  const slug = await rows.categories.findSlug(rename.to)
  const creation = await rows.categories.findCreation(rename.to)
  const isItsOwn = creation !== null && (await rows.batches.hasCreated(rename, creation))
  return isItsOwn && (await rows.batches.findStoppedRename(rename)) !== null ? null : slug
}

/** Creates a category that is public even while it is empty (ADR 31). Refuses a title that exists. */
async function createCategory(rows: RecordRows, command: CreateCategoryCommand, at: Timestamp): Promise<Outcome> {
  const { idempotencyKey: key, author, changes, reason = null, isDryRun = false } = command
  const request = key === undefined ? null : { author: author.name, key, request: toRequestHash(['category', changes]) }
  const earlier = request === null || isDryRun ? null : await rows.idempotency.findCategory(request, at)
  const asBatch =
    request === null ? null : await rows.batches.findByKey(request.author, { key: request.key, request: '' }, at)
  if (earlier === 'other' || asBatch !== null) return { is: 'refused', refusal: { code: 'key_reused' } }
  const first = earlier === null ? null : await rows.categories.findFirst(earlier)
  if (first !== null) return { is: 'category', category: first, isMade: false }
  const taken = await rows.categories.findSlug(changes.title)
  if (taken !== null) return { is: 'refused', refusal: toTitleTaken(taken) }
  if (isDryRun) return { is: 'category', category: await toDryRun(rows, command, at), isMade: false }
  const category = await rows.categories.create(changes, { at, author: author.name, reason }, true)
  if (request !== null) rows.idempotency.rememberCategory(request, category.id, at)
  return { is: 'category', category, isMade: true }
}

function toTitleTaken(slug: string): Refusal {
  return { code: 'title_taken', detail: `A category with this title exists: ${slug}.`, more: { slug } }
}

/** Its records may have that title again, but not while its own past has it. */
function toOwnAlias(slug: string): Refusal {
  const detail = 'A category with this title was merged into this one. Undo that, then merge the other way round.'
  return { code: 'title_taken', detail, more: { slug } }
}

/** The category that would be created, without id and version. */
async function toDryRun(rows: RecordRows, { changes }: CreateCategoryCommand, at: Timestamp): Promise<StoredCategory> {
  const slug = await rows.categories.findFreeSlug(changes.title)
  return { id: 0, slug, added: at, version: 0, versionTag: '', updated: at, fields: toNewCategory(changes) }
}
