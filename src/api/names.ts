import { readBody, requireBodyType } from '../http/body.ts'
import { toPrecondition } from '../http/conditional.ts'
import { executeAs, logBatch, logChange } from '../http/execute.ts'
import type { Logger } from '../http/logger.ts'
import { type Problem, Refused, requireRead, toParameterProblem } from '../http/problem.ts'
import { json, movedTo, orNotModified } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import type { Precondition } from '../record/command.ts'
import { isStale } from '../record/decide.ts'
import { toAsciiJson } from '../record/json.ts'
import { alreadyMerged, type NameKind, noSuchName, parseIntoId, parseNameChanges, toNameTag } from '../record/name.ts'
import type { NameChanges } from '../record/profile.ts'
import type { FoundName, VocabularyName, VocabularyQuery, VocabularyRows } from '../record/query/vocabulary.ts'
import { toFolded } from '../record/text/fold.ts'
import {
  maxDistinct,
  maxGroup,
  parseDismissal,
  parseVariantReason,
  type VariantReason,
  variantReasons,
} from '../record/variants/variant.ts'
import type { Store } from '../store/store.ts'
import { answerBatch, toBatchAnswer } from './batches.ts'
import { type CategoryDeps, explainStale, toRecordsAt, toVocabularyText } from './categories.ts'
import { answerPage, type ReadDeps, type TextPage, toPageHash, toTextPage, toVisibility } from './envelope.ts'
import { readIdempotencyKey, readPosted, readWriteOptions, requireAuthor, requireObject } from './write.ts'

