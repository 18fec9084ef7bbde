import { toAsciiJson } from '../record/json.ts'
import { isKnown, isNotModified } from './conditional.ts'
import { type Problem, toSentence, toStatus } from './problem.ts'
import type { Call, TextAnswer } from './route.ts'

export const contentTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  problem: 'application/problem+json',
  eventStream: 'text/event-stream',
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
} as const

/** Cache-Control by who may cache a response; `revalidate` caches must ask again each time. */
const cacheControls = {
  never: 'no-store',
  private: 'private, no-store',
  revalidate: 'public, max-age=0, must-revalidate',
  immutable: 'public, max-age=31536000, immutable',
} as const
export type Caching = keyof typeof cacheControls

/** The only place that sets Content-Type and Cache-Control; `null` keeps those of the path's headers. */
export function toHeaders(pathHeaders: Headers, type: string | null, caching: Caching | null): Headers {
  const headers = new Headers(pathHeaders)
  if (type !== null) headers.set('Content-Type', type)
  if (caching !== null) headers.set('Cache-Control', cacheControls[caching])
  return headers
}

/** An answer with a JSON body, as one text or in pieces. */
export function json(
  { route }: Call,
  body: string | readonly string[],
  caching: Caching | null,
  { status = 200, headers: more = {} }: { readonly status?: number; readonly headers?: HeaderValues } = {},
): TextAnswer {
  const headers = toHeaders(route.headers, contentTypes.json, caching)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return { status, headers, pieces: typeof body === 'string' ? [body] : body }
}

/** A text of any characters as the body of an answer: one character per byte. */
export function toUtf8Body(text: string): Pick<TextAnswer, 'pieces' | 'isBinary'> {
  return { pieces: [Buffer.from(text).toString('latin1')], isBinary: true }
}

export type HeaderValues = { readonly [name: string]: string }

/** 304 if a GET or HEAD sends the ETag of the answer or, if it has one, its date; else the answer. */
export function orNotModified(call: Call, answer: TextAnswer): TextAnswer {
  const etag = answer.headers.get('ETag')
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  if (!isRead || etag === null) return answer
  const date = answer.headers.get('Last-Modified')
  const isCurrent = date === null ? isKnown(call.head, etag) : isNotModified(call.head, etag, Date.parse(date))
  return isCurrent ? toNotModified(answer.headers) : answer
}

export function toNotModified(headers: Headers): TextAnswer {
  return { status: 304, headers, pieces: [] }
}

/** A permanent redirect that keeps the query. */
export function movedTo(call: Call, location: string, caching: Caching): TextAnswer {
  const headers = toHeaders(call.route.headers, null, caching)
  const query = call.queryText()
  headers.set('Location', query === '' ? location : `${location}?${query}`)
  return { status: 301, headers, pieces: [] }
}

export function redirect({ route }: Call, location: string): TextAnswer {
  const headers = new Headers(route.headers)
  headers.set('Location', location)
  return { status: 302, headers, pieces: [] }
}

const titles: { readonly [status: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** A problem (RFC 9457) with the headers of the path. */
export function toProblemAnswer(problem: Problem, pathHeaders: Headers, requestId: string): TextAnswer {
  const status = toStatus(problem)
  const headers = toHeaders(pathHeaders, contentTypes.problem, 'never')
  if (status === 401) headers.set('WWW-Authenticate', 'Token')
  const retryAfter = problem.retryAfterSeconds ?? (status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  for (const [name, value] of Object.entries(problem.headers ?? {})) headers.set(name, value)
  const body = toAsciiJson({
    type: `urn:rostrum:problem:${problem.code}`,
    title: titles[status] ?? 'Error',
    status,
    detail: toSentence(problem),
    instance: `urn:rostrum:request:${requestId}`,
    ...(problem.errors === undefined ? {} : { errors: Object.fromEntries(problem.errors) }),
    ...problem.more,
  })
  return { status, headers, pieces: [body] }
}

/** On every response of the API: any page may read what is public. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Allow, Accept-Patch, Content-Location, Preference-Applied, Retry-After, Ignored-Parameters, Unknown-Values',
}

/** The request headers that we use and that a browser sends only after a preflight. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Prefer',
  'Idempotency-Key',
  'Change-Reason',
  'Last-Event-ID',
].join(', ')

/** The response to a preflight request of a browser. */
export function toPreflightResponse(pathHeaders: Headers, methods: string): Response {
  const headers = new Headers(pathHeaders)
  headers.set('Access-Control-Allow-Methods', methods)
  headers.set('Access-Control-Allow-Headers', requestHeaders)
  headers.set('Access-Control-Max-Age', '86400')
  return new Response(null, { status: 204, headers })
}
