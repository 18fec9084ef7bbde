import { andThen, type MaybePromise } from '../promises.ts'
import { toAsciiJson } from '../record/json.ts'
import { isKnown, isNotModified } from './conditional.ts'
import { toNetwork } from './host.ts'
import type { Quota, Release } from './limits.ts'
import { type Problem, Refused, toSentence, toStatus } from './problem.ts'
import type { Call, ChunkedAnswer, HttpCall, TextAnswer } from './route.ts'

export const contentTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  problem: 'application/problem+json',
  text: 'text/plain; charset=utf-8',
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
  const query = call.queryText()
  return redirect(call, query === '' ? location : `${location}?${query}`, { status: 301, caching })
}

interface RedirectOptions {
  readonly status?: 301 | 302 | 303
  readonly caching?: Caching
  readonly headers?: HeaderValues
}

export function redirect({ route }: Call, location: string, options: RedirectOptions = {}): TextAnswer {
  const headers = toHeaders(route.headers, null, options.caching ?? null)
  for (const [name, value] of Object.entries({ Location: location, ...options.headers })) headers.set(name, value)
  return { status: options.status ?? 302, headers, pieces: [] }
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

/** Smaller bodies are not counted, since the kernel buffers them. */
const minCountedBytes = 256 * 1024
const chunkBytes = 256 * 1024
/** Bun sends smaller bodies with their head in one system call. */
const minStreamedLength = 15 * 1024
/** Above this length the additional system calls do not matter, and a stream would copy the body once more. */
const maxStreamedLength = 1 << 20

type SentCall = Pick<HttpCall, 'method' | 'signal' | 'clientAddress' | 'isStillTrusted'>

/**
 * Creates the response for an answer. Large bodies are sent with backpressure and count as waiting until the client has
 * read them. One more is refused while too many bytes wait over all threads or for one address, but never because of
 * its own size alone. A body that is read while it is sent counts as one chunk until its end.
 */
export type SendAnswer = (answer: TextAnswer | ChunkedAnswer, call: SentCall) => Response

/** The key of the quota of one client: bytes that its network has not read yet. */
export const toAddressKey = (call: Pick<HttpCall, 'clientAddress'>) => `address ${toNetwork(call.clientAddress())}`

export function createSendAnswer(waiting: Quota): SendAnswer {
  function take(bytes: number, call: SentCall): Release {
    const taken = waiting.take(bytes, [toAddressKey(call)])
    if (taken === 'full') throw new Refused({ code: 'overloaded' })
    if (taken === 'share full') throw new Refused({ code: 'overloaded', detail: yoursWait })
    return taken
  }

  function toCountedBody(text: string, call: SentCall): ReadableStream<Uint8Array> {
    const release = take(text.length, call)
    const bytes = Buffer.from(text, 'latin1')
    let offset = 0
    const next = () => {
      if (offset >= bytes.length) return null
      offset += chunkBytes
      return bytes.subarray(offset - chunkBytes, offset)
    }
    return toStream(next, call, release)
  }

  return (answer, call) => {
    const { status, headers } = answer
    if ('next' in answer) return new Response(toStream(answer.next, call, take(chunkBytes, call)), { status, headers })
    const { pieces, isBinary = false } = answer
    if (pieces.length === 0) return new Response(null, { status, headers })
    // Bun leaves the body out, and states its length.
    if (call.method === 'HEAD') return new Response(Buffer.from(pieces.join(''), 'latin1'), { status, headers })
    const isCounted = lengthOf(pieces) >= minCountedBytes
    const body = isCounted ? toCountedBody(pieces.join(''), call) : toWholeBody(pieces, isBinary)
    return new Response(body, { status, headers })
  }
}

const yoursWait =
  'Too many large responses are waiting for your IP address to read them. Read those first, or request less with page_size.'

/** An answer with a body of any size in bytes. */
export function toBytesAnswer(bytes: Uint8Array, init: { readonly status?: number; readonly headers: Headers }) {
  if (bytes.byteLength < minCountedBytes) return new Response(bytes, init)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return { status: init.status ?? 200, headers: new Headers(init.headers), pieces: [text], isBinary: true }
}

/**
 * The body of an asynchronous response. Bun writes each part of the head of such a response with its own system call,
 * about forty in all, unless the body is small or a stream. A stream that ends below its high-water mark is sent in one
 * call, with its length (decision 14).
 */
export function toWholeBody(pieces: readonly string[], isBinary = false): string | Buffer | ReadableStream {
  const length = lengthOf(pieces)
  const toChunk = (piece: string) => (isBinary ? Buffer.from(piece, 'latin1') : piece)
  if (length < minStreamedLength || length > maxStreamedLength) return toChunk(pieces.join(''))
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(sink) {
      for (const piece of pieces) sink.write(toChunk(piece))
      sink.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: length + 1 })
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0)
}

/**
 * Asks for the next chunk when the client has read the one before, and only while the token or session of the request is
 * valid. A body that breaks off ends the connection without its end.
 */
function toStream(next: ChunkedAnswer['next'], call: SentCall, onEnd: Release): ReadableStream<Uint8Array> {
  // If a client disconnects before the first byte, the stream is neither pulled nor cancelled.
  call.signal.addEventListener('abort', onEnd, { once: true })
  if (call.signal.aborted) onEnd()

  function give(controller: ReadableStreamDefaultController<Uint8Array>): MaybePromise<void> {
    return andThen(call.isStillTrusted(), (isTrusted) => {
      if (!isTrusted) throw new Error('the token or session is no longer valid')
      return andThen(next(), (chunk) => {
        if (chunk !== null) return controller.enqueue(chunk)
        onEnd()
        controller.close()
      })
    })
  }

  /** A stream that fails is not cancelled. */
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      await give(controller)
    } catch (error) {
      onEnd()
      throw error
    }
  }

  return new ReadableStream<Uint8Array>({ pull, cancel: onEnd }, { highWaterMark: 0 })
}
