import type { components } from './schema.ts'

/** What went wrong. Where no answer came, or none that can be read, `status` is 0. */
export type ClientProblem = Readonly<components['schemas']['Problem']>

/** `etag` names the version that was answered; null where the answer names none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly etag: string | null }
  | { readonly ok: false; readonly problem: ClientProblem }

export interface TransportOptions {
  /** Where the service is, such as `https://videos.example.org`. */
  readonly baseUrl: string
  readonly token?: string
  /** Another `fetch`, say with a deadline of its own. */
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
  // Called through a function: browsers refuse a `fetch` that was taken off its window.
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

/** The tag for `If-Match`; an answer without one matches whatever is there. */
export function toETagHeader({ etag }: { readonly etag: string | null }): string {
  return etag ?? '*'
}

function toResult<T>(response: Response, text: string): Result<T> {
  const value = parseObject(text)
  if (value === null) return toFailure('Unreadable Answer', `The answer (${response.status}) is not a JSON object.`)
  // The service describes its answers, and the types are made of that description.
  if (response.ok) return { ok: true, value: value as T, etag: response.headers.get('ETag') }
  return { ok: false, problem: toProblem(response, value) }
}

/** Something between us and the service may answer with a failure of another shape. */
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
