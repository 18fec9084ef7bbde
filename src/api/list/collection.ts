import type { Logger } from '../../http/logger.ts'
import { Refused } from '../../http/problem.ts'
import type { Call, HttpCall, QueryParameters, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import { type ListQuery, parseListQuery } from '../../record/query/query.ts'
import { parseFields } from '../../record/record.ts'
import type { ListPage, Store } from '../../store/store.ts'
import { requireRead, toParameterProblem, toQueryProblem } from '../problems.ts'
import { executeOnRecord, readPosted, toAuthor, toStoredResponse } from '../write.ts'
import {
  createPageUrls,
  nameIgnored,
  type ReadNeeds,
  toEnvelope,
  toListAnswer,
  toListUrl,
  toVisibility,
} from './envelope.ts'

export interface CollectionNeeds extends ReadNeeds {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
}

const tooLarge = new Map([
  ['page_size', ['The records of this page are too large for one response. Request fewer with page_size.']],
])

export async function listRecords(call: Call, { store, baseUrl }: ReadNeeds): Promise<TextAnswer> {
  const visibility = toVisibility(call)
  const parameters = call.query()
  const parsed = parseListQuery(parameters, visibility)
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const page = requireRead(await store.list(parsed.query, call.signal))
  const { records } = page
  if (records === null) throw new Refused(toParameterProblem(tooLarge))
  if (records.length === 0 && page.page !== null && page.page > 1) throw new Refused({ code: 'no_such_page' })
  const body = toListBody({ ...page, records }, parsed.query, toListUrl(call, baseUrl), parameters)
  return nameIgnored(toListAnswer(call, body, visibility), parameters.listIgnored())
}

export async function createRecord(call: HttpCall, needs: CollectionNeeds): Promise<Response> {
  const author = toAuthor(call)
  const { body, options } = await readPosted(call, needs.maxBodyBytes)
  const parsed = parseFields(body, 'whole', null)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create', author, changes: parsed.changes, ...options } as const
  return executeOnRecord(needs, call, command, (stored) => {
    return toStoredResponse(call, stored, `${needs.baseUrl(call)}/api/v2/video/${stored.id}`, 201)
  })
}

/** The body of a list, in pieces; `at` is the URL of the list without its query. */
function toListBody(
  page: ListPage & { readonly records: readonly string[] },
  query: ListQuery,
  at: string,
  parameters: QueryParameters,
): readonly string[] {
  const urls = createPageUrls(at, parameters)
  return toEnvelope({
    count: page.count,
    next: toNext(page, query.pageSize, urls),
    previous: page.page === null ? null : urls.toPrevious(page.page),
    results: page.records.join(','),
    more: page.facets === null ? '' : `,"facets":${toAsciiJson(page.facets)}`,
  })
}

function toNext(page: ListPage, pageSize: number, urls: ReturnType<typeof createPageUrls>): string | null {
  if (page.page !== null) return urls.toNext(page.page, pageSize, page.count)
  return page.nextCursor === null ? null : urls.toCursor(page.nextCursor)
}
