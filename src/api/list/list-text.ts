import { QueryParameters } from '../../http/query-parameters.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { BadQuery } from '../../record/query/paging.ts'
import { type ListQuery, parseListQuery } from '../../record/query/query.ts'
import type { ListPage, ListRequest, ListText } from '../../store/store.ts'
import { createPageUrls, toEnvelope, toPageHash } from './page-text.ts'

const noSuchPage: BadQuery = { ok: false, problem: 'no_such_page' }
const tooLarge: BadQuery = {
  ok: false,
  problem: 'bad_parameter',
  errors: new Map([
    ['page_size', ['The records of this page are too large for one answer; ask for fewer with page_size.']],
  ]),
}

/** From the parameters to the whole text where the list is read: whatever an HTTP thread does, its readers wait for. */
export function toListText(request: ListRequest, list: (query: ListQuery) => ListPage): ListText {
  const parameters = new QueryParameters(request.parameters)
  const parsed = parseListQuery(parameters, request.drafts)
  if (!parsed.ok) return parsed
  const page = list(parsed.query)
  if (page.size === 0 && page.page !== null && page.page > 1) return noSuchPage
  if (page.results === null) return tooLarge
  const urls = createPageUrls(request.at, parameters)
  const pieces = toEnvelope({
    count: page.count,
    next: toNext(page, parsed.query.pageSize, urls),
    previous: page.page === null ? null : urls.toPrevious(page.page),
    results: page.results,
    more: page.facets === null ? '' : `,"facets":${toAsciiJson(page.facets)}`,
  })
  return { text: pieces.join(''), sum: toPageHash(pieces), ignored: parameters.listIgnored() }
}

function toNext(page: ListPage, pageSize: number, urls: ReturnType<typeof createPageUrls>): string | null {
  if (page.page !== null) return urls.toNext(page.page, pageSize, page.count)
  return page.nextCursor === null ? null : urls.toCursor(page.nextCursor)
}
