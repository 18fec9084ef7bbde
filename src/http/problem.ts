import { andThen, type MaybePromise } from '../promises.ts'
import type { RefusalCode } from '../record/command.ts'
import type { JsonObject } from '../record/json.ts'
import type { BadQuery } from '../record/query/query.ts'
import type { FieldErrors } from '../record/record.ts'
import type { Failure, Store } from '../store/store.ts'

/** Every problem code with its status and its default detail. */
const problems = {
  bad_host: [400, 'The Host header must name exactly one host.'],
  bad_json: [400, 'The body is not valid JSON for this request.'],
  bad_fields: [400, 'Some fields are invalid; see "errors".'],
  bad_parameter: [400, 'A query parameter is invalid.'],
  bad_form: [400, 'The form cannot be read. Reload the page and try again.'],
  key_reused: [400, 'This Idempotency-Key was used with a different body. Use a new key for a new request.'],
  too_many_records: [400, 'The selection has too many records. Narrow it.'],
  cut_off: [400, 'The connection was lost before the request was processed; nothing was changed.'],
  patch_impossible: [400, 'The patch cannot be applied.'],
  wrong_token: [401, 'The token is invalid. Check the Authorization header: "Token <key>" or "Bearer <key>".'],
  token_needed: [401, 'This request needs a token. Send "Authorization: Token <key>".'],
  session_needed: [401, 'Your session has ended. Sign in to continue.'],
  foreign_origin: [403, 'This form was not sent by a page of this site. Open the page and send it from there.'],
  wrong_form_token: [403, 'This form belongs to a session that has ended. Open its page again and send it from there.'],
  role_too_low: [403, 'The role of your token does not allow this.'],
  not_your_batch: [403, 'Only the author of a batch or an admin may stop or undo it.'],
  outside_event: [403, 'Your token is limited to certain events. This changes something outside of them.'],
  publisher_required: [403, 'Only publishers may change live records and publish drafts.'],
  no_such_path: [404, 'Nothing exists at this path.'],
  no_such_version: [404, 'This API version does not exist. Use /api/v2.'],
  no_such_format: [404, '"format" must be "json".'],
  not_found: [404, 'No such record.'],
  no_such_record_version: [404, 'The record has no such version.'],
  no_such_category_version: [404, 'No such category, or it has no such version.'],
  no_such_name_version: [404, 'No such speaker, or it has no such version.'],
  no_such_transcript: [404, 'The record has no transcript in this language.'],
  no_such_batch: [404, 'No such batch.'],
  no_such_finding: [404, 'The record does not have this finding.'],
  no_such_link: [404, 'No record has this address.'],
  no_such_page: [404, 'No such page.'],
  gone: [410, 'This record was permanently erased. Its id is never reused.'],
  wrong_method: [405, 'This method is not allowed here. See the Allow header.'],
  not_acceptable: [406, 'Only text/html and application/json are available. Check the Accept header.'],
  no_such_category: [404, 'No such category.'],
  no_such_name: [404, 'No such speaker or tag.'],
  other_store: [409, 'The store was restored or replaced. Start again at since=0.'],
  not_a_draft: [409, 'The record is live already. Only drafts can be published later.'],
  title_taken: [409, 'Another category has this title.'],
  name_taken: [409, 'Another speaker or tag has this name. Merge the two instead.'],
  merged: [409, 'This entry was merged into another. Use that one.'],
  same_entry: [409, 'Both are the same entry. Choose another one to merge into.'],
  draft_target: [409, 'The record to merge into is a draft. Publish it first.'],
  changed_since: [409, 'Somebody has changed this since. Read it again, then repeat the request.'],
  batch_done: [409, 'The batch is done and can no longer be stopped. Undo it instead.'],
  batch_running: [409, 'A running batch prevents this change. Retry when the batch is done.'],
  records_refused: [
    409,
    'Some records refuse the change; see "refused". Nothing was changed. Leave them out, or send "partial": true.',
  ],
  unexpected_count: [409, 'The number of selected records is not the expected one. Nothing was changed.'],
  patch_test_failed: [409, 'A test operation of the patch failed.'],
  stale: [412, 'The record does not meet the precondition. Read it again, then repeat the change.'],
  body_too_large: [413, 'The body is too large.'],
  target_too_long: [414, 'The URL is too long.'],
  wrong_body_type: [415, 'The body must be application/json in UTF-8, without Content-Encoding.'],
  too_many_wrong_tokens: [429, 'Too many invalid tokens from your IP address. Wait before you retry.'],
  too_many_writes: [429, 'This token has reached its limit of writes per minute. Wait before you retry.'],
  head_too_large: [431, 'The request headers are too large.'],
  internal: [500, 'Internal error.'],
  busy: [503, 'The store is busy; nothing was changed. Retry.'],
  down: [503, 'The store cannot be written at the moment; nothing was changed. Retry later.'],
  newer_schema: [
    503,
    'The store was upgraded by a newer version of this server; nothing was changed. Writes work again after a restart with that version.',
  ],
  unconfirmed: [
    503,
    'Too few database hosts answer to tell which one is the primary; nothing was changed. Reads work. Retry later.',
  ],
  late: [503, 'The request exceeded its time limit. Use fewer filters, no facets, or retry later.'],
  too_many_lists: [503, 'Too many lists are queued. Retry.'],
  overloaded: [
    503,
    'Too many large responses are waiting for slow readers. Request less with page_size, or retry later.',
  ],
  too_many_forms: [503, 'Too many forms are being sent without a session. Retry in a moment.'],
  too_many_streams: [503, 'Too many streams are open. Retry later.'],
  unreadable: [503, 'The store cannot be read at the moment. Retry.'],
  unknown: [
    503,
    'The outcome of this write is unknown: it may or may not have been stored. Read the record before you retry.',
  ],
  full: [507, 'The store is full; nothing was changed. Reads still work.'],
} as const satisfies { readonly [code: string]: readonly [number, string] } & Record<
  RefusalCode | Exclude<Failure, 'bug'>,
  readonly [number, string]
