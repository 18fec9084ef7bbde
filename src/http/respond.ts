import { isKnown, isNotModified } from './content/conditional.ts'
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
export function toBody(text: string): Pick<TextAnswer, 'pieces' | 'isBinary'> {
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
