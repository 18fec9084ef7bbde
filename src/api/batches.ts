import { readBody, requireBodyType } from '../http/body.ts'
import { toPrecondition } from '../http/conditional.ts'
import { executeBatch, logBatch, stopBatch, type WriteDeps } from '../http/execute.ts'
import type { Logger } from '../http/logger.ts'
import { type Problem, Refused, refuseMissing, requireRead, toParameterProblem } from '../http/problem.ts'
import { json } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import type {
  MergeCategoriesCommand,
  MergeNamesCommand,
  MergeRecordsCommand,
  Refusal,
  UndoCommand,
} from '../record/command.ts'
import { isStale } from '../record/decide.ts'
import { toAsciiJson } from '../record/json.ts'
import { parseBulk, parseRecordMerge, parseUndo } from '../record/parse-bulk.ts'
import { hasRole } from '../record/role.ts'

import type { BatchReport } from '../store/batch-reads.ts'
import type { Store } from '../store/store.ts'
import { answerPage, type ReadDeps, toLogPage, toSingleAnswer, withZone } from './envelope.ts'
import { readIdempotencyKey, readPosted, readWriteOptions, requireAuthor, requireObject } from './write.ts'

export interface BatchHandlerDeps extends ReadDeps {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
}

/** Changes of many records, newest first (decision 74). */
export function listBatches(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  return answerPage(call, baseUrl, 'all', async (paging) =>
    toLogPage(requireRead(await store.listBatches({ ...paging, by: toListedAuthor(call), id: null }, call.signal))),
  )
}

const notYoursToSee = "This needs a publisher's token, or that of the batch's author."

/** One batch with its progress. */
export async function readBatch(call: Call<'id'>, { store }: Pick<ReadDeps, 'store'>): Promise<TextAnswer> {
  const id = Number(call.params.id)
  const { lines } = requireRead(await store.listBatches({ page: 1, pageSize: 1, by: null, id }, call.signal))
  const [batch] = lines
  if (batch === undefined) throw new Refused({ code: 'no_such_batch' })
  const author = toListedAuthor(call)
  if (author !== null && author !== batch.by) throw new Refused({ code: 'not_your_batch', detail: notYoursToSee })
  return toSingleAnswer(call, [toAsciiJson(withZone(batch))])
}

export async function undoBatch(call: HttpCall<'id'>, deps: BatchHandlerDeps): Promise<TextAnswer> {
  const author = requireAuthor(call)
  const given = await readReason(call, deps)
  const options = { ...readWriteOptions(call), ...readIdempotencyKey(call), ...given }
  return answerBatch(call, deps, { kind: 'undo', batch: Number(call.params.id), author, ...options })
}

/** Executes a command that makes a batch, and answers with it. */
export async function answerBatch(
  call: HttpCall,
  deps: WriteDeps & Pick<ReadDeps, 'baseUrl'>,
  command: UndoCommand | MergeNamesCommand | MergeCategoriesCommand | MergeRecordsCommand,
  explain?: (refusal: Refusal) => Promise<Problem>,
): Promise<TextAnswer> {
  const { batch } = await executeBatch(deps, call, command, explain)
  if (command.isDryRun !== true) logBatch(deps.log, call, batch)
  return toBatchAnswer(call, batch, deps.baseUrl(call))
}

/** 200 once it has stopped, and for a dry run; 202 if that takes longer. */
export async function stopRunningBatch(call: HttpCall<'id'>, deps: BatchHandlerDeps): Promise<TextAnswer> {
  const { isDryRun = false } = readWriteOptions(call)
  const batch = await stopBatch(deps, call, { id: Number(call.params.id), author: requireAuthor(call), isDryRun })
  if (!isDryRun) logBatch(deps.log, call, batch)
  const headers = { 'Content-Location': `${deps.baseUrl(call)}/api/v2/batches/${batch.id}` }
  return json(call, toAsciiJson(withZone(batch)), 'private', {
    status: batch.state === 'running' && !isDryRun ? 202 : 200,
    headers,
  })
}