/** Categories, speakers, tags or languages; `q` is the beginning of any word of a name. */
export function listNames(kind: VocabularyQuery['kind']) {
  return (call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> => {
    const visibility = toVisibility(call)
    const prefix = toFolded((call.query().get('q') ?? '').trim().slice(0, 200))
    const query = { kind, visibility, prefix }
    return answerPage(call, baseUrl, visibility, async (paging) =>
      toVocabularyPage(
        requireRead(await store.listVocabulary({ ...query, ...paging }, call.signal)),
        toRecordsAt(call, baseUrl),
      ),
    )
  }
}

const fields = { speaker: 'speakers', tag: 'tags' } as const
const patchTypes = ['application/json', 'application/merge-patch+json'] as const
const toCaching = (call: Call) => (toVisibility(call) === 'all' ? 'private' : 'revalidate')

/** One speaker or tag; an alias leads to its current entry (decision 52). */
export function readName(kind: NameKind) {
  return async (call: Call<'id'>, deps: ReadDeps): Promise<TextAnswer> => {
    const found = await requireName(call, deps, kind)
    if (String(found.id) === call.params.id) return toNameAnswer(call, found)
    return movedTo(call, `${deps.baseUrl(call)}/api/v2/${kind}/${found.id}`, toCaching(call))
  }
}

const toFoundTag = (found: FoundName) => toNameTag(found, found.profile?.versionTag ?? null)

function toNameText({ profile, aliases, ...name }: FoundName): string {
  return toAsciiJson({ ...name, ...profile?.fields, ...(aliases && { aliases }) })
}

const parseNameTag = (etag: string) => /^"(n-[0-9a-f]{16})\.[0-9a-f]{1,16}\.(?:all|live)"$/.exec(etag)?.[1] ?? null

const staleName: Problem = {
  code: 'stale',
  detail: 'The name does not meet the precondition. Read it again, then repeat the change.',
}

/** PATCH; a new name is written to all records that have the old one. */
export function changeName(kind: NameKind) {
  return async (call: HttpCall<'id'>, deps: CategoryDeps): Promise<TextAnswer> => {
    const author = requireAuthor(call)
    const found = await requireName(call, deps, kind)
    const nameId = Number(call.params.id)
    if (found.id !== nameId) throw new Refused(alreadyMerged(kind, nameId, found.id))
    const { changes, options, precondition } = await readChanges(call, deps, kind, found)
    const command = { kind: 'rename name', of: kind, nameId, author, ...changes, precondition, ...options } as const
    const { batch, name } = await executeAs('batch', deps, call, command, explainStale(staleName))
    if (options.isDryRun) return json(call, toNameText(toChanged(found, changes, name)), 'private')
    if (batch !== null) logBatch(deps.log, call, batch)
    if (batch !== null && batch.state !== 'done') return toBatchAnswer(call, batch, deps.baseUrl(call))
    return toNameAnswer(call, await requireName(call, deps, kind))
  }
}

/** Makes a speaker or tag an alias of another (decision 52). The writer refuses one that was merged already. */
export function mergeName(of: NameKind) {
  return async (call: HttpCall<'id'>, deps: CategoryDeps): Promise<TextAnswer> => {
    const author = requireAuthor(call)
    await requireName(call, deps, of)
    const { body, options } = await readPosted(call, deps.maxBodyBytes)
    const parsed = parseIntoId(body)
    if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
    const target = { of, nameId: Number(call.params.id), into: parsed.into, precondition: toNamePrecondition(call) }
    const command = { kind: 'merge names', ...target, author, ...options } as const
    return answerBatch(call, deps, command, explainStale(staleName))
  }
}

interface DismissDeps {
  readonly store: Pick<Store, 'execute'>
  readonly log: Logger
  readonly maxBodyBytes: number
}

/** Speakers or tags that are probably the same (decision 54). */
export function listVariants(kind: 'speaker' | 'tag') {
  return (call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> => {
    const reason = readReason(call)
    return answerPage(call, baseUrl, 'all', async (paging) =>
      toTextPage(requireRead(await store.listVariants({ kind, reason, ...paging }, call.signal))),
    )
  }
}

function readReason(call: Call): VariantReason | null {
  const text = call.query().get('reason')
  if (text === null) return null
  const reason = parseVariantReason(text)
  const problem = `reason must be one of ${variantReasons.join(', ')}.`
  if (reason === null) throw new Refused(toParameterProblem(new Map([['reason', [problem]]])))
  return reason
}

/** Hides a group of names, or of records that look alike, for good, or shows it again. */
export function postDismissal(of: 'speaker' | 'tag' | 'video') {
  return async (call: HttpCall, deps: DismissDeps): Promise<TextAnswer> => {
    const author = requireAuthor(call)
    const { body, options } = await readPosted(call, deps.maxBodyBytes)
    const parsed = parseDismissal(body, of === 'video' ? maxDistinct : maxGroup)
    if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
    const kind = 'dismiss variants'
    const command = { kind, of, author, ...parsed.value, ...options } as const
    const { dismissal, wasWritten } = await executeAs('dismissal', deps, call, command)
    const { ids, isDismissed } = dismissal
    if (wasWritten) logChange(deps, call, author.name, { kind, of, ids: ids.map(String) })
    return json(call, toAsciiJson({ ids, dismissed: isDismissed }), 'private')
  }
}

/** `recordsAt` is the URL of a record without its id. */
function toVocabularyPage({ count, page, rows }: VocabularyRows, recordsAt: string): TextPage {
  return { count, page, rows: rows.map((row) => toVocabularyText(row, recordsAt)) }
}

/** Refuses the request if the caller sees no such name. One that was merged has the id of the other. */
async function requireName(call: Call<'id'>, { store }: ReadDeps, kind: NameKind): Promise<FoundName> {
  const visibility = toVisibility(call)
  const query = { kind, id: Number(call.params.id), visibility, hasAliases: visibility === 'all' }
  const found = requireRead(await store.findName(query, call.signal))
  if (found === null) throw new Refused(noSuchName(kind))
  return found
}

/** The ETag has a tag of the name, which preconditions of writes compare, then a hash of the bytes and the visibility. */
function toNameAnswer(call: Call, found: FoundName): TextAnswer {
  const text = toNameText(found)
  const etag = `"${toFoundTag(found)}.${toPageHash([text])}.${toVisibility(call)}"`
  return orNotModified(call, json(call, text, toCaching(call), { headers: { ETag: etag } }))
}

/** Names have no date, so a condition on one is ignored. */
function toNamePrecondition({ head }: Call): Precondition {
  const { ifUnmodifiedSinceMs: _, ...precondition }: Precondition = toPrecondition(head, parseNameTag)
  return precondition
}

/** Reads and checks the body in the contract's order. The writer checks the precondition again. */
async function readChanges(call: HttpCall, { maxBodyBytes }: CategoryDeps, kind: NameKind, found: FoundName) {
  requireBodyType(call.head, patchTypes, { 'Accept-Patch': patchTypes.join(', ') })
  const bytes = await readBody(call, maxBodyBytes)
  const options = { ...readWriteOptions(call), ...readIdempotencyKey(call) }
  const precondition = toNamePrecondition(call)
  // A request with a key may be a repeated one, whose own change has made it stale.
  const isNew = options.idempotencyKey === undefined
  if (isNew && isStale(precondition, { versionTag: toFoundTag(found), updated: '' })) throw new Refused(staleName)
  const parsed = parseNameChanges(requireObject(bytes), fields[kind])
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  return { changes: parsed.changes, options, precondition }
}

/** The name as it would be. */
function toChanged(
  found: FoundName,
  { profile }: NameChanges,
  renamed: Pick<VocabularyName, 'name' | 'slug'> = found,
): FoundName {
  const names = new Set([...(found.aliases ?? []), found.name])
  names.delete(renamed.name)
  const { id, count } = found
  const said = found.profile && { ...found.profile, fields: { ...found.profile.fields, ...profile } }
  return { id, name: renamed.name, slug: renamed.slug, count, profile: said, aliases: [...names].sort() }
}
