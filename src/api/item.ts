import { judgeBodyType, parseBody, readBody } from '../http/body.ts'
import type { Action, Answer, Call, Route } from '../http/call.ts'
import { isNotModified, toPrecondition } from '../http/conditional.ts'
import type { Log } from '../http/log.ts'
import type { Representation } from '../http/negotiate.ts'
import type { Problem } from '../http/problem.ts'
import { type ChangeCommand, hasRole } from '../record/command.ts'
import { isStale } from '../record/decide.ts'
import { fromBody, toAsciiJson } from '../record/json-body.ts'
import { parsePatch } from '../record/json-patch.ts'
import { isJsonObject, type JsonValue } from '../record/json-value.ts'
import { parseFields } from '../record/record.ts'
import type { RecordCache } from '../store/record-cache.ts'
import type { Store } from '../store/store.ts'
import { describeFields } from './description.ts'
import { ItemEntry } from './item-entry.ts'
import { itemAllow, itemHeaders } from './path-headers.ts'
import { execute, parseRehearsal, toAuthor } from './write.ts'

export interface ItemNeeds {
  readonly store: Store
  readonly records: RecordCache<ItemEntry>
  readonly log: Log
  readonly maxBodyBytes: number
}

const jsonType = 'application/json'
const mergeType = 'application/merge-patch+json'
const patchType = 'application/json-patch+json'
const putTypes = [jsonType] as const
const patchTypes = [jsonType, mergeType, patchType] as const
const acceptPatch = patchTypes.join(', ')

/** `/api/v2/video/<id>`: one record. */
export function createItemRoute(needs: ItemNeeds): Route {
  const { records } = needs

  function get(call: Call): Answer {
    const entry = records.get(Number(call.parameter))
    if (entry === null || !(entry.isLive || hasRole(call.caller()?.role ?? null, 'reader')))
      return { code: 'not_found' }
    const { tag, init } = entry.as(call.representation)
    const { head } = call
    const isConditional = head.ifNoneMatch !== undefined || head.ifModifiedSince !== undefined
    if (isConditional && isNotModified(head, tag, entry.lastModifiedMs)) {
      return new Response(null, { status: 304, headers: init.headers })
    }
    return new Response(entry.stored.body, init)
  }

  function getPlain(parameter: string, representation: Representation): Response | null {
    const id = toId(parameter)
    const entry = id === null ? null : records.get(id)
    return entry?.isLive ? entry.copy(representation) : null
  }

  async function write(call: Call, types: typeof putTypes | typeof patchTypes): Promise<Answer> {
    const entry = records.get(Number(call.parameter))
    if (entry === null) return { code: 'not_found' }
    const author = toAuthor(call)
    if (entry.isLive && !hasRole(author.role, 'publisher')) return { code: 'live_is_for_publishers' }
    const type = judgeBodyType<string>(call.head, types)
    if (typeof type !== 'string') return { ...type, headers: { 'Accept-Patch': acceptPatch } }
    const bytes = await readBody(call.request, call.head, needs.maxBodyBytes)
    if ('code' in bytes) return bytes
    const rehearsal = parseRehearsal(call)
    if ('code' in rehearsal) return rehearsal
    const precondition = toPrecondition(call.head)
    if (isAlreadyStale(needs, entry.stored.id, precondition)) return { code: 'stale' }
    const body = parseBody(bytes)
    if ('code' in body) return body
    const change = toChange(body.value, call.method === 'PUT' ? 'PUT' : type, entry.stored.id)
    if ('code' in change) return change
    const command: ChangeCommand = { id: entry.stored.id, author, precondition, ...change, ...rehearsal }
    return execute(needs, call, command, (stored) => {
      const { init } = new ItemEntry(stored).as(call.representation)
      return new Response(stored.body, init)
    })
  }

  const read: Action = { role: null, run: get }
  return {
    name: 'item',
    path: '/api/v2/video/:id',
    acceptsParameter: (value) => toId(value) !== null,
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
export function toId(text: string): number | null {
  if (text.length === 0 || text.length > 16 || text.charCodeAt(0) === 0x30) return null
  let id = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return null
    id = id * 10 + digit
  }
  return id <= Number.MAX_SAFE_INTEGER ? id : null
}

/** Judged here, before the body is parsed, and once more by `decide` within the transaction. */
function isAlreadyStale({ records }: ItemNeeds, id: number, precondition: ChangeCommand['precondition']): boolean {
  const entry = records.get(id)
  if (entry === null || Object.keys(precondition).length === 0) return false
  return isStale(precondition, { record: fromBody(entry.stored.body), mark: entry.stored.mark })
}

type Change =
  | Pick<Extract<ChangeCommand, { kind: 'replace' | 'merge' }>, 'kind' | 'changes'>
  | Pick<Extract<ChangeCommand, { kind: 'patch' }>, 'kind' | 'operations'>

function toChange(body: JsonValue, type: string, id: number): Change | Problem {
  if (type === patchType) {
    const patch = parsePatch(body)
    return patch.ok ? { kind: 'patch', operations: patch.operations } : { code: 'bad_json', detail: patch.problem }
  }
  if (!isJsonObject(body)) return { code: 'bad_json', detail: 'The body must be one JSON object.' }
  const parsed = parseFields(body, type === 'PUT' ? 'whole' : 'part', id)
  if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors }
  return { kind: type === 'PUT' ? 'replace' : 'merge', changes: parsed.changes }
}

/** Never looks at the record, so it tells nobody whether there is one. */
function describe(call: Call): Response {
  const mayWrite = hasRole(call.caller()?.role ?? null, 'editor')
  const body = toAsciiJson({
    name: 'Video record',
    description: 'One recorded talk. GET reads it, PUT replaces it, PATCH changes some of its fields.',
    renders: ['text/html', jsonType],
    parses: patchTypes,
    ...(mayWrite ? { actions: { PUT: describeFields() } } : {}),
  })
  const headers = new Headers(itemHeaders)
  headers.set('Content-Type', jsonType)
  headers.set('Accept-Patch', acceptPatch)
  headers.set('Cache-Control', 'no-store')
  return new Response(body, { headers })
}