/** 202 for a batch that is not done yet; its URL shows the progress. */
export function toBatchAnswer(call: Call, batch: BatchReport, base: string, doneStatus = 200): TextAnswer {
  const headers = batch.id === null ? {} : { 'Content-Location': `${base}/api/v2/batches/${batch.id}` }
  return json(call, toAsciiJson(withZone(batch)), 'private', {
    status: batch.state === 'done' ? doneStatus : 202,
    headers,
  })
}

/** Changes many records in one transaction: all of them or none (decision 51). */
export function postBatch(call: HttpCall, deps: BatchHandlerDeps): Promise<TextAnswer> {
  return runBulk(call, deps, parseBulk)
}

/** A bulk change whose body `parse` reads. */
export async function runBulk(call: HttpCall, deps: BatchHandlerDeps, parse: typeof parseBulk): Promise<TextAnswer> {
  const author = requireAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const after = readAfter(call, options.isDryRun === true)
  const parsed = parse(body, options.isDryRun === true)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const { request, reason } = parsed
  // A reason in the body wins over the header.
  const command = {
    kind: 'bulk',
    author,
    request,
    ...after,
    ...options,
    ...(reason === null ? {} : { reason }),
  } as const
  const { batch, preview } = await executeBatch(deps, call, command)
  if (preview !== undefined) {
    const { differences, next, as_of } = preview
    return json(call, toAsciiJson({ ...withZone(batch), differences, next, as_of }), 'private')
  }
  if (batch.id !== null) logBatch(deps.log, call, batch)
  return toBatchAnswer(call, batch, deps.baseUrl(call), batch.id === null ? 200 : 201)
}

/** Makes a record a draft whose page leads to another one, which takes over some fields (decision 86). */
export async function mergeRecord(call: HttpCall<'id'>, deps: BatchHandlerDeps): Promise<TextAnswer> {
  const author = requireAuthor(call)
  const id = Number(call.params.id)
  const stored = (await deps.store.read(id)) ?? (await refuseMissing(deps.store, id))
  requireBodyType(call.head, ['application/json'])
  const bytes = await readBody(call, deps.maxBodyBytes)
  const options = { ...readWriteOptions(call), ...readIdempotencyKey(call) }
  const precondition = toPrecondition(call.head)
  // A request with a key may be a repeated one, whose own change has made it stale.
  if (options.idempotencyKey === undefined && isStale(precondition, stored)) throw new Refused({ code: 'stale' })
  const parsed = parseRecordMerge(requireObject(bytes))
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const { into, take } = parsed
  return answerBatch(call, deps, { kind: 'merge records', id, into, take, precondition, author, ...options })
}

/** `after`: the next differences of a dry run. */
function readAfter(call: Call, isDryRun: boolean): { readonly after?: number } {
  const text = call.query().get('after') ?? ''
  if (text === '') return {}
  if (isDryRun && /^\d{1,15}$/.test(text)) return { after: Number(text) }
  const problem = isDryRun ? 'after must be the id of a record.' : 'after is for dry runs only (dry_run=1).'
  throw new Refused(toParameterProblem(new Map([['after', [problem]]])))
}

/** Publishers see all batches, others their own. */
function toListedAuthor(call: Call): string | null {
  const { name, role } = requireAuthor(call)
  return hasRole(role, 'publisher') ? null : name
}

/** The body of an undo is optional. A reason in it wins over the header. */
async function readReason(call: HttpCall, { maxBodyBytes }: BatchHandlerDeps): Promise<{ readonly reason?: string }> {
  const bytes = await readBody(call, maxBodyBytes)
  if (bytes.byteLength === 0) return {}
  requireBodyType(call.head, ['application/json'])
  const parsed = parseUndo(requireObject(bytes))
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  return parsed.reason === null ? {} : { reason: parsed.reason }
}
