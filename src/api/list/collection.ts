import type { Action, Answer, Call, Route } from '../../http/call.ts'
import type { Logger } from '../../http/logger.ts'
import { parseListQuery } from '../../record/query/query.ts'
import { parseFields } from '../../record/record.ts'
import type { Store } from '../../store/store.ts'
import { toBadParameter, toBadQuery } from '../bad-query.ts'
import type { BaseUrl } from '../base-url.ts'
import { describeFields } from '../description.ts'
import { toReadFailure } from '../failed.ts'
import { listAllow, listHeaders } from '../path-headers.ts'
import { toDescribeList } from '../read-route.ts'
import { execute, readPosted, toAuthor, toStoredResponse } from '../write.ts'
import { nameIgnored, toListAt, toListResponse, toVisibility } from './envelope.ts'
import { toListBody } from './list-text.ts'

export interface CollectionNeeds {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly baseUrl: BaseUrl
}

const path = '/api/v2/video'
const tooLarge = new Map([
  ['page_size', ['The records of this page are too large for one answer; ask for fewer with page_size.']],
])

/** `/api/v2/video`: all records, and the place to make new ones. */
export function createCollectionRoute(needs: CollectionNeeds): Route {
  const { store, baseUrl } = needs

  async function list(call: Call): Promise<Answer> {
    const sight = toVisibility(call)
    const parameters = call.query()
    const parsed = parseListQuery(parameters, sight === 'all')
    if (!parsed.ok) return toBadQuery(parsed)
    const page = await store.list(parsed.query, call.request.signal)
    if (typeof page === 'string') return toReadFailure(page)
    const { records } = page
    if (records === null) return toBadParameter(tooLarge)
    if (records.length === 0 && page.page !== null && page.page > 1) return { code: 'no_such_page' }
    const body = toListBody({ ...page, records }, parsed.query, toListAt(call, baseUrl, path), parameters)
    return nameIgnored(toListResponse(call, body, sight, listHeaders), parameters.listIgnored())
  }

  async function create(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const posted = await readPosted(call, needs.maxBodyBytes)
    if ('code' in posted) return posted
    const { body, ...wish } = posted
    const parsed = parseFields(body, 'whole', null)
    if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors }
    const command = { kind: 'create', author, changes: parsed.changes, ...wish } as const
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
    methods: { GET: read, HEAD: read, OPTIONS: describe, POST: { role: 'editor', run: create } },
  }
}

const describe = toDescribeList(
  {
    name: 'Video records',
    description: 'All recorded talks, page by page. POST makes a new record.',
  },
  'editor',
  describeFields,
)
