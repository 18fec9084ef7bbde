import { judgeBodyType, readBody } from '../../http/body.ts'
import type { Action, Answer, Call, Route } from '../../http/call.ts'
import { isNotModified, toPrecondition } from '../../http/conditional.ts'
import type { Logger } from '../../http/logger.ts'
import type { Representation } from '../../http/negotiate.ts'
import { parseMergeBase } from '../../http/prefer.ts'
import type { Problem } from '../../http/problem.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { type ChangeCommand, hasRole, type Precondition, type Role } from '../../record/command.ts'
import { isStale } from '../../record/decide.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { RecordCache } from '../../store/record-cache.ts'
import type { Store } from '../../store/store.ts'
import { describeFields } from '../description.ts'
import { toMissing } from '../missing.ts'
import { itemAllow, itemHeaders } from '../path-headers.ts'
import { execute, parseWriteOptions, toAuthor } from '../write.ts'
import { parseChange, patchTypes, putTypes } from './change-body.ts'
import { ItemEntry } from './item-entry.ts'
import type { ReadyAnswers } from './ready-answers.ts'
import { toStaleProblem } from './stale.ts'

export interface ItemNeeds {
  readonly store: Store
  readonly records: RecordCache<ItemEntry>
  readonly answers: ReadyAnswers
  readonly log: Logger
  readonly maxBodyBytes: number
}

const acceptPatch = patchTypes.join(', ')

/** `/api/v2/video/<id>`: one record. */
export function createItemRoute(needs: ItemNeeds): Route {
  const { records, answers, store } = needs

  function get(call: Call): MaybePromise<Answer> {
    const entry = records.get(Number(call.parameter))
    return entry instanceof Promise ? entry.then((read) => answer(call, read)) : answer(call, entry)
  }

  function answer(call: Call, entry: ItemEntry | null): MaybePromise<Answer> {
    if (entry === null) return toMissing(store, Number(call.parameter))
    if (!entry.isLive && !hasRole(call.caller()?.role ?? null, 'reader')) return { code: 'not_found' }
    const { tag, init } = entry.as(call.representation)
    const { head } = call
    const isConditional = head.ifNoneMatch !== undefined || head.ifModifiedSince !== undefined
    if (isConditional && isNotModified(head, tag, entry.lastModifiedMs)) {
      return new Response(null, { status: 304, headers: init.headers })
    }
    return new Response(entry.stored.body, init)
  }

  function getPlain(parameter: string, representation: Representation): Response | null {
    const id = parseRecordId(parameter)
    const entry = id === null ? null : records.get(id)
    // What must be waited for goes the long way, and is read only once all the same.
    if (entry === null || entry instanceof Promise) return null
    return entry.isLive ? answers.answer(entry.as(representation), entry.stored.body) : null
  }

  async function write(call: Call, types: readonly string[]): Promise<Answer> {
    const id = Number(call.parameter)
    const author = toAuthor(call)
    const precondition = toChangePrecondition(call)
    // Who may change whatever it is like leaves it to the writer to find it: another thread may just have changed it,
    // and reading it anew would keep others waiting here.
    const isBlind = hasRole(author.role, 'publisher') && Object.keys(precondition).length === 0
    const hindrance = isBlind ? null : await judgeRecord(id, author.role)
    if (hindrance !== null) return hindrance
    const wished = await readChange(call, types)
    /** That there is no such record comes before what is wrong with the body. */
    const orMissing = async (problem: Problem) => (isBlind ? await judgeRecord(id, author.role) : null) ?? problem
    if ('code' in wished) return orMissing(wished)
    const { change, wish } = wished
    const isReadable = !('code' in change)
    const late = { id, precondition, change: isReadable ? change : null, representation: call.representation }
    // Judged here, since it comes before the body's own mistakes, and once more within the transaction.
    if (await isAlreadyStale(needs, id, precondition)) return toStaleProblem(store, late)
    if (!isReadable) return orMissing(change)
    const command: ChangeCommand = { id, author, precondition, ...change, ...wish }
    const answer = await execute(needs, call, command, (stored, counter) => {
      const changed = new ItemEntry(stored)
      if (counter !== undefined) records.put(id, changed, counter)
      return toChanged(changed, call, precondition)
    })
    if (!('code' in answer)) return answer
    if (answer.code === 'not_found') return toMissing(store, id)
    return answer.code === 'stale' ? toStaleProblem(store, { ...late, detail: answer.detail }) : answer
  }

  /** Why the record cannot be changed by such a role, whatever the change; null where it can. */
  async function judgeRecord(id: number, role: Role): Promise<Problem | null> {
    const entry = await records.get(id)
    if (entry === null) return toMissing(store, id)
    return entry.isLive && !hasRole(role, 'publisher') ? { code: 'live_is_for_publishers' } : null
  }

  /** What is asked for; a body's own mistake is told by `change`. */
  async function readChange(call: Call, types: readonly string[]) {
    const type = judgeBodyType(call.head, types)
    if (typeof type !== 'string') return { ...type, headers: { 'Accept-Patch': acceptPatch } }
    const bytes = await readBody(call.request, call.head, needs.maxBodyBytes)
    if ('code' in bytes) return bytes
    const wish = parseWriteOptions(call)
    if ('code' in wish) return wish
    return { wish, change: parseChange(bytes, call.method, type, Number(call.parameter)) }
  }

  const read: Action = { role: null, run: get }
  return {
    name: 'item',
    path: '/api/v2/video/:id',
    acceptsParameter: (value) => parseRecordId(value) !== null,
    allow: itemAllow,
    headers: itemHeaders,
    negotiates: true,
    getPlain,
    methods: {
      GET: read,
      HEAD: read,
      OPTIONS: { role: null, run: describe },
      PUT: { role: 'editor', run: (call) => write(call, putTypes) },
      PATCH: { role: 'editor', run: (call) => write(call, patchTypes) },
    },
  }
}

