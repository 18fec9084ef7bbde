import type { QueryParameters } from '../../http/query-parameters.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { ListPage } from '../../store/store.ts'
import { createPageUrls, toEnvelope } from './page-text.ts'

/** The body of a list, in pieces; `at` is the address that the list was asked at, without its query. */
export function toListBody(
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
