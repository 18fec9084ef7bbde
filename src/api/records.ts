import { type ParsedBody, parseJsonBody, parseObjectBody, readBody, requireBodyType } from '../http/body.ts'
import { isNotModified, parseMergeBase, toETag, toPrecondition } from '../http/conditional.ts'
import type { Logger } from '../http/logger.ts'
import type { Representation } from '../http/negotiate.ts'
import { type Problem, Refused, refuseMissing } from '../http/problem.ts'
import { contentTypes, toBytesAnswer, toHeaders } from '../http/respond.ts'
import type { Answer, Call, HttpCall, TextAnswer } from '../http/route.ts'
import { andThen, type MaybePromise } from '../promises.ts'
import {
  type ChangeCommand,
  type Precondition,
  publisherRequired,
  type RecordChange,
  type Refusal,
} from '../record/command.ts'
import { isStale } from '../record/decide.ts'
import { toAsciiJson } from '../record/json.ts'
import { parsePatch } from '../record/json-patch.ts'
import { parseFields } from '../record/record.ts'
import { hasRole, type Role } from '../record/role.ts'
import { toMs } from '../record/timestamp.ts'
import { type CacheDeps, createRecordCache, type RecordCache } from '../store/record-cache.ts'
import type { Store, StoredRecord } from '../store/store.ts'
import { findConflict, type StaleChange } from './conflict.ts'
import { toSingleAnswer, toVisibility } from './envelope.ts'
import { executeOnRecord, readWriteOptions, requireAuthor } from './write.ts'

export interface RecordDeps {
  readonly store: Store
  readonly records: RecordCache<RecordEntry>
  readonly log: Logger
  readonly maxBodyBytes: number
}

type RecordCall = HttpCall<'id'>

/** Synchronous if the record is cached or the store is a file. */
export function readRecord(call: RecordCall, deps: RecordDeps): MaybePromise<Answer> {
  const entry = deps.records.get(Number(call.params.id))
  return entry instanceof Promise ? entry.then((read) => answer(call, deps, read)) : answer(call, deps, entry)
}

export function replaceRecord(call: RecordCall, deps: RecordDeps): Promise<Answer> {
  return changeRecord(call, deps, putTypes)
}

export function patchRecord(call: RecordCall, deps: RecordDeps): Promise<Answer> {
  return changeRecord(call, deps, patchTypes)
}

/** Where a record was imported from, and imported data without a field. */
export function readExtras(call: Call<'id'>, { store }: { readonly store: Store }): MaybePromise<TextAnswer> {
  const id = Number(call.params.id)
  const visibility = toVisibility(call)
  return andThen(store.read(id), (stored): MaybePromise<TextAnswer> => {
    if (stored === null) return refuseMissing(store, id)
    if (stored.state !== 1 && visibility !== 'all') throw new Refused({ code: 'not_found' })
    return andThen(store.readExtras(id), ({ origin, extras }) =>
      toSingleAnswer(call, [toAsciiJson({ origin, extras })], visibility),
    )
  })
}

const jsonType = 'application/json'
const patchType = 'application/json-patch+json'
const putTypes: readonly string[] = [jsonType]
export const patchTypes: readonly string[] = [jsonType, 'application/merge-patch+json', patchType]

/** Memory of the headers of one representation, measured with 60,000 records; few records are read in both. */
const headersBytes = 650

/** The ETag and prepared headers of a record in one representation (decision 25). */
interface ReadyRecord {
  readonly etag: string
  readonly init: { readonly headers: Headers }
}

/** A cached record: its bytes, and the headers of each representation, built on first use. */
class RecordEntry {
  readonly stored: StoredRecord
  readonly isLive: boolean
  /** HTTP dates have whole seconds. */
  readonly lastModifiedMs: number
  #html: ReadyRecord | null = null
  #json: ReadyRecord | null = null

  constructor(stored: StoredRecord) {
    this.stored = stored
    this.isLive = stored.state === 1
    this.lastModifiedMs = Math.floor(toMs(stored.updated) / 1000) * 1000
  }

  /** Size in memory without the object itself. */
  get bytes(): number {
    return this.stored.body.byteLength + headersBytes
  }

  as(representation: Representation, pathHeaders: Headers): ReadyRecord {
    if (representation === 'html') {
      this.#html ??= this.#build('html', pathHeaders)
      return this.#html
    }
    this.#json ??= this.#build('json', pathHeaders)
    return this.#json
  }

  #build(representation: Representation, pathHeaders: Headers): ReadyRecord {
    const etag = toETag(this.stored.versionTag, representation)
    const headers = toHeaders(pathHeaders, contentTypes[representation], this.isLive ? 'revalidate' : 'private')
    headers.set('ETag', etag)
    headers.set('Last-Modified', new Date(this.lastModifiedMs).toUTCString())
    return { etag, init: { headers } }
  }
}

/** The record cache of one HTTP thread (decision 25). */
export function createEntryCache(
  store: Pick<Store, 'read'>,
  { counters, budgetBytes }: Pick<CacheDeps<RecordEntry>, 'counters' | 'budgetBytes'>,
): RecordCache<RecordEntry> {
  return createRecordCache<RecordEntry>({
    counters,
    budgetBytes,
    load: (id) => andThen(store.read(id), (stored) => (stored === null ? null : new RecordEntry(stored))),
    sizeOf: (entry) => entry.bytes,
  })
}

