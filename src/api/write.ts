import { isUtf8 } from 'node:buffer'
import { judgeBodyType, parseObjectBody, readBody } from '../http/body.ts'
import type { Answer, Call } from '../http/call.ts'
import { toETag } from '../http/conditional.ts'
import type { Logger } from '../http/logger.ts'
import type { Problem } from '../http/problem.ts'
import type { Command } from '../record/command.ts'
import { parseReason } from '../record/reason.ts'
import type { Failure, Outcome, Store, StoredRecord } from '../store/store.ts'
import { toBadParameter } from './bad-query.ts'
import { toWriteFailure } from './failed.ts'
import { actionHeaders, contentTypes, itemHeaders, listHeaders } from './path-headers.ts'

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * Sends a command, unless the caller's connection is lost. Bun calls us before it looks at what stands behind a body. By
 * the next turn it has, and where that is no request it has answered 400 and closed the connection (ADR 35).
 */
export async function executeFor(call: Call, store: Pick<Store, 'execute'>, command: Command): Promise<Outcome> {
  await nextTurn()
  if (call.request.signal.aborted) return { is: 'refused', refusal: { code: 'cut_off' } }
  return store.execute(command)
}

/** Runs a command; a change is answered with the record, and said in the log. */
export async function execute(
  needs: { readonly store: Store; readonly log: Logger },
  call: Call,
  command: Command,
  toResponse: (stored: StoredRecord, counter?: number) => Response,
): Promise<Answer> {
  const outcome = await executeFor(call, needs.store, command)
  switch (outcome.is) {
    case 'stored':
      logWrite(needs.log, call, command, outcome)
      return toResponse(outcome.stored, outcome.counter)
    case 'unchanged':
    case 'repeated':
      return toResponse(outcome.stored)
    case 'dry run':
      return toDryRun(outcome.body, call, command)
    case 'batch':
    case 'category':
      throw new Error('a record command was answered like a batch')
    case 'refused':
      return outcome.refusal
    case 'failed':
      logFailure(needs.log, call, command, outcome.failure)
      return toWriteFailure(outcome.failure)
  }
}

/** What would be stored has neither version nor address yet. */
function toDryRun(body: Uint8Array, call: Call, command: Command): Response {
  const isItem = command.kind !== 'create' && command.kind !== 'restore'
  const headers = new Headers(isItem ? itemHeaders : command.kind === 'create' ? listHeaders : actionHeaders)
  headers.set('Content-Type', contentTypes[isItem ? call.representation : 'json'])
  headers.set('Cache-Control', 'private, no-store')
  return new Response(body, { headers })
}

/**
 * A record that was stored at another path than its own. Without Location: a client that follows it without its token
 * would find a fresh draft missing.
 */
export function toStoredResponse(stored: StoredRecord, pathHeaders: Headers, location: string, status = 200): Response {
  const headers = new Headers(pathHeaders)
  headers.set('Content-Type', contentTypes.json)
  headers.set('ETag', toETag(stored.versionTag, 'json'))
  headers.set('Cache-Control', 'private, no-store')
  headers.set('Content-Location', location)
  return new Response(stored.body, { status, headers })
}

/** `dry_run=1`: judge everything, store nothing. */
function parseDryRun(call: Call): { readonly isDryRun?: true } | Problem {
  if (!call.url.includes('?')) return {}
  const value = call.query().get('dry_run')
  if (value === null || value === '' || value === '0') return {}
  if (value === '1') return { isDryRun: true }
  return toBadParameter(new Map([['dry_run', ['dry_run must be 1, or be left out.']]]))
}

/** `Change-Reason`: why, in the caller's words. Headers are bytes; those that are UTF-8 are read so. */
function readReason({ head }: Call): { readonly reason?: string } | Problem {
  if (head.reason === undefined) return {}
  const bytes = Buffer.from(head.reason, 'latin1')
  const parsed = parseReason(isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1'))
  if (!parsed.ok) return { code: 'bad_parameter', detail: `Change-Reason: ${parsed.problems.join(' ')}` }
  return parsed.value === null ? {} : { reason: parsed.value }
}

/** What every write may say of itself. */
export function parseWriteOptions(call: Call): { readonly isDryRun?: true; readonly reason?: string } | Problem {
  const dryRun = parseDryRun(call)
  if ('code' in dryRun) return dryRun
  const reason = readReason(call)
  return 'code' in reason ? reason : { ...dryRun, ...reason }
}

/** The client's own name for a wish, so that asking twice does not make two. */
export function parseIdempotencyKey(call: Call): { readonly idempotencyKey?: string } | Problem {
  const { idempotencyKey } = call.head
  if (idempotencyKey === undefined || idempotencyKey === '') return {}
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return { idempotencyKey }
  return { code: 'bad_parameter', detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.' }
}

/** What a POST to a list asks for, in the order in which it is judged: its body is one JSON object. */
export async function readPosted(call: Call, maxBodyBytes: number) {
  const type = judgeBodyType(call.head, ['application/json'])
  if (typeof type !== 'string') return type
  const bytes = await readBody(call.request, call.head, maxBodyBytes)
  if ('code' in bytes) return bytes
  const wish = parseWriteOptions(call)
  if ('code' in wish) return wish
  const key = parseIdempotencyKey(call)
  if ('code' in key) return key
  const body = parseObjectBody(bytes)
  return 'code' in body ? body : { body: body.value, ...wish, ...key }
}

type Stored = Extract<Outcome, { is: 'stored' }>

function logWrite(log: Logger, call: Call, command: Command, { stored, changed }: Stored): void {
  const { kind, author } = command
  const fields = kind === 'create' ? undefined : changed
  log.info('write', {
    kind,
    id: stored.id,
    version: stored.version,
    by: author.name,
    fields,
    requestId: call.requestId(),
  })
}

export function logFailure(log: Logger, call: Call, { kind, author }: Command, failure: Failure): void {
  log.warn('write failed', { kind, by: author.name, failure, requestId: call.requestId() })
}

/** Whom a write is by; the route's role has made sure that there is somebody. */
export function toAuthor(call: Call): Command['author'] {
  const caller = call.caller()
  if (caller === null) throw new Error('a write without a caller')
  return { name: caller.name, role: caller.role }
}
