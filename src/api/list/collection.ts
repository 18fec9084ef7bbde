import type { Action, Answer, Call, Route } from '../../http/call.ts'
import type { Logger } from '../../http/logger.ts'
import { parseFields } from '../../record/record.ts'
import type { Store } from '../../store/store.ts'
import { toBadQuery } from '../bad-query.ts'
import type { BaseUrl } from '../base-url.ts'
import { describeFields } from '../description.ts'
import { toReadFailure } from '../failed.ts'
import { listAllow, listHeaders } from '../path-headers.ts'
import { toDescribeList } from '../read-route.ts'
import { execute, readPosted, toAuthor, toStoredResponse } from '../write.ts'
import { nameIgnored, toHashedResponse, toListAt, toVisibility } from './envelope.ts'

export interface CollectionNeeds {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly baseUrl: BaseUrl
}

const path = '/api/v2/video'

/** `/api/v2/video`: all records, and the place to make new ones. */
export function createCollectionRoute(needs: CollectionNeeds): Route {
  const { store, baseUrl } = needs

  async function list(call: Call): Promise<Answer> {
    const sight = toVisibility(call)
    const request = { parameters: call.queryText(), drafts: sight === 'all', at: toListAt(call, baseUrl, path) }
    const page = await store.list(request, call.request.signal)
    if (typeof page === 'string') return toReadFailure(page)
    if ('problem' in page) return toBadQuery(page)
    return nameIgnored(toHashedResponse(call, [page.text], page.sum, sight, listHeaders), page.ignored)
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
