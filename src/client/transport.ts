import type { components } from './schema.ts'

/** Why a request failed. `status` is 0 if there was no readable response. */
export type ClientProblem = components['schemas']['Problem']

/** `retryAfter` is the number of seconds after which to try again; null if the service does not say. */
export interface Failure {
  readonly ok: false
  readonly problem: ClientProblem
  readonly retryAfter: number | null
}

/** `etag` identifies the returned version; null if the response has none. */
export interface Success<T> {
  readonly ok: true
  readonly value: T
  readonly etag: string | null
}

export type Result<T> = Success<T> | Failure

/** `AbortSignal` if the program's types have it: the client needs the types of neither the DOM nor Node.js. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer T } } ? T : never

/** The options that the client passes to `fetch`. */
export interface FetchInit {
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
  readonly signal?: Signal
}

/** The part of `Response` that the client needs. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

export interface TransportOptions {
  /** The URL of the service, such as `https://videos.example.org`. */
  readonly baseUrl: string
  /** Empty means none, so that an unset variable gives an anonymous client. */
  readonly token?: string
  /** Replaces the global `fetch`, for example to set a timeout. */
  readonly fetch?: (url: string, init: FetchInit) => Promise<FetchResponse>
}

export interface CallOptions {
  /** Aborts the call. Its result is then a failure with status 0. */
  readonly signal?: Signal
}

export interface WriteOptions extends CallOptions {
  /** Why you make this change. Stored with every version that it creates. */
  readonly reason?: string
  /** Validates and returns the result, but stores nothing. */
  readonly dryRun?: boolean
}

export interface KeyedWriteOptions extends WriteOptions {
  /** A key you choose for this request: repeating it within a day returns the first result and does nothing twice. */
  readonly idempotencyKey?: string
}

/** The parts of a request besides method and target. */
export interface Sent extends KeyedWriteOptions {
  readonly body?: object
  /** Sent as `If-Match`. */
  readonly etag?: string | null
}

export type Transport = <T>(method: string, target: string, sent?: Sent) => Promise<Result<T>>

export function createTransport({ baseUrl, token, fetch: given }: TransportOptions): Transport {
  const root = baseUrl.replace(/\/+$/, '')
  const authorization = token === undefined || token === '' ? {} : { Authorization: `Token ${token}` }
  // Wrapped in a function, because browsers refuse to call a `fetch` that is detached from `window`.
  const fetchUrl = given ?? ((url: string, init: FetchInit) => fetch(url, init))

  return async <T>(method: string, target: string, sent: Sent = {}): Promise<Result<T>> => {
    try {
      const headers = { Accept: 'application/json', ...authorization, ...toHeaders(sent) }
      const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }
      const dryRun = sent.dryRun ? '?dry_run=1' : ''
      const response = await fetchUrl(`${root}${target}${dryRun}`, { method, headers, ...body, ...toCallOptions(sent) })
      return toResult<T>(response, await response.text())
    } catch (error) {
      return toFailure('No Answer', error instanceof Error ? error.message : String(error))
    }
  }
}

/** The options that a read has, without those that only a write has. */
export function toCallOptions({ signal }: CallOptions = {}): CallOptions {
  return signal === undefined ? {} : { signal }
}

function toHeaders({ body, etag, reason, idempotencyKey }: Sent): { readonly [name: string]: string } {
  return {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(etag === undefined || etag === null ? {} : { 'If-Match': etag }),
    ...(reason === undefined ? {} : { 'Change-Reason': toByteString(reason) }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  }
}

/** The UTF-8 bytes of a text, one character each: `fetch` refuses header values with any other character. */
function toByteString(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

function toResult<T>(response: FetchResponse, text: string): Result<T> {
  const value = parseObject(text)
  if (value === null) return toFailure('Unreadable Answer', `The answer (${response.status}) is not a JSON object.`)
  // True because the types are generated from the service's own OpenAPI document.
  if (response.ok) return { ok: true, value: value as T, etag: response.headers.get('ETag') }
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return { ok: false, problem: toProblem(response, value), retryAfter: Number.isFinite(seconds) ? seconds : null }
}

/** The problem with all its members. A proxy in between may return an error of another shape. */
function toProblem(
  { status, statusText }: FetchResponse,
  value: Partial<Record<keyof ClientProblem, unknown>>,
): ClientProblem {
  const toText = (given: unknown, otherwise: string) => (typeof given === 'string' ? given : otherwise)
  const title = toText(value.title, statusText)
  const { errors, ...rest } = value
  return {
    // The members besides these are those of the service's own OpenAPI document.
    ...(rest as Partial<ClientProblem>),
    type: toText(value.type, 'about:blank'),
    title,
    status,
    detail: toText(value.detail, title),
    instance: toText(value.instance, ''),
    ...(isErrors(errors) ? { errors } : {}),
  }
}

function isErrors(value: unknown): value is NonNullable<ClientProblem['errors']> {
  return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** A failure that has no response. */
export function toFailure(title: string, detail: string): Failure {
  return { ok: false, problem: { type: 'about:blank', title, status: 0, detail, instance: '' }, retryAfter: null }
}
