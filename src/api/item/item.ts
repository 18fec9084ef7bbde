import { readBody, requireBodyType } from '../../http/body.ts'
import { isNotModified, parseMergeBase, toPrecondition } from '../../http/content/conditional.ts'
import type { Logger } from '../../http/logger.ts'
import { Refused } from '../../http/problem/problem.ts'
import type { Problem } from '../../http/problem/problem-codes.ts'
import { refuseMissing } from '../../http/problem/read-problems.ts'
import type { Answer, Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { toBytesAnswer } from '../../http/send-body.ts'
import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import {
  type ChangeCommand,
  hasRole,
  type Precondition,
  publisherRequired,
  type Refusal,
  type Role,
} from '../../record/command.ts'
import { isStale } from '../../record/decide.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { RecordCache } from '../../store/record-cache.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import { toListAnswer, toVisibility } from '../list/envelope.ts'
import { executeOnRecord, readWriteOptions, toAuthor } from '../write.ts'
import { parseChange, patchTypes, putTypes } from './change-body.ts'
import { ItemEntry } from './item-entry.ts'
import { findConflict, type StaleChange } from './stale.ts'

export interface ItemDeps {
  readonly store: Store
  readonly records: RecordCache<ItemEntry>
  readonly log: Logger
  readonly maxBodyBytes: number
}

type ItemCall = HttpCall<'id'>

/** Synchronous if the record is cached or the store is a file. */
export function readItem(call: ItemCall, deps: ItemDeps): MaybePromise<Answer> {
  const entry = deps.records.get(Number(call.params.id))
  return entry instanceof Promise ? entry.then((read) => answer(call, deps, read)) : answer(call, deps, entry)
}

function answer(call: ItemCall, { store }: ItemDeps, entry: ItemEntry | null): MaybePromise<Answer> {
  if (entry === null) return refuseMissing(store, Number(call.params.id))
  if (!entry.isLive && !hasRole(call.caller()?.role ?? null, 'reader')) throw new Refused({ code: 'not_found' })
  const { etag, init } = entry.as(call.representation, call.route.headers)
  const { head } = call
  const isConditional = head.ifNoneMatch !== undefined || head.ifModifiedSince !== undefined
  if (isConditional && isNotModified(head, etag, entry.lastModifiedMs)) {
    return new Response(null, { status: 304, headers: init.headers })
  }
  // Not counted as waiting, however large: a counted body has no Content-Length, which clients of a record rely on.
  return new Response(entry.stored.body, init)
}

export function replaceItem(call: ItemCall, deps: ItemDeps): Promise<Answer> {
  return changeItem(call, deps, putTypes)
}

export function patchItem(call: ItemCall, deps: ItemDeps): Promise<Answer> {
  return changeItem(call, deps, patchTypes)
}

async function changeItem(call: ItemCall, deps: ItemDeps, types: readonly string[]): Promise<Answer> {
  const id = Number(call.params.id)
  const author = toAuthor(call)
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
    const entry = new ItemEntry(stored)
    if (counter !== undefined) deps.records.put(id, entry, counter)
    return toChanged(call, entry, precondition)
  }
  return executeOnRecord(deps, call, command, toAnswer, explain)
}

/** Refuses if the record is missing, or a caller with this role may not change it. */
async function checkRecord({ store, records }: ItemDeps, id: number, role: Role): Promise<void> {
  const entry = await records.get(id)
  if (entry === null) return refuseMissing(store, id)
  if (entry.isLive && !hasRole(role, 'publisher')) throw new Refused(publisherRequired.toChangeLive)
}

/** Reads and parses the change. The order of these checks is part of the contract. */
async function readChange(call: ItemCall, deps: ItemDeps, precondition: Precondition, types: readonly string[]) {
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

async function isAlreadyStale({ records }: ItemDeps, id: number, precondition: Precondition): Promise<boolean> {
  if (!isConditional(precondition)) return false
  const entry = await records.get(id)
  return entry !== null && isStale(precondition, entry.stored)
}

/** The problem for a refusal of the writer; a conflict lists what a client needs to resolve it. */
async function explainRefusal({ store }: ItemDeps, stale: StaleChange, refusal: Refusal): Promise<Problem> {
  if (refusal.code === 'not_found') return refuseMissing(store, stale.id)
  return refusal.code === 'stale' ? findConflict(store, stale, refusal.detail) : refusal
}

/** `Prefer: merge` applies to a PATCH without If-Match. */
function toChangePrecondition({ head, method }: HttpCall): Precondition {
  const mergeBase = method === 'PATCH' && head.ifMatch === undefined ? parseMergeBase(head.prefer) : undefined
  return { ...toPrecondition(head), ...(mergeBase === undefined ? {} : { mergeBase }) }
}

function toChanged({ representation, route }: HttpCall, entry: ItemEntry, { mergeBase }: Precondition): Answer {
  const answer = toBytesAnswer(entry.stored.body, entry.as(representation, route.headers).init)
  if (mergeBase !== undefined) answer.headers.set('Preference-Applied', 'merge')
  return answer
}

/** Where a record was imported from, and imported data without a field. */
export function readExtras(call: Call<'id'>, { store }: { readonly store: Store }): MaybePromise<TextAnswer> {
  const id = Number(call.params.id)
  const visibility = toVisibility(call)
  return andThen(store.read(id), (stored): MaybePromise<TextAnswer> => {
    if (stored === null) return refuseMissing(store, id)
    if (stored.state !== 1 && visibility !== 'all') throw new Refused({ code: 'not_found' })
    return andThen(store.readExtras(id), ({ origin, extras }) =>
      toListAnswer(call, [toAsciiJson({ origin, extras })], visibility),
    )
  })
}
