import type { RefusalCode } from '../record/command.ts'
import { toAsciiJson } from '../record/json/body-bytes.ts'
import type { JsonObject } from '../record/json/json-value.ts'
import type { FieldErrors } from '../record/record.ts'
import type { Failure } from '../store/store.ts'

/** Every way in which a request can fail: its status, and a sentence to act on where the case has none of its own. */
const problems = {
  bad_host: [400, 'The Host header must name exactly one host.'],
  bad_json: [400, 'The body is not the JSON that is expected here.'],
  bad_fields: [400, 'Some fields are wrong; see "errors".'],
  bad_parameter: [400, 'A parameter of the address has a wrong value.'],
  key_reused: [400, 'This Idempotency-Key came with another body before; take a new key for a new record.'],
  cut_off: [400, 'The connection was lost before this was carried out; nothing was changed.'],
  patch_impossible: [400, 'The patch cannot be applied.'],
  wrong_token: [401, 'This token is not valid. Check the Authorization header: "Token <key>" or "Bearer <key>".'],
  token_needed: [401, 'This needs a token: send "Authorization: Token <key>".'],
  role_too_low: [403, "Your token's role does not allow this."],
  not_your_batch: [403, "This needs an admin's token, or that of the batch's author."],
  live_is_for_publishers: [403, 'This record is live; only publishers may change it.'],
  publishing_is_for_publishers: [403, 'Only publishers may make a record live (state 1).'],
  no_such_path: [404, 'There is nothing at this address.'],
  no_such_version: [404, 'This version of the API does not exist; the one that does is at /api/v2.'],
  no_such_format: [404, 'The only value of "format" is "json".'],
  not_found: [404, 'There is no such record.'],
  no_such_record_version: [404, 'The record has no such version.'],
  no_such_category_version: [404, 'There is no such category, or it has no such version.'],
  no_such_batch: [404, 'There is no such batch.'],
  no_such_page: [404, 'There is no such page.'],
  gone: [410, 'This record was erased for good; its id is never used again.'],
  wrong_method: [405, 'This method is not allowed here; see the Allow header.'],
  not_acceptable: [406, 'Only text/html and application/json can be had here; see your Accept header.'],
  no_such_category: [404, 'There is no such category.'],
  other_store: [409, 'The store has been restored or replaced. Start again at since=0.'],
  title_taken: [409, 'There is another category with this title.'],
  batch_running: [409, 'A batch that is still running stands in the way; wait until it is done.'],
  patch_test_failed: [409, 'A test of the patch failed.'],
  stale: [412, 'The record is not what your precondition says. Read it again, then repeat the change.'],
  body_too_large: [413, 'The body is too large.'],
  target_too_long: [414, 'The address is too long.'],
  wrong_body_type: [415, 'The body must be application/json in UTF-8, without Content-Encoding.'],
  too_many_wrong_tokens: [429, 'Too many wrong tokens from your address; wait, then try again.'],
  too_many_writes: [429, 'This token has made all the writes it may make in a minute; wait, then try again.'],
  head_too_large: [431, 'The request headers are too large.'],
  internal: [500, 'Internal error.'],
  busy: [503, 'The store is busy; nothing was changed. Try again.'],
  down: [503, 'The store cannot be written to now; nothing was changed. Try again.'],
  late: [503, 'This took longer than it may. Ask for less: fewer conditions, no facets; or try again later.'],
  too_many_lists: [503, 'More lists are asked for than can be made now; try again.'],
  too_much_waiting: [
    503,
    'Too many large answers wait for slow readers; ask for less with page_size, or try again later.',
  ],
  too_many_streams: [503, 'The live feed has all the readers that it can serve; try again later.'],
  unreadable: [503, 'The store cannot be read now. Try again.'],
  unknown: [
    503,
    'The outcome of this write is unknown: it may have been stored or not. Read the record before trying again.',
  ],
  full: [507, 'The store is full; nothing was changed. Reading goes on.'],
} as const satisfies { readonly [code: string]: readonly [number, string] } & Record<
  RefusalCode | Exclude<Failure, 'bug'>,
  readonly [number, string]
>

/** Every status that a failure has. */
export const problemStatuses: readonly number[] = [
  ...new Set(Object.values(problems).map(([status]) => Number(status))),
].sort((a, b) => a - b)

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

export type ProblemCode = keyof typeof problems

export interface Problem {
  readonly code: ProblemCode
  readonly detail?: string
  readonly errors?: FieldErrors
  /** More members for the body. */
  readonly more?: JsonObject
  readonly retryAfterSeconds?: number
  readonly headers?: { readonly [name: string]: string }
}

/** RFC 9457, on top of the headers that every answer of the path has. */
export function toProblemResponse(problem: Problem, pathHeaders: Headers, requestId: string): Response {
  const [status, sentence] = problems[problem.code]
  const headers = new Headers(pathHeaders)
  headers.set('Content-Type', 'application/problem+json')
  headers.set('Cache-Control', 'no-store')
  if (status === 401) headers.set('WWW-Authenticate', 'Token')
  const retryAfter = problem.retryAfterSeconds ?? (status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  for (const [name, value] of Object.entries(problem.headers ?? {})) headers.set(name, value)
  const body = toAsciiJson({
    type: `urn:rostrum:problem:${problem.code}`,
    title: titles[status] ?? 'Error',
    status,
    detail: problem.detail ?? sentence,
    instance: `urn:rostrum:request:${requestId}`,
    ...(problem.errors === undefined ? {} : { errors: Object.fromEntries(problem.errors) }),
    ...problem.more,
  })
  return new Response(body, { status, headers })
}
