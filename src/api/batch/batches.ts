import type { Answer, Call, Route } from '../../http/call.ts'
import type { Logger } from '../../http/logger.ts'
import { hasRole } from '../../record/command.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { BatchReport } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { toReadFailure, toWriteFailure } from '../failed.ts'
import { parseRecordId } from '../item/item.ts'
import { toListResponse } from '../list/envelope.ts'
import { answerPage, readLines } from '../list/page-answer.ts'
import { actionHeaders, readHeaders } from '../path-headers.ts'
import { toDescribe, toDescribedRoute } from '../read-route.ts'
import { executeFor, parseIdempotencyKey, parseWriteOptions, toAuthor } from '../write.ts'

export interface BatchNeeds {
  readonly store: Store
  readonly log: Logger
  readonly baseUrl: BaseUrl
}

const path = '/api/v2/batches'
const shape = { name: 'other', negotiates: true } as const

/** `/api/v2/batches`: changes of many records at once, newest first, and the way to undo them. */
export function createBatchRoutes(needs: BatchNeeds): Route[] {
  const { store, baseUrl } = needs
  const list = (call: Call) =>
    answerPage(call, { baseUrl, path, sight: 'all' }, (paging) =>
      readLines(store.listBatches({ ...paging, by: toListedAuthor(call), id: null }, call.request.signal)),
    )
  return [
    toDescribedRoute({ ...shape, path, headers: readHeaders }, { role: 'reader', run: list }),
    createBatchRoute(needs),
    createUndoRoute(needs),
  ]
}

/** Publishers see all batches, others their own. */
function toListedAuthor(call: Call): string | null {
  const { name, role } = toAuthor(call)
  return hasRole(role, 'publisher') ? null : name
}

const acceptsParameter = (value: string) => parseRecordId(value) !== null

/** `/api/v2/batches/<id>`: one of them, and how far it is. */
function createBatchRoute({ store }: BatchNeeds): Route {
  async function get(call: Call): Promise<Answer> {
    const id = Number(call.parameter)
    const found = await store.listBatches({ page: 1, pageSize: 1, by: null, id }, call.request.signal)
    if (typeof found === 'string') return toReadFailure(found)
    const [batch] = found.lines
    if (batch === undefined) return { code: 'no_such_batch' }
    const author = toListedAuthor(call)
    if (author !== null && author !== batch.by) return { code: 'not_your_batch', detail: notYoursToSee }
    return toListResponse(call, [toAsciiJson(batch)], 'all', readHeaders)
  }
  const route = { ...shape, path: `${path}/:id`, headers: readHeaders, acceptsParameter }
  return toDescribedRoute(route, { role: 'reader', run: get })
}

const notYoursToSee = 'Only the author of a batch or a publisher may see it.'

function createUndoRoute({ store, log, baseUrl }: BatchNeeds): Route {
  const undoPath = `${path}/:id/undo`

  async function undo(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const batch = Number(call.parameter)
    const wish = parseWriteOptions(call)
    if ('code' in wish) return wish
    const key = parseIdempotencyKey(call)
    if ('code' in key) return key
    const outcome = await executeFor(call, store, { kind: 'undo', batch, author, ...wish, ...key })
    if (outcome.is === 'refused') return outcome.refusal
    if (outcome.is === 'failed') return toWriteFailure(outcome.failure)
    if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`an undo was answered by ${outcome.is}`)
    if (wish.isDryRun !== true) logBatch(log, call, outcome.batch)
    return toBatchResponse(outcome.batch, actionHeaders, baseUrl(call))
  }

  return {
    ...shape,
    path: undoPath,
    acceptsParameter,
    allow: actionHeaders.get('Allow') ?? '',
    headers: actionHeaders,
    // Who is not its author learns what it takes from the batch itself.
    methods: { POST: { role: 'reader', run: undo }, OPTIONS: toDescribe(undoPath, actionHeaders) },
  }
}

/** 202 for what is not done yet: its own address tells how far it is. */
export function toBatchResponse(batch: BatchReport, pathHeaders: Headers, base: string): Response {
  const headers = new Headers(pathHeaders)
  headers.set('Content-Type', 'application/json')
  headers.set('Cache-Control', 'private, no-store')
  if (batch.id !== null) headers.set('Content-Location', `${base}${path}/${batch.id}`)
  return new Response(toAsciiJson(batch), { status: batch.state === 'done' ? 200 : 202, headers })
}

export function logBatch(log: Logger, call: Call, { kind, id, undoes, state, changed, by }: BatchReport): void {
  log.info('write', { kind, batch: id, undoes, state, by, records: changed, requestId: call.requestId() })
}
