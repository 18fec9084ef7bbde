import type { components } from './schema.ts'

/** Why a request failed. `status` is 0 if there was no readable response. */
export type ClientProblem = Readonly<components['schemas']['Problem']>

/** `etag` identifies the returned version; null if the response has none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly etag: string | null }
  | { readonly ok: false; readonly problem: ClientProblem }

export interface TransportOptions {
  /** The URL of the service, such as `https://videos.example.org`. */
  readonly baseUrl: string
  readonly token?: string
  /** Replaces the global `fetch`, for example to set a timeout. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface Sent {
  readonly body: object
  readonly headers: { readonly [name: string]: string }
}

export type Transport = <T>(method: string, target: string, sent?: Sent) => Promise<Result<T>>

export function createTransport({ baseUrl, token, fetch: given }: TransportOptions): Transport {
  const root = baseUrl.replace(/\/+$/, '')
  const authorization = token === undefined ? {} : { Authorization: `Token ${token}` }
  // Wrapped in a function, because browsers refuse to call a `fetch` that is detached from `window`.
  const fetchUrl = given ?? ((url: string, init: RequestInit) => fetch(url, init))

  return async <T>(method: string, target: string, sent?: Sent): Promise<Result<T>> => {
    const content = sent === undefined ? {} : { 'Content-Type': 'application/json', ...sent.headers }
    const headers = { Accept: 'application/json', ...authorization, ...content }
    const body = sent === undefined ? {} : { body: JSON.stringify(sent.body) }
    try {
      const response = await fetchUrl(`${root}${target}`, { method, headers, ...body })
      return toResult<T>(response, await response.text())
    } catch (error) {
      return toFailure('No Answer', error instanceof Error ? error.message : String(error))
    }
  }
}

/** The value for `If-Match`; `*` if the response had no ETag. */
export function toETagHeader({ etag }: { readonly etag: string | null }): string {
  return etag ?? '*'
}

function toResult<T>(response: Response, text: string): Result<T> {
  const value = parseObject(text)
  if (value === null) return toFailure('Unreadable Answer', `The answer (${response.status}) is not a JSON object.`)
  // True because the types are generated from the service's own OpenAPI document.
  if (response.ok) return { ok: true, value: value as T, etag: response.headers.get('ETag') }
  return { ok: false, problem: toProblem(response, value) }
}

/** A proxy in between may return an error of another shape. */
function toProblem(
  { status, statusText }: Response,
  value: Partial<Record<keyof ClientProblem, unknown>>,
): ClientProblem {
  const toText = (given: unknown, otherwise: string) => (typeof given === 'string' ? given : otherwise)
  const title = toText(value.title, statusText)
  return {
    type: toText(value.type, 'about:blank'),
    title,
    status,
    detail: toText(value.detail, title),
    instance: toText(value.instance, ''),
    ...(isErrors(value.errors) ? { errors: value.errors } : {}),
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

function toFailure(title: string, detail: string): { readonly ok: false; readonly problem: ClientProblem } {
  return { ok: false, problem: { type: 'about:blank', title, status: 0, detail, instance: '' } }
}
