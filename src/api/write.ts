import { isUtf8 } from 'node:buffer'
import { parseObjectBody, readBody, requireBodyType } from '../http/body.ts'
import { toETag } from '../http/conditional.ts'
import { execute, logWrite, type WriteDeps } from '../http/execute.ts'
import { type Problem, Refused, toParameterProblem } from '../http/problem.ts'
import { contentTypes, toBytesAnswer, toHeaders } from '../http/respond.ts'
import { type Answer, type Call, type HttpCall, toAuthor } from '../http/route.ts'
import { type Command, parseReason, type Refusal } from '../record/command.ts'
import type { JsonObject } from '../record/json.ts'
import type { StoredRecord } from '../store/store.ts'

/** Executes a command on one record, and logs a change. */
export async function executeOnRecord(
  deps: WriteDeps,
  call: HttpCall,
  command: Command,
  toAnswer: (stored: StoredRecord, counter?: number) => Answer,
  explain?: (refusal: Refusal) => Promise<Problem>,
): Promise<Answer> {
  const outcome = await execute(deps, call, command, explain)
  switch (outcome.is) {
    case 'stored':
      logWrite(deps.log, call, command, outcome)
      return toAnswer(outcome.stored, outcome.counter)
    case 'unchanged':
    case 'repeated':
      return toAnswer(outcome.stored)
    case 'dry run':
      return toDryRun(call, command, outcome.body)
    case 'batch':
    case 'category':
    case 'dismissal':
    case 'acceptance':
    case 'hiding':
    case 'schedule':
    case 'companion':
    case 'links':
    case 'link':
    case 'sessions':
      throw new Error(`a command on one record had the outcome of another: ${outcome.is}`)
  }
}

/**
 * The answer to a POST that stored a record. It has no Location: a client that follows it without its token would get
 * 404 for a new draft.
 */
export function toStoredAnswer({ route }: Call, stored: StoredRecord, location: string, status = 200): Answer {
  const headers = toHeaders(route.headers, contentTypes.json, 'private')
  headers.set('ETag', toETag(stored.versionTag, 'json'))
  headers.set('Content-Location', location)
  return toBytesAnswer(stored.body, { status, headers })
}

interface WriteOptions {
  readonly isDryRun?: true
  readonly reason?: string
}

/** Options that every write has. */
export function readWriteOptions(call: Call): WriteOptions {
  return { ...readDryRun(call), ...readReason(call) }
}

/** A key the client chooses for a request, so that repeating the request does not execute it twice. */
export function readIdempotencyKey({ head }: Call): { readonly idempotencyKey?: string } {
  const { idempotencyKey } = head
  if (idempotencyKey === undefined || idempotencyKey === '') return {}
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return { idempotencyKey }
  const detail = 'Idempotency-Key must have 1 to 255 visible ASCII characters.'
  throw new Refused({ code: 'bad_parameter', detail })
}

/** The body and options of a POST to a list, checked in the contract's order. */
export async function readPosted(call: HttpCall, maxBodyBytes: number) {
  requireBodyType(call.head, ['application/json'])
  const bytes = await readBody(call, maxBodyBytes)
  const options = { ...readWriteOptions(call), ...readIdempotencyKey(call) }
  return { body: requireObject(bytes), options }
}

export function requireObject(bytes: Uint8Array): JsonObject {
  const body = parseObjectBody(bytes)
  if (!body.ok) throw new Refused(body.problem)
  return body.value
}

/** The author of a write. Routes of writes require a role, so there is a caller. */
export function requireAuthor(call: Call): Command['author'] {
  const caller = call.caller()
  if (caller === null) throw new Error('a write without a caller')
  return toAuthor(caller)
}

/** The record as it would be stored: without a version or URL yet. */
function toDryRun({ route, representation }: Call, { kind }: Command, body: Uint8Array): Answer {
  const type = contentTypes[kind === 'create' || kind === 'restore' ? 'json' : representation]
  return toBytesAnswer(body, { status: 200, headers: toHeaders(route.headers, type, 'private') })
}

/** `dry_run=1`: validate without storing. */
function readDryRun(call: Call): Pick<WriteOptions, 'isDryRun'> {
  if (!call.url.includes('?')) return {}
  const value = call.query().get('dry_run')
  if (value === null || value === '' || value === '0') return {}
  if (value === '1') return { isDryRun: true }
  throw new Refused(toParameterProblem(new Map([['dry_run', ['dry_run must be 1, or be left out.']]])))
}

/** `Change-Reason`. Headers are bytes: decoded as UTF-8 if valid, else as Latin-1. */
function readReason({ head }: Call): Pick<WriteOptions, 'reason'> {
  if (head.reason === undefined) return {}
  const bytes = Buffer.from(head.reason, 'latin1')
  const parsed = parseReason(isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1'))
  if (!parsed.ok) throw new Refused({ code: 'bad_parameter', detail: `Change-Reason: ${parsed.problems.join(' ')}` })
  return parsed.value === null ? {} : { reason: parsed.value }
}
