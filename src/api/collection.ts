import { judgeBodyType, parseObjectBody, readBody } from '../http/body.ts'
import type { Action, Answer, Call, Route } from '../http/call.ts'
import type { Log } from '../http/log.ts'
import { hasRole } from '../record/command.ts'
import { toAsciiJson } from '../record/json-body.ts'
import { parseListQuery } from '../record/query.ts'
import { parseFields } from '../record/record.ts'
import type { ListPage, Store } from '../store/store.ts'
import { toBadParameter, toBadQuery } from './bad-query.ts'
import type { BaseUrl } from './base-url.ts'
import { describeFields } from './description.ts'
import { createPageUrls, toEnvelope, toListResponse, toSight } from './envelope.ts'
import { toUnread } from './failed.ts'
import { listAllow, listHeaders } from './path-headers.ts'
import { execute, parseIdempotencyKey, parseWish, toAuthor, toStoredResponse } from './write.ts'

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

  async function list(call: Call): Promise<Answer> {
    const sight = toSight(call)
    const parsed = parseListQuery(call.query(), sight === 'all')
    if (!parsed.ok) return toBadQuery(parsed)
    const page = await store.list(parsed.query)
    if (typeof page === 'string') return toUnread(page)
    if (page.size === 0 && page.page !== null && page.page > 1) return { code: 'no_such_page' }
    const body = toListBody(call, baseUrl, page, parsed.query.pageSize)
    return body === null ? tooLarge : toListResponse(call, body, sight, listHeaders)
  }

  async function create(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const type = judgeBodyType(call.head, [jsonType])
    if (typeof type !== 'string') return type
    const bytes = await readBody(call.request, call.head, needs.maxBodyBytes)
    if ('code' in bytes) return bytes
    const wish = parseWish(call)
    if ('code' in wish) return wish
    const key = parseIdempotencyKey(call)
    if ('code' in key) return key
    const body = parseObjectBody(bytes)
    if ('code' in body) return body
    const parsed = parseFields(body.value, 'whole', null)
    if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors }
    const command = { kind: 'create', author, changes: parsed.changes, ...wish, ...key } as const
    return execute(needs, call, command, (stored) =>
      toStoredResponse(stored, listHeaders, `${baseUrl(call)}${path}/${stored.id}`, 201),
    )
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

const tooLarge = toBadParameter(
  new Map([['page_size', ['The records of this page are too large for one answer; ask for fewer with page_size.']]]),
)

function toListBody(call: Call, baseUrl: BaseUrl, page: ListPage, pageSize: number): readonly string[] | null {
  const urls = createPageUrls(call, baseUrl, path)
  const { count, results } = page
  if (results === null) return null
  const more = page.facets === null ? '' : `,"facets":${toAsciiJson(page.facets)}`
  if (page.page === null) {
    const next = page.nextCursor === null ? null : urls.toCursor(page.nextCursor)
    return toEnvelope({ count, next, previous: null, results, more })
  }
  const next = urls.toNext(page.page, pageSize, count)
  return toEnvelope({ count, next, previous: urls.toPrevious(page.page), results, more })
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
