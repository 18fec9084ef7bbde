import { judgeBodyType, parseBody, readBody } from '../http/body.ts'
import type { Action, Answer, Call, Route } from '../http/call.ts'
import { isNotModified } from '../http/conditional.ts'
import type { Log } from '../http/log.ts'
import { hasRole } from '../record/command.ts'
import { toAsciiJson } from '../record/json-body.ts'
import { isJsonObject } from '../record/json-value.ts'
import { parseListQuery } from '../record/query.ts'
import { parseFields } from '../record/record.ts'
import type { ListPage, Store } from '../store/store.ts'
import type { BaseUrl } from './base-url.ts'
import { describeFields } from './description.ts'
import { ItemEntry } from './item-entry.ts'
import { listAllow, listHeaders } from './path-headers.ts'
import { execute, toAuthor } from './write.ts'

export interface CollectionNeeds {
  readonly store: Store
  readonly log: Log
  readonly maxBodyBytes: number
  readonly baseUrl: BaseUrl
}

const path = '/api/v2/video'
const jsonType = 'application/json'

/** `/api/v2/video`: all records, and the place to make new ones. */
export function createCollectionRoute(needs: CollectionNeeds): Route {
  const { store, baseUrl } = needs

  function list(call: Call): Answer {
    const sees = hasRole(call.caller()?.role ?? null, 'reader') ? 'all' : 'live'
    const parameters = call.query()
    const parsed = parseListQuery(parameters, sees === 'all')
    if (!parsed.ok && parsed.problem === 'bad_parameter') {
      return { code: parsed.problem, detail: parsed.detail, errors: new Map([[parsed.name, [parsed.detail]]]) }
    }
    if (!parsed.ok) return { code: parsed.problem }
    const page = store.list(parsed.query)
    if (page.bodies.length === 0 && page.page > 1) return { code: 'no_such_page' }
    const body = toEnvelope(page, parsed.query.pageSize, (number) => toPageUrl(call, baseUrl, parameters, number))
    return toListResponse(call, body, sees)
  }

  async function create(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const type = judgeBodyType(call.head, [jsonType])
    if (typeof type !== 'string') return type
    const bytes = await readBody(call.request, call.head, needs.maxBodyBytes)
    if ('code' in bytes) return bytes
    const body = parseBody(bytes)
    if ('code' in body) return body
    if (!isJsonObject(body.value)) return { code: 'bad_json', detail: 'The body must be one JSON object.' }
    const parsed = parseFields(body.value, 'whole', null)
    if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors }
    return execute(needs, call, { kind: 'create', author, changes: parsed.changes }, (stored) => {
      const headers = new Headers(listHeaders)
      headers.set('Content-Type', jsonType)
      headers.set('ETag', new ItemEntry(stored).as('json').tag)
      headers.set('Cache-Control', 'private, no-store')
      headers.set('Content-Location', `${baseUrl(call)}${path}/${stored.id}`)
      return new Response(stored.body, { status: 201, headers })
    })
  }

  const read: Action = { role: null, run: list }
  return {
    name: 'list',
    path,
    acceptsParameter: () => true,
    allow: listAllow,
    headers: listHeaders,
    negotiates: true,
    methods: { GET: read, HEAD: read, OPTIONS: { role: null, run: describe }, POST: { role: 'editor', run: create } },
  }
}

/** The stored bytes are spliced in; no record is parsed or written anew. */
function toEnvelope({ count, page, bodies }: ListPage, pageSize: number, toUrl: (page: number) => string): Uint8Array {
  const next = page * pageSize < count ? toUrl(page + 1) : null
  const previous = page > 1 ? toUrl(page - 1) : null
  const head = `{"count":${count},"next":${toAsciiJson(next)},"previous":${toAsciiJson(previous)},"results":[`
  const parts = bodies.flatMap((body, i) => (i === 0 ? [body] : [comma, body]))
  return Buffer.concat([Buffer.from(head, 'latin1'), ...parts, end])
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

function toPageUrl(call: Call, baseUrl: BaseUrl, parameters: URLSearchParams, page: number): string {
  const others = new URLSearchParams(parameters)
  others.set('page', String(page))
  const hasSlash = call.url.split('?')[0]?.endsWith('/')
  return `${baseUrl(call)}${path}${hasSlash ? '/' : ''}?${others}`
}

function toListResponse(call: Call, body: Uint8Array, sees: 'all' | 'live'): Response {
  const tag = `"${Bun.hash(body).toString(16)}.${sees}"`
  const headers = new Headers(listHeaders)
  headers.set('Content-Type', jsonType)
  headers.set('ETag', tag)
  headers.set('Cache-Control', sees === 'all' ? 'private, no-store' : 'public, max-age=0, must-revalidate')
  const { ifNoneMatch } = call.head
  if (ifNoneMatch !== undefined && isNotModified(call.head, tag, 0)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

function describe(call: Call): Response {
  const mayWrite = hasRole(call.caller()?.role ?? null, 'editor')
  const body = toAsciiJson({
    name: 'Video records',
    description: 'All recorded talks, page by page. POST makes a new record.',
    renders: [jsonType],
    parses: [jsonType],
    ...(mayWrite ? { actions: { POST: describeFields() } } : {}),
  })
  const headers = new Headers(listHeaders)
  headers.set('Content-Type', jsonType)
  headers.set('Cache-Control', 'no-store')
  return new Response(body, { headers })
}