/** Decimal digits without leading zeros, 1 to 2^53−1; null for anything else. Digit by digit, since it is hot. */
export function parseRecordId(text: string): number | null {
  if (text.length === 0 || text.length > 16 || text.charCodeAt(0) === 0x30) return null
  let id = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return null
    id = id * 10 + digit
  }
  return id <= Number.MAX_SAFE_INTEGER ? id : null
}

/** A merge is preferred only where nothing forbids it. */
function toChangePrecondition({ head, method }: Call): Precondition {
  const mergeBase = method === 'PATCH' && head.ifMatch === undefined ? parseMergeBase(head.prefer) : undefined
  return { ...toPrecondition(head), ...(mergeBase === undefined ? {} : { mergeBase }) }
}

function toChanged(entry: ItemEntry, { representation }: Call, { mergeBase }: Precondition): Response {
  const response = new Response(entry.stored.body, entry.as(representation).init)
  if (mergeBase !== undefined) response.headers.set('Preference-Applied', 'merge')
  return response
}

async function isAlreadyStale({ records }: ItemNeeds, id: number, precondition: Precondition): Promise<boolean> {
  if (Object.keys(precondition).length === 0) return false
  const entry = await records.get(id)
  return entry !== null && isStale(precondition, entry.stored)
}

/** Never looks at the record, so it tells nobody whether there is one. */
function describe(call: Call): Response {
  const mayWrite = hasRole(call.caller()?.role ?? null, 'editor')
  const body = toAsciiJson({
    name: 'Video record',
    description: 'One recorded talk. GET reads it, PUT replaces it, PATCH changes some of its fields.',
    renders: ['text/html', 'application/json'],
    parses: patchTypes,
    ...(mayWrite ? { actions: { PUT: describeFields() } } : {}),
  })
  const headers = new Headers(itemHeaders)
  headers.set('Content-Type', 'application/json')
  headers.set('Accept-Patch', acceptPatch)
  headers.set('Cache-Control', 'no-store')
  return new Response(body, { headers })
}
