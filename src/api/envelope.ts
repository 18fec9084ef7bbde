import { toCodedAnswer } from '../http/compression.ts'
import type { BaseUrl } from '../http/host.ts'
import { Refused, toQueryProblem } from '../http/problem.ts'
import { json, orNotModified } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'
import { type JsonObject, toAsciiJson } from '../record/json.ts'
import { type Paging, parsePaging } from '../record/query/query.ts'
import { hasRole } from '../record/role.ts'
import type { Visibility } from '../record/state.ts'
import { type Timestamp, toZoned } from '../record/timestamp.ts'
import type { LogPage } from '../store/change-log.ts'
import type { ReadStore } from '../store/store.ts'

/** What handlers that read lists need. */
export interface ReadDeps {
  readonly store: ReadStore
  readonly baseUrl: BaseUrl
}

export function toVisibility(call: Call): Visibility {
  return hasRole(call.caller()?.role ?? null, 'reader') ? 'all' : 'live'
}

/** The URL of a list without its query, with a slash at the end if the request had one. */
export function toListUrl(call: Call, baseUrl: BaseUrl): string {
  const params: { readonly [name: string]: string } = call.params
  const path = call.route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const hasSlash = call.url.split('?', 1)[0]?.endsWith('/') ?? false
  return `${baseUrl(call)}${path}${hasSlash ? '/' : ''}`
}

/**
 * A page of a list: an ASCII body in pieces, compressed if the client accepts that; 304 if the client has it. `isPartial`:
 * more may be found a moment later.
 */
export function toListAnswer(
  call: Call,
  pieces: readonly string[],
  visibility: Visibility,
  isPartial = false,
): TextAnswer {
  return toCodedAnswer(call, toTagged(call, pieces, visibility, isPartial))
}

/** The same for one thing, which is never compressed. */
export function toSingleAnswer(call: Call, pieces: readonly string[], visibility: Visibility = 'all'): TextAnswer {
  return orNotModified(call, toTagged(call, pieces, visibility, false))
}

const maxNames = 10
const maxBytes = 200

/**
 * Names unknown parameters in a header. They are no error, since old clients send many, but the header makes a typo
 * visible.
 */
export function nameIgnored(answer: TextAnswer, names: readonly string[]): TextAnswer {
  const named = toBoundedHeader(names.map(encodeURIComponent))
  if (named !== '') answer.headers.set('Ignored-Parameters', named)
  return answer
}

/** A parameter whose value fits nothing. */
export type UnknownValue = readonly [name: string, value: string]

/** Names values that fit nothing, for the same reason: a misspelled category looks like one without records. */
export function nameUnknown(answer: TextAnswer, values: readonly UnknownValue[]): TextAnswer {
  const named = toBoundedHeader(values.map(([name, value]) => `${name}=${encodeURIComponent(value)}`))
  if (named !== '') answer.headers.set('Unknown-Values', named)
  return answer
}

/** A `page_size` above the limit, which was cut to `pageSize`. */
export function listCutSize(parameters: URLSearchParams, pageSize: number): readonly UnknownValue[] {
  const size = parameters.get('page_size')
  return size !== null && Number(size) > pageSize ? [['page_size', size]] : []
}

interface Envelope {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  /** JSON values joined by commas. */
  readonly results: string
  /** More members, as JSON text that begins with a comma. */
  readonly more: string
}

/** `{"count","next","previous","results"}` around finished JSON; in pieces, since joining would copy it. */
export function toEnvelope({ count, next, previous, results, more }: Envelope): readonly string[] {
  const head = `{"count":${count},"next":${toAsciiJson(next)},"previous":${toAsciiJson(previous)},"results":[`
  return [head, results, `]${more}}`]
}

/** URLs of other pages of the list at `listUrl`; they keep all other parameters. */
export function createPageUrls(listUrl: string, parameters: URLSearchParams) {
  const toUrl = (name: string, value: string) => {
    const others = new URLSearchParams(parameters)
    others.set(name, value)
    return `${listUrl}?${others}`
  }
  return {
    toCursor: (cursor: string) => toUrl('cursor', cursor),
    toNext: (page: number, pageSize: number, count: number) =>
      page * pageSize < count ? toUrl('page', String(page + 1)) : null,
    toPrevious: (page: number) => (page > 1 ? toUrl('page', String(page - 1)) : null),
  }
}

/** A hash of the pieces in order; each hash seeds the next. */
export function toPageHash(pieces: readonly string[]): string {
  return pieces.reduce((sum, piece) => BigInt(Bun.hash(piece, sum)), 0n).toString(16)
}

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

/** Lines of the change log. */
export function toLogPage({ lines, ...page }: LogPage<JsonObject & { readonly at: Timestamp }>): TextPage {
  return toTextPage({ ...page, lines: lines.map(withZone) })
}

/** A batch, a version or a change, with the zone of its time. */
export const withZone = <Line extends { readonly at: Timestamp }>(line: Line): Line => ({
  ...line,
  at: toZoned(line.at),
})

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
  const answer = nameUnknown(toListAnswer(call, body, visibility), listCutSize(parameters, parsed.paging.pageSize))
  return nameIgnored(answer, parameters.listIgnored())
}

/** The ETag differs by visibility, and shared caches may not store what only some callers see. */
function toTagged(call: Call, pieces: readonly string[], visibility: Visibility, isPartial: boolean): TextAnswer {
  const caching = visibility === 'all' ? 'private' : isPartial ? 'never' : 'revalidate'
  return json(call, pieces, caching, { headers: { ETag: `"${toPageHash(pieces)}.${visibility}"` } })
}

/** Percent-encoded texts; those that do not fit are left out. */
function toBoundedHeader(texts: readonly string[]): string {
  let header = ''
  let count = 0
  for (const text of texts) {
    const next = header === '' ? text : `${header}, ${text}`
    if (text === '' || next.length > maxBytes) continue
    header = next
    if (++count === maxNames) break
  }
  return header
}
