import { readBody, requireBodyType } from '../http/body.ts'
import { isNotModified, toPrecondition } from '../http/conditional.ts'
import { executeAs, logBatch, logChange } from '../http/execute.ts'
import type { BaseUrl } from '../http/host.ts'
import type { Logger } from '../http/logger.ts'
import { type Problem, Refused, requireRead } from '../http/problem.ts'
import { json, movedTo, toNotModified } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import { type CategoryChanges, parseCategory, parseNewCategory } from '../record/category.ts'
import type { Refusal, VersionTag } from '../record/command.ts'
import { isStale } from '../record/decide.ts'
import { toAsciiJson } from '../record/json.ts'
import { alreadyMergedCategory, parseIntoSlug } from '../record/name.ts'
import type { VocabularyRows } from '../record/query/vocabulary.ts'
import { type Timestamp, toMs } from '../record/timestamp.ts'
import type { FoundCategory, StoredCategory } from '../store/list-reads.ts'
import type { Store } from '../store/store.ts'
import { answerBatch, toBatchAnswer } from './batches.ts'
import { type ReadDeps, toPageHash, toVisibility } from './envelope.ts'
import { readIdempotencyKey, readPosted, readWriteOptions, requireAuthor, requireObject } from './write.ts'

export interface CategoryDeps extends ReadDeps {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
}

const patchTypes = ['application/json', 'application/merge-patch+json'] as const

const staleCategory: Problem = {
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

/** PATCH; a new title rewrites the category's records and keeps its slug (decision 31). */
export async function patchCategory(call: HttpCall<'slug'>, deps: CategoryDeps): Promise<TextAnswer> {
  const { slug } = call.params
  const author = requireAuthor(call)
  const found = await requireCategory(call, deps)
  const { changes, options, precondition } = await readChanges(call, deps, found)
  const command = { kind: 'category', slug, author, changes, precondition, ...options } as const
  const { batch, category } = await executeAs('batch', deps, call, command, explainStale(staleCategory))
  if (options.isDryRun) return toDryRunCategory(call, withFields(found.text, changes))
  if (batch !== null) logBatch(deps.log, call, batch)
  else if (category !== undefined) logChange(deps, call, author.name, { kind: 'category' })
  if (batch !== null && batch.state !== 'done') return toBatchAnswer(call, batch, deps.baseUrl(call))
  return answerStored(call, deps, category)
}

/** Creates a category before it has records. */
export async function postCategory(call: HttpCall, deps: CategoryDeps): Promise<TextAnswer> {
  const author = requireAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseNewCategory(body)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create category', author, changes: parsed.changes, ...options } as const
  const { category, wasWritten } = await executeAs('category', deps, call, command)
  const text = toNewText(category)
  if (options.isDryRun) return toDryRunCategory(call, text)
  const { slug, versionTag, updated } = category
  if (wasWritten) logChange(deps, call, author.name, { kind: command.kind, slug })
  const location = `${deps.baseUrl(call)}/api/v2/category/${slug}`
  return toCategoryAnswer(call, { text, versionTag, modified: updated }, { location })
}

/** Moves all records of a category to another one. */
export async function mergeCategory(call: HttpCall<'slug'>, deps: CategoryDeps): Promise<TextAnswer> {
  const author = requireAuthor(call)
  await findCategory(call, deps)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseIntoSlug(body)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const precondition = toPrecondition(call.head, parseCategoryVersionTag)
  const target = { slug: call.params.slug, into: parsed.into, precondition }
  const command = { kind: 'merge categories', ...target, author, ...options } as const
  return answerBatch(call, deps, command, explainStale(staleCategory))
}

/** A failed precondition of something else than a record. */
export const explainStale = (stale: Problem) => async (refusal: Refusal) => (refusal.code === 'stale' ? stale : refusal)

/** The URL of a record without its id. */
export const toRecordsAt = (call: Call, baseUrl: BaseUrl) => `${baseUrl(call)}/api/v2/video/`

type Row = VocabularyRows['rows'][number]

/** A category with its JSON. */
type CategoryText = Omit<FoundCategory, 'row' | 'ids'> & { readonly text: string }

/** A category lists the URLs of its records. */
export function toVocabularyText(row: Row, recordsAt: string): string {
  if (!('ids' in row)) return toAsciiJson(row)
  const { ids, ...shown } = row
  return toAsciiJson({ ...shown, videos: ids.map((id) => `${recordsAt}${id}`) })
}

/** Refuses the request if there is no such category. For a category that was merged into another, finds that one. */
async function findCategory(call: Call<'slug'>, { store }: ReadDeps): Promise<FoundCategory> {
  const query = { slug: call.params.slug, visibility: toVisibility(call), hasIds: true }
  const found = requireRead(await store.findCategory(query, call.signal))
  if (found === null) throw new Refused({ code: 'no_such_category' })
  return found
}

/** The same for changes: refuses those of a merged category. */
async function requireCategory(call: Call<'slug'>, deps: ReadDeps): Promise<CategoryText> {
  const found = await findCategory(call, deps)
  const { slug } = call.params
  if (found.row.slug !== slug) throw new Refused(alreadyMergedCategory(slug, found.row.slug))
  return toCategoryText(found, toRecordsAt(call, deps.baseUrl))
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

/** With the same order of keys as in lists. */
function toNewText({ slug, added, fields: { title, ...rest } }: StoredCategory): string {
  return toAsciiJson({ title, slug, ...rest, added, videos: [] })
}

function toCategoryText({ row, ids, ...found }: FoundCategory, recordsAt: string): CategoryText {
  return { ...found, text: toVocabularyText({ ...row, ids }, recordsAt) }
}

/** A category as a caller sees it: its JSON and its version. */
interface ShownCategory {
  readonly text: string
  readonly versionTag: VersionTag
  readonly modified: Timestamp
}

/**
 * The ETag has the version of the category, then a hash of the bytes and the visibility, since its records may change
 * while its version stays the same. Caches compare all of it, writes only the version (decision 31).
 */
function toCategoryAnswer(
  call: Call,
  { text, versionTag, modified }: ShownCategory,
  created: { readonly location: string } | null = null,
): TextAnswer {
  const visibility = toVisibility(call)
  const etag = `"${versionTag}.${toPageHash([text])}.${visibility}"`
  const headers = {
    ETag: etag,
    'Last-Modified': new Date(toMs(modified)).toUTCString(),
    ...(created === null ? {} : { 'Content-Location': created.location }),
  }
  const caching = visibility === 'all' ? 'private' : 'revalidate'
  const answer = json(call, text, caching, { status: created === null ? 200 : 201, headers })
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  return isRead && isNotModified(call.head, etag, toWholeSeconds(modified)) ? toNotModified(answer.headers) : answer
}

/** The category as it would be stored: without a version yet. */
function toDryRunCategory(call: Call, text: string): TextAnswer {
  return json(call, text, 'private')
}

/** The version tag in the ETag of a category; null for any other ETag. */
function parseCategoryVersionTag(etag: string): VersionTag | null {
  return /^"([1-9]\d{0,15}-[0-9a-f]{8})\.[0-9a-f]{1,16}\.(?:all|live)"$/.exec(etag)?.[1] ?? null
}

/** The JSON of a category with some fields replaced. */
function withFields(text: string, fields: CategoryChanges): string {
  return toAsciiJson({ ...JSON.parse(text), ...fields })
}

const toWholeSeconds = (at: Timestamp) => Math.floor(toMs(at) / 1000) * 1000
