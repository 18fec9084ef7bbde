import { isUtf8 } from 'node:buffer'
import { parseJsonBody, readBody, requireBodyType } from '../http/body.ts'
import { parseMergeBase, toPrecondition } from '../http/conditional.ts'
import { executeAs, logChange } from '../http/execute.ts'
import { preferType } from '../http/negotiate.ts'
import { type Problem, Refused, refuseMissing, requireRead } from '../http/problem.ts'
import { json, orNotModified, toHeaders, toUtf8Body } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import type { MaybePromise } from '../promises.ts'
import { type Precondition, publisherRequired, type Refusal } from '../record/command.ts'
import {
  type Chapters,
  keepParts,
  listParts,
  parseChapterLines,
  parseChapterVtt,
  toChapterLines,
  toChapterVtt,
} from '../record/companion/chapters.ts'
import { anyRecord } from '../record/companion/companion.ts'
import { type CompanionName, toKind } from '../record/companion/kinds.ts'
import { type Recordings, toAllRecordings } from '../record/companion/recordings.ts'
import {
  type CompanionSides,
  findTaggedNumber,
  isStaleCompanion,
  mergeCompanion,
  toCompanionTag,
} from '../record/companion/version.ts'
import { isJsonObject, type JsonObject, type JsonValue, toAsciiJson } from '../record/json.ts'
import { toLinkStates } from '../record/link/uses.ts'
import { fromBody, type VideoRecord } from '../record/record.ts'
import { hasRole } from '../record/role.ts'
import { live } from '../record/state.ts'
import type { Store, StoredCompanion } from '../store/store.ts'
import { toVisibility } from './envelope.ts'
import { checkRecord, type RecordDeps } from './records.ts'
import { readWriteOptions, requireAuthor } from './write.ts'

/** The media types of a companion beside JSON, each with its reader and writer (decision 91). */
interface TextForm {
  parse(text: string, record: VideoRecord): ReturnType<typeof parseChapterLines>
  write(content: JsonObject, record: VideoRecord): string
}

// Contents of chapters have the shape that their kind gives them.
const textForms: { readonly [Name in CompanionName]?: { readonly [type: string]: TextForm } } = {
  chapters: {
    'text/vtt': {
      parse: (text, { duration }) => parseChapterVtt(text, duration),
      write: (all, { duration }) => toChapterVtt(all as Chapters, duration),
    },
    'text/plain': { parse: parseChapterLines, write: (all) => toChapterLines(all as Chapters) },
  },
}

/**
 * A companion as the caller may see it: without the ids of records that are not live. Its ETag is made of what is left,
 * so a PUT with the ETag of such a copy is refused and loses none of them.
 */
async function hideDrafts(call: Call, store: CompanionReads, companion: StoredCompanion): Promise<StoredCompanion> {
  if (companion.name !== 'chapters' || toVisibility(call) === 'all') return companion
  const ids = listParts(companion.content as Chapters)
  if (ids.length === 0) return companion
  const pages = requireRead(await store.findLivePages(ids, call.signal))
  return { ...companion, content: keepParts(companion.content as Chapters, (id) => pages.has(id)) }
}

/** A companion as an answer has it. */
async function readShown(
  call: Call,
  store: CompanionReads,
  { name, content }: StoredCompanion,
  record: VideoRecord,
): Promise<JsonObject> {
  if (name !== 'recordings') return content
  const states = toLinkStates(requireRead(await store.findRecordLinks({ id: record.id }, call.signal)))
  return toAllRecordings(content as Recordings, record, (url) => states.get(url)?.state ?? 'unknown')
}

type CompanionReads = Pick<Store, 'findRecordLinks' | 'findLivePages'>
type Respond = (call: Call, record: VideoRecord, companion: StoredCompanion) => MaybePromise<TextAnswer>

export const toCompanionETag = (companion: StoredCompanion) => `"${toCompanionTag(companion.name, companion)}.json"`

/** `GET /api/v2/video/<id>/<name>`: empty where nobody has given it a content. */
export function readCompanion(name: CompanionName) {
  return async (call: Call<'id'>, { store }: Pick<RecordDeps, 'store'>): Promise<TextAnswer> => {
    chooseType(call, name)
    const record = await requireVisible(call, store)
    const answer = await toAnswer(call, store, record, await store.readCompanion(record.id, name))
    // Answers of recordings have what no ETag tells.
    return name === 'recordings' ? answer : orNotModified(call, answer)
  }
}

