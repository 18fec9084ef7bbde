import { toNewCategory } from '../../record/category.ts'
import type { CreateCategoryCommand, Refusal } from '../../record/command.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome, StoredCategory } from '../store.ts'
import { toRequestHash } from './idempotency-rows.ts'
import type { RecordRows } from './record-rows.ts'

/** Makes a category that everybody sees, even while it is empty; a title that any other has is refused. */
export async function createCategory(
  rows: RecordRows,
  command: CreateCategoryCommand,
  at: Timestamp,
): Promise<Outcome> {
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

export function toTitleTaken(slug: string): Refusal {
  return { code: 'title_taken', detail: `A category with this title exists: ${slug}.`, more: { slug } }
}

/** What would be made: it has neither id nor version yet. */
async function toDryRun(rows: RecordRows, { changes }: CreateCategoryCommand, at: Timestamp): Promise<StoredCategory> {
  const slug = await rows.categories.findFreeSlug(changes.title)
  return { id: 0, slug, added: at, version: 0, versionTag: '', updated: at, fields: toNewCategory(changes) }
}
