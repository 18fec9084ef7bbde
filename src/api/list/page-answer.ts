import type { BaseUrl } from '../../http/base-url.ts'
import { Refused } from '../../http/problem/problem.ts'
import { toQueryProblem } from '../../http/problem/read-problems.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { type JsonObject, toAsciiJson } from '../../record/json.ts'
import { type Paging, parsePaging } from '../../record/query/query.ts'
import type { Visibility } from '../../record/state.ts'
import type { LogPage } from '../../store/change-log.ts'
import { createPageUrls, nameIgnored, toEnvelope, toListAnswer, toListUrl } from './envelope.ts'

/** The default page size of all lists except those of records, which are larger. */
export const defaultLines = 50

/** A page whose rows are ASCII JSON. */
export interface TextPage {
  readonly count: number
  readonly page: number
  readonly rows: readonly string[]
  /** More members, as JSON text that begins with a comma. */
  readonly more?: string
}

export function toTextPage({ count, page, lines }: LogPage<JsonObject>): TextPage {
  return { count, page, rows: lines.map((line) => toAsciiJson(line)) }
}

/** Answers with one page, in the envelope of all lists. */
export async function answerPage(
  call: Call,
  baseUrl: BaseUrl,
  visibility: Visibility,
  read: (paging: Paging) => Promise<TextPage>,
): Promise<TextAnswer> {
  const parameters = call.query()
  const parsed = parsePaging(parameters, defaultLines)
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const page = await read(parsed.paging)
  if (page.rows.length === 0 && page.page > 1) throw new Refused({ code: 'no_such_page' })
  const urls = createPageUrls(toListUrl(call, baseUrl), parameters)
  const body = toEnvelope({
    count: page.count,
    next: urls.toNext(page.page, parsed.paging.pageSize, page.count),
    previous: urls.toPrevious(page.page),
    results: page.rows.join(','),
    more: page.more ?? '',
  })
  return nameIgnored(toListAnswer(call, body, visibility), parameters.listIgnored())
}
