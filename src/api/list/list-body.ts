import { type JsonObject, toAsciiJson } from '../../record/json.ts'
import type { ListQuery } from '../../record/query/query.ts'
import { fromBodyText, toPartText } from '../../record/record.ts'
import { createHighlighter, toHits } from '../../record/text/highlight.ts'
import type { ListPage } from '../../store/store.ts'
import { createPageUrls, toEnvelope } from './envelope.ts'

type ReadPage = ListPage & { readonly records: readonly string[] }

/** The body of a list of records, in pieces; `at` is the URL of the list without its query. */
export function toListBody(
  page: ReadPage,
  query: ListQuery,
  at: string,
  parameters: URLSearchParams,
): readonly string[] {
  const urls = createPageUrls(at, parameters)
  const results = query.hasHighlight ? toHighlightedResults(page, query) : page.records
  return toEnvelope({
    count: page.count,
    next: toNext(page, query.pageSize, urls),
    previous: page.page === null ? null : urls.toPrevious(page.page),
    results: results.join(','),
    more: toMoreMembers(page),
  })
}

function toNext(page: ListPage, pageSize: number, urls: ReturnType<typeof createPageUrls>): string | null {
  if (page.page !== null) return urls.toNext(page.page, pageSize, page.count)
  return page.nextCursor === null ? null : urls.toCursor(page.nextCursor)
}

/** Members that only some lists have, as JSON text that begins with a comma. */
function toMoreMembers({ facets, corrected = {}, countIs }: ListPage): string {
  const members = {
    ...(facets === null ? {} : { facets: toFacets(facets) }),
    ...(Object.keys(corrected).length === 0 ? {} : { corrected }),
    ...(countIs === undefined ? {} : { count_is: countIs }),
  }
  return Object.entries(members)
    .map(([name, value]) => `,"${name}":${toAsciiJson(value)}`)
    .join('')
}

/** Only values and counts: pages use the rest. */
function toFacets(facets: NonNullable<ListPage['facets']>): JsonObject {
  const shown = Object.entries(facets).map(([name, values]) => {
    return [name, values.map(({ value, count }) => ({ value, count }))] as const
  })
  return Object.fromEntries(shown)
}

/** `{"record", "highlight"}` for each record, as JSON. Only now cut to the requested fields. */
function toHighlightedResults({ records, hits }: ReadPage, { filters, fields }: ListQuery): string[] {
  const { all = [], none = [] } = filters.search ?? {}
  const highlight =
    hits === undefined ? createHighlighter(toHits({ all, none }), 'all') : createHighlighter(hits, 'best')
  return records.map((text) => {
    const record = fromBodyText(text)
    const shown = fields === null ? text : toPartText(record, fields)
    return `{"record":${shown},"highlight":${toAsciiJson(highlight(record))}}`
  })
}