function answer(call: RecordCall, { store }: RecordDeps, entry: RecordEntry | null): MaybePromise<Answer> {
  if (entry === null) return refuseMissing(store, Number(call.params.id))
  if (!entry.isLive && !hasRole(call.caller()?.role ?? null, 'reader')) throw new Refused({ code: 'not_found' })
  const { etag, init } = entry.as(call.representation, call.route.headers)
  const { head } = call
  const isConditional = head.ifNoneMatch !== undefined || head.ifModifiedSince !== undefined
  if (isConditional && isNotModified(head, etag, entry.lastModifiedMs)) {
    return new Response(null, { status: 304, headers: init.headers })
  }
  // Not counted as waiting, whatever its size: a counted body has no Content-Length, which clients of a record rely on.
  return new Response(entry.stored.body, init)
}

async function changeRecord(call: RecordCall, deps: RecordDeps, types: readonly string[]): Promise<Answer> {
  const id = Number(call.params.id)
  const author = requireAuthor(call)
  const precondition = toChangePrecondition(call)
  // A publisher without a precondition may change any record, so we skip the read; the writer reports a missing one.
  const skipsRead = hasRole(author.role, 'publisher') && !isConditional(precondition)
  if (!skipsRead) await checkRecord(deps, id, author.role)
  const { change, options } = await readChange(call, deps, precondition, types).catch(async (error) => {
    // A missing record is reported before anything that is wrong with the body.
    if (skipsRead) await checkRecord(deps, id, author.role)
    throw error
  })
  const command: ChangeCommand = { id, author, precondition, ...change, ...options }
  const stale: StaleChange = { id, precondition, change, representation: call.representation }
  const explain = (refusal: Refusal) => explainRefusal(deps, stale, refusal)
  const toAnswer = (stored: StoredRecord, counter?: number) => {
    const entry = new RecordEntry(stored)
    if (counter !== undefined) deps.records.put(id, entry, counter)
    return toChanged(call, entry, precondition)
  }
  return executeOnRecord(deps, call, command, toAnswer, explain)
}

/** Refuses if the record is missing, or a caller with this role may not change it. */
export async function checkRecord(
  { store, records }: Pick<RecordDeps, 'store' | 'records'>,
  id: number,
  role: Role,
): Promise<void> {
  const entry = await records.get(id)
  if (entry === null) return refuseMissing(store, id)
  if (entry.isLive && !hasRole(role, 'publisher')) throw new Refused(publisherRequired.toChangeLive)
}

/** Reads and parses the change. The order of these checks is part of the contract. */
async function readChange(call: RecordCall, deps: RecordDeps, precondition: Precondition, types: readonly string[]) {
  const id = Number(call.params.id)
  const type = requireBodyType(call.head, types, { 'Accept-Patch': patchTypes.join(', ') })
  const bytes = await readBody(call, deps.maxBodyBytes)
  const options = readWriteOptions(call)
  const parsed = parseChange(bytes, call.method, type, id)
  // Checked here because 412 comes before errors in the body, and again within the transaction.
  if (await isAlreadyStale(deps, id, precondition)) {
    const change = parsed.ok ? parsed.value : null
    throw new Refused(await findConflict(deps.store, { id, precondition, change, representation: call.representation }))
  }
  if (!parsed.ok) throw new Refused(parsed.problem)
  return { change: parsed.value, options }
}

function isConditional(precondition: Precondition): boolean {
  return Object.keys(precondition).length > 0
}

async function isAlreadyStale({ records }: RecordDeps, id: number, precondition: Precondition): Promise<boolean> {
  if (!isConditional(precondition)) return false
  const entry = await records.get(id)
  return entry !== null && isStale(precondition, entry.stored)
}

/** The problem for a refusal of the writer; a conflict lists what a client needs to resolve it. */
async function explainRefusal({ store }: RecordDeps, stale: StaleChange, refusal: Refusal): Promise<Problem> {
  if (refusal.code === 'not_found') return refuseMissing(store, stale.id)
  return refusal.code === 'stale' ? findConflict(store, stale, refusal.detail) : refusal
}

/** `Prefer: merge` applies to a PATCH without If-Match. */
function toChangePrecondition({ head, method }: HttpCall): Precondition {
  const mergeBase = method === 'PATCH' && head.ifMatch === undefined ? parseMergeBase(head.prefer) : undefined
  return { ...toPrecondition(head), ...(mergeBase === undefined ? {} : { mergeBase }) }
}

function toChanged({ representation, route }: HttpCall, entry: RecordEntry, { mergeBase }: Precondition): Answer {
  const answer = toBytesAnswer(entry.stored.body, entry.as(representation, route.headers).init)
  if (mergeBase !== undefined) answer.headers.set('Preference-Applied', 'merge')
  return answer
}

/** The change that the body of a PUT or PATCH asks for. */
function parseChange(bytes: Uint8Array, method: string, type: string, id: number): ParsedBody<RecordChange> {
  if (type === patchType) return parsePatchBody(bytes)
  const body = parseObjectBody(bytes)
  if (!body.ok) return body
  const parsed = parseFields(body.value, method === 'PUT' ? 'whole' : 'part', id)
  if (!parsed.ok) return { ok: false, problem: { code: 'bad_fields', errors: parsed.errors } }
  return { ok: true, value: { kind: method === 'PUT' ? 'replace' : 'merge', changes: parsed.changes } }
}

function parsePatchBody(bytes: Uint8Array): ParsedBody<RecordChange> {
  const body = parseJsonBody(bytes)
  if (!body.ok) return body
  const patch = parsePatch(body.value)
  if (!patch.ok) return { ok: false, problem: { code: 'bad_json', detail: patch.problem } }
  return { ok: true, value: { kind: 'patch', operations: patch.operations } }
}
