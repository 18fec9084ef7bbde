import type { Answer, Call } from '../../http/call.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { JsonObject } from '../../record/json/json-value.ts'
import { type Paging, parsePaging } from '../../record/query/paging.ts'
import type { LogPage } from '../../store/change-log.ts'
import type { Failure } from '../../store/store.ts'
import { toBadQuery } from '../bad-query.ts'
import type { BaseUrl } from '../base-url.ts'
import { toReadFailure } from '../failed.ts'
import { readHeaders } from '../path-headers.ts'
import { nameIgnored, toListAt, toListResponse, type Visibility } from './envelope.ts'
import { createPageUrls, toEnvelope } from './page-text.ts'

/** Of everything but records, of which fewer make a page. */
export const defaultLines = 50

export interface PagePlace {
  readonly baseUrl: BaseUrl
  readonly path: string
  readonly sight: Visibility
  /** Where the path can do more than be read. */
  readonly headers?: Headers
}

/** A page whose rows are ASCII JSON already. */
export interface TextPage {
  readonly count: number
  readonly page: number
  readonly rows: readonly string[]
}

export async function readLines(reading: Promise<LogPage<JsonObject> | Failure>): Promise<TextPage | Failure> {
  const read = await reading
  if (typeof read === 'string') return read
  const { count, page, lines } = read
  return { count, page, rows: lines.map((line) => toAsciiJson(line)) }
}

/** A page of whatever can be read, in the envelope of all lists. */
export async function answerPage(
  call: Call,
  { baseUrl, path, sight, headers = readHeaders }: PagePlace,
  read: (paging: Paging) => Promise<TextPage | Failure>,
): Promise<Answer> {
  const parameters = call.query()
  const parsed = parsePaging(parameters, defaultLines)
  if (!parsed.ok) return toBadQuery(parsed)
  const page = await read(parsed.paging)
  if (typeof page === 'string') return toReadFailure(page)
  if (page.rows.length === 0 && page.page > 1) return { code: 'no_such_page' }
  const urls = createPageUrls(toListAt(call, baseUrl, path), parameters)
  const body = toEnvelope({
    count: page.count,
    next: urls.toNext(page.page, parsed.paging.pageSize, page.count),
    previous: urls.toPrevious(page.page),
    results: page.rows.join(','),
    more: '',
  })
  return nameIgnored(toListResponse(call, body, sight, headers), parameters.listIgnored())
}