/** The record of a companion, if the caller may see it. */
export async function requireVisible(call: Call<'id'>, store: Pick<Store, 'read' | 'isErased'>): Promise<VideoRecord> {
  const id = Number(call.params.id)
  const stored = (await store.read(id)) ?? (await refuseMissing(store, id))
  if (stored.state !== live && toVisibility(call) !== 'all') throw new Refused({ code: 'not_found' })
  return fromBody(stored.body)
}

async function toAnswer(
  call: Call,
  store: CompanionReads,
  record: VideoRecord,
  stored: StoredCompanion,
): Promise<TextAnswer> {
  const companion = await hideDrafts(call, store, stored)
  const { name } = companion
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  const isSame = name !== 'chapters' || toVisibility(call) === 'live'
  const caching = isRead && isSame && record.state === live ? 'revalidate' : 'private'
  const type = chooseType(call, name)
  const form = textForms[name]?.[type]
  if (form === undefined) {
    return json(call, toAsciiJson(await readShown(call, store, companion, record)), caching, {
      headers: { ETag: toCompanionETag(companion) },
    })
  }
  const headers = toHeaders(call.route.headers, `${type}; charset=utf-8`, caching)
  headers.set('ETag', toCompanionETag(companion).replace('.json', `.${type.slice('text/'.length)}`))
  return { status: 200, headers, ...toUtf8Body(form.write(companion.content, record)) }
}

/** Accept was compared before the handler for companions that are only JSON. */
function chooseType(call: Call, name: CompanionName): string {
  const forms = textForms[name]
  return forms === undefined ? 'application/json' : requireAccepted(call, ['application/json', ...Object.keys(forms)])
}

/** The type of an answer by Accept. A handler that writes asks before it does: a refused request stores nothing. */
export function requireAccepted({ head }: Call, types: readonly [string, ...string[]]): string {
  const type = preferType(head.accept, types)
  if (type !== null) return type
  const detail = `Only these types are available: ${[...new Set(types)].join(', ')}. Check the Accept header.`
  throw new Refused({ code: 'not_acceptable', detail })
}

/** `PUT /api/v2/video/<id>/<name>` replaces it. */
export function putCompanion(name: CompanionName) {
  return async (call: HttpCall<'id'>, deps: RecordDeps): Promise<TextAnswer> => {
    chooseType(call, name)
    await checkRecord(deps, Number(call.params.id), requireAuthor(call).role)
    const type = requireBodyType(call.head, ['application/json', ...Object.keys(textForms[name] ?? {})])
    const bytes = await readBody(call, deps.maxBodyBytes)
    const stored =
      (await deps.store.read(Number(call.params.id))) ?? (await refuseMissing(deps.store, Number(call.params.id)))
    const record = fromBody(stored.body)
    return changeCompanion(call, deps, name, () => parseBody(name, type, bytes, record))
  }
}

/** `DELETE /api/v2/video/<id>/<name>` makes it empty. */
export function deleteCompanion(name: CompanionName) {
  return async (call: HttpCall<'id'>, deps: RecordDeps): Promise<TextAnswer> => {
    chooseType(call, name)
    await checkRecord(deps, Number(call.params.id), requireAuthor(call).role)
    return changeCompanion(call, deps, name, () => toKind(name).empty)
  }
}

interface RestoredCompanion {
  readonly id: number
  readonly number: number
  readonly name: CompanionName
}

/** `POST …/history/<n>/restore` of a version that changed a companion restores that companion alone. */
export async function restoreCompanion(
  call: HttpCall<'id'>,
  deps: Omit<RecordDeps, 'records' | 'maxBodyBytes'>,
  { id, number, name }: RestoredCompanion,
): Promise<TextAnswer> {
  const stored = (await deps.store.read(id)) ?? (await refuseMissing(deps.store, id))
  if (stored.state === live && !hasRole(requireAuthor(call).role, 'publisher'))
    throw new Refused(publisherRequired.toChangeLive)
  const { content } = await deps.store.readCompanion(id, name, number)
  return changeCompanion(call, deps, name, () => content)
}