>

/** Clients match on these codes, so they never change; docs/glossary.md explains each. */
export const problemCodes: readonly string[] = Object.keys(problems)

/** The statuses of all problems. */
export const problemStatuses: readonly number[] = [
  ...new Set(Object.values(problems).map(([status]) => Number(status))),
].sort((a, b) => a - b)

type ProblemCode = keyof typeof problems

export interface Problem {
  readonly code: ProblemCode
  readonly detail?: string
  readonly errors?: FieldErrors
  /** Additional members of the body. */
  readonly more?: JsonObject
  readonly retryAfterSeconds?: number
  readonly headers?: { readonly [name: string]: string }
}

export function toStatus({ code }: Problem): number {
  return problems[code][0]
}

export function toSentence({ code, detail, errors }: Problem): string {
  if (detail !== undefined) return detail
  return (errors && toFirstError(errors)) ?? problems[code][1]
}

/** The first error with its field, and how many follow: many clients show nothing but `detail`. */
function toFirstError(errors: FieldErrors): string | null {
  const [first, ...others] = Array.from(errors).flatMap(([name, texts]) => texts.map((text) => ({ name, text })))
  if (first === undefined) return null
  const named = first.name === '' ? first.text : `${first.name}: ${first.text}`
  return others.length === 0 ? named : `${named} And ${others.length} more; see "errors".`
}

/** Thrown by a handler that refuses a request; the pipeline turns it into an answer. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}

/** Returns the result of a read; refuses the request if the store failed. */
export function requireRead<T extends object | null>(read: T | Failure): T {
  if (typeof read === 'string') throw new Refused(toReadFailure(read))
  return read
}

/** Busy query threads serve other clients first. */
const [retryMs, maxTries] = [500, 10] as const

/** Retries while query threads are busy; for long downloads, which would otherwise be cut off. */
export async function retryRead<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (tries === maxTries || signal.aborted || !isTemporary(error)) throw error
    }
    await Bun.sleep(retryMs)
  }
}

const isTemporary = (error: unknown) =>
  error instanceof Refused && (error.problem.code === 'too_many_lists' || error.problem.code === 'late')

function toReadFailure(failure: Failure): Problem {
  if (failure === 'down') return { code: 'unreadable' }
  return failure === 'busy' ? { code: 'too_many_lists' } : toWriteFailure(failure)
}

export function toWriteFailure(failure: Failure): Problem {
  return { code: failure === 'bug' ? 'internal' : failure }
}

export function toQueryProblem(bad: BadQuery): Problem {
  return bad.problem === 'no_such_page' ? { code: 'no_such_page' } : toParameterProblem(bad.errors)
}

export function toParameterProblem(errors: FieldErrors): Problem {
  return { code: 'bad_parameter', detail: [...errors.values()].flat().join(' '), errors }
}

/** Refuses a request for a missing record: 410 if it was erased, else 404. */
export function refuseMissing(store: Pick<Store, 'isErased'>, id: number): MaybePromise<never> {
  return andThen(store.isErased(id), (isErased): never => {
    throw new Refused({ code: isErased ? 'gone' : 'not_found' })
  })
}
