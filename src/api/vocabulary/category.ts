import { readBody, requireBodyType } from '../../http/body.ts'
import { toPrecondition } from '../../http/content/conditional.ts'
import { execute } from '../../http/execute.ts'
import { logBatch } from '../../http/log-batch.ts'
import type { Logger } from '../../http/logger.ts'
import { Refused } from '../../http/problem/problem.ts'
import type { Problem } from '../../http/problem/problem-codes.ts'
import { requireRead } from '../../http/problem/read-problems.ts'
import { movedTo } from '../../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { parseCategory, parseNewCategory } from '../../record/category.ts'
import type { Author } from '../../record/command.ts'
import { isStale } from '../../record/decide.ts'
import { toAsciiJson } from '../../record/json.ts'
import { alreadyMergedCategory } from '../../record/name.ts'
import type { FoundCategory, Store, StoredCategory } from '../../store/store.ts'
import { toBatchAnswer } from '../batch/batches.ts'
import { type ReadDeps, toVisibility } from '../list/envelope.ts'
import { readIdempotencyKey, readPosted, readWriteOptions, requireObject, toAuthor } from '../write.ts'
import { parseCategoryVersionTag, toCategoryAnswer, toDryRunCategory, withFields } from './category-answer.ts'
import { type CategoryText, toCategoryText, toRecordsAt } from './vocabulary.ts'

export interface CategoryDeps extends ReadDeps {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
}

const patchTypes = ['application/json', 'application/merge-patch+json'] as const

export const staleCategory: Problem = {
  code: 'stale',
  detail: 'The category does not meet the precondition. Read it again, then repeat the change.',
}

export async function readCategory(call: Call<'slug'>, deps: ReadDeps): Promise<TextAnswer> {
  const found = await findCategory(call, deps)
  const { slug } = found.row
  if (slug === call.params.slug) return toCategoryAnswer(call, toCategoryText(found, toRecordsAt(call, deps.baseUrl)))
  // The category was merged into another.
  const location = `${deps.baseUrl(call)}/api/v2/category/${slug}`
  return movedTo(call, location, toVisibility(call) === 'all' ? 'private' : 'revalidate')
}

/** Refuses the request if there is no such category. One that was merged into another has the slug of that. */
export async function findCategory(call: Call<'slug'>, { store }: ReadDeps): Promise<FoundCategory> {
  const query = { slug: call.params.slug, visibility: toVisibility(call) }
  const found = requireRead(await store.findCategory(query, call.signal))
  if (found === null) throw new Refused({ code: 'no_such_category' })
  return found
}

/** For changes: those of a merged category are refused. */
async function requireCategory(call: Call<'slug'>, deps: ReadDeps): Promise<CategoryText> {
  const found = await findCategory(call, deps)
  const { slug } = call.params
  if (found.row.slug !== slug) throw new Refused(alreadyMergedCategory(slug, found.row.slug))
  return toCategoryText(found, toRecordsAt(call, deps.baseUrl))
}

/** PATCH; a new title rewrites the category's records and keeps its slug (decision 31). */
export async function changeCategory(call: HttpCall<'slug'>, deps: CategoryDeps): Promise<TextAnswer> {
  const { slug } = call.params
  const author = toAuthor(call)
  const found = await requireCategory(call, deps)
  const { changes, options, precondition } = await readChanges(call, deps, found)
  const command = { kind: 'category', slug, author, changes, precondition, ...options } as const
  const outcome = await execute(deps, call, command, async (refusal) =>
    refusal.code === 'stale' ? staleCategory : refusal,
  )
  if (outcome.is !== 'batch') throw new Error(`a change of a category had the outcome ${outcome.is}`)
  if (options.isDryRun) return toDryRunCategory(call, withFields(found.text, changes))
  const { batch, category } = outcome
  if (batch !== null) logBatch(deps.log, call, batch)
  else if (category !== undefined) logChange(call, deps, author)
  if (batch !== null && batch.state !== 'done') return toBatchAnswer(call, batch, deps.baseUrl(call))
  return answerStored(call, deps, category)
}

function logChange(call: HttpCall, { log }: CategoryDeps, { name }: Author): void {
  log.info('write', { kind: 'category', by: name, requestId: call.requestId() })
}

/** With the current records, but the version that this request stored: another change may have followed already. */
async function answerStored(
  call: HttpCall<'slug'>,
  deps: CategoryDeps,
  stored: StoredCategory | undefined,
): Promise<TextAnswer> {
  const now = await requireCategory(call, deps)
  if (stored === undefined) return toCategoryAnswer(call, now)
  const text = withFields(now.text, stored.fields)
  return toCategoryAnswer(call, { ...now, text, versionTag: stored.versionTag })
}

/** Reads and checks the changes in the contract's order. The writer checks the precondition again. */
async function readChanges(call: HttpCall, { maxBodyBytes }: CategoryDeps, found: CategoryText) {
  requireBodyType(call.head, patchTypes, { 'Accept-Patch': patchTypes.join(', ') })
  const bytes = await readBody(call, maxBodyBytes)
  const options = { ...readWriteOptions(call), ...readIdempotencyKey(call) }
  const precondition = toPrecondition(call.head, parseCategoryVersionTag)
  // A request with a key may be a repeated one, whose own change has made it stale.
  if (options.idempotencyKey === undefined && isStale(precondition, found)) throw new Refused(staleCategory)
  const parsed = parseCategory(requireObject(bytes))
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  return { changes: parsed.changes, options, precondition }
}

/** Creates a category before it has records. */
export async function postCategory(call: HttpCall, deps: CategoryDeps): Promise<TextAnswer> {
  const author = toAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseNewCategory(body)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create category', author, changes: parsed.changes, ...options } as const
  const outcome = await execute(deps, call, command)
  if (outcome.is !== 'category') throw new Error(`a new category had the outcome ${outcome.is}`)
  const { category, wasWritten } = outcome
  const text = toNewText(category)
  if (options.isDryRun) return toDryRunCategory(call, text)
  const { slug, versionTag, updated } = category
  if (wasWritten) deps.log.info('write', { kind: command.kind, slug, by: author.name, requestId: call.requestId() })
  const location = `${deps.baseUrl(call)}/api/v2/category/${slug}`
  return toCategoryAnswer(call, { text, versionTag, modified: updated }, { location })
}

/** With the same order of keys as in lists. */
function toNewText({ slug, added, fields: { title, ...rest } }: StoredCategory): string {
  return toAsciiJson({ title, slug, ...rest, added, videos: [] })
}