export async function changeCompanion(
  call: HttpCall<'id'>,
  deps: Omit<RecordDeps, 'records' | 'maxBodyBytes'>,
  name: CompanionName,
  read: () => JsonValue,
  respond: Respond = (to, record, companion) => toAnswer(to, deps.store, record, companion),
): Promise<TextAnswer> {
  const id = Number(call.params.id)
  const options = readWriteOptions(call)
  const precondition = toCompanionPrecondition(call)
  // Checked here because 412 comes before errors in the body, and again within the transaction.
  if (isStaleCompanion(precondition, name, await deps.store.readCompanion(id, name)))
    throw new Refused(await toConflict(deps.store, id, name, precondition, read))
  const author = requireAuthor(call)
  const said = { body: read(), checksRecords: call.method === 'PUT' }
  const command = { kind: 'set companion', id, name, author, precondition, ...said, ...options } as const
  const explain = async (refusal: Refusal): Promise<Problem> =>
    refusal.code === 'stale' ? toConflict(deps.store, id, name, precondition, read) : refusal
  const outcome = await executeAs('companion', deps, call, command, explain)
  if (outcome.wasWritten) logChange(deps, call, author.name, { kind: name, id, version: outcome.number })
  const stored = (await deps.store.read(id)) ?? (await refuseMissing(deps.store, id))
  const answer = await respond(call, fromBody(stored.body), outcome)
  if (precondition.mergeBase !== undefined) answer.headers.set('Preference-Applied', 'merge')
  return answer
}

/** `Prefer: merge` applies to a PUT without If-Match. */
function toCompanionPrecondition({ head, method }: HttpCall): Precondition {
  const mergeBase = method === 'PUT' && head.ifMatch === undefined ? parseMergeBase(head.prefer, parseTag) : undefined
  return { ...toPrecondition(head, parseTag), ...(mergeBase === undefined ? {} : { mergeBase }) }
}

const parseTag = (etag: string) => /^"([^"]{1,80})\.(?:json|vtt|srt|txt|plain)"$/.exec(etag)?.[1] ?? null

function parseBody(name: CompanionName, type: string, bytes: Uint8Array, record: VideoRecord): JsonValue {
  const form = textForms[name]?.[type]
  if (form === undefined) {
    const body = parseJsonBody(bytes)
    if (!body.ok) throw new Refused(body.problem)
    return body.value
  }
  if (!isUtf8(bytes)) throw new Refused({ code: 'bad_fields', errors: new Map([[name, ['Must be UTF-8.']]]) })
  const parsed = form.parse(new TextDecoder().decode(bytes), record)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  return parsed.content
}

/** A 412 with what the change was based on, what is stored now, and what was sent; null if one is not known. */
async function toConflict(
  store: Store,
  id: number,
  name: CompanionName,
  { ifMatch = [], mergeBase }: Precondition,
  read: () => JsonValue,
): Promise<Problem> {
  const now = await store.readCompanion(id, name)
  const [tag = ''] = mergeBase === undefined ? (ifMatch === '*' ? [] : ifMatch) : [mergeBase]
  const number = findTaggedNumber(name, tag)
  const base = number === null ? null : await store.readCompanion(id, name, number)
  const isKnown = base !== null && toCompanionTag(name, base) === tag
  const sides = { base: isKnown ? base.content : null, theirs: now.content, yours: readOrNull(read) }
  const conflicts = mergeBase === undefined ? {} : { conflicts: listConflicts(name, sides) }
  return {
    code: 'stale',
    more: { current: { version: now.number, etag: toCompanionETag(now) }, ...sides, ...conflicts },
  }
}

/** The addresses or starts of the entries that both have changed; empty if the base is not known. */
function listConflicts(
  name: CompanionName,
  { base, theirs, yours: sent }: Pick<CompanionSides, 'theirs'> & { readonly [S in 'base' | 'yours']: JsonValue },
): readonly JsonValue[] {
  const yours = toKind(name).parse(sent, anyRecord)
  const merged = isJsonObject(base) && yours.ok ? mergeCompanion(name, { base, theirs, yours: yours.content }) : null
  return merged?.conflicts.flatMap(({ keys }) => keys) ?? []
}

/** A body with errors is told as missing: 412 comes first. */
function readOrNull(read: () => JsonValue): JsonValue {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
