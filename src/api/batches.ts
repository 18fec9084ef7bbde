import type { Answer, Call, Route } from '../http/call.ts'
import type { Log } from '../http/log.ts'
import type { UndoCommand } from '../record/command.ts'
import { toAsciiJson } from '../record/json-body.ts'
import { maxUndoneAtOnce, type Outcome, type Store } from '../store/store.ts'
import type { BaseUrl } from './base-url.ts'
import { toFailed } from './failed.ts'
import { toId } from './item.ts'
import { answerPage, readLines } from './page-answer.ts'
import { actionHeaders, readHeaders } from './path-headers.ts'
import { toDescribe, toDescribedRoute } from './read-route.ts'
import { executeFor, parseWish, toAuthor } from './write.ts'

export interface BatchNeeds {
  readonly store: Store
  readonly log: Log
  readonly baseUrl: BaseUrl
}

const path = '/api/v2/batches'
const shape = { name: 'other', negotiates: true } as const

/** `/api/v2/batches`: changes of many records at once, newest first, and the way to undo them. */
export function createBatchRoutes(needs: BatchNeeds): Route[] {
  const { store, baseUrl } = needs
  const list = (call: Call) =>
    answerPage(call, { baseUrl, path, sight: 'all' }, (paging) =>
      readLines(store.listBatches(paging, call.request.signal)),
    )
  return [
    toDescribedRoute({ ...shape, path, headers: readHeaders }, { role: 'admin', run: list }),
    createUndoRoute(needs),
  ]
}

function createUndoRoute({ store, log }: BatchNeeds): Route {
  const undoPath = `${path}/:id/undo`

  async function undo(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const batch = Number(call.parameter)
    const wish = parseWish(call)
    if ('code' in wish) return wish
    const outcome = await undoAll(call, store, { kind: 'undo', batch, author, ...wish })
    if (outcome.is === 'refused') return outcome.refusal
    if (outcome.is === 'failed') return toFailed(outcome.failure)
    const { ids, left } = outcome
    const requestId = call.requestId()
    log.info('write', {
      kind: 'undo',
      undoes: batch,
      batch: outcome.batch,
      by: author.name,
      records: ids.length,
      requestId,
    })
    const headers = new Headers(actionHeaders)
    headers.set('Content-Type', 'application/json')
    headers.set('Cache-Control', 'private, no-store')
    return new Response(toAsciiJson({ batch: outcome.batch, undoes: batch, restored: ids, left }), { headers })
  }

  return {
    ...shape,
    path: undoPath,
    acceptsParameter: (value) => toId(value) !== null,
    allow: actionHeaders.get('Allow') ?? '',
    headers: actionHeaders,
    methods: { POST: { role: 'admin', run: undo }, OPTIONS: toDescribe(undoPath, actionHeaders) },
  }
}

type Undone = Extract<Outcome, { is: 'undone' | 'refused' | 'failed' }>

/** Slice by slice. Where one fails, what was put back so far stays; asking again puts back the rest. */
async function undoAll(call: Call, store: Store, command: UndoCommand): Promise<Undone> {
  const first = await executeFor(call, store, command)
  if (first.is === 'refused' || first.is === 'failed') return first
  if (first.is !== 'undone') return fail(first.is)
  const [ids, left] = [[...first.ids], [...first.left]]
  for (let at = 0; at < first.rest.length && first.batch !== null; at += maxUndoneAtOnce) {
    const rest = { into: first.batch, ids: first.rest.slice(at, at + maxUndoneAtOnce) }
    const next = await store.execute({ ...command, rest })
    if (next.is !== 'undone') return next.is === 'failed' ? next : fail(next.is)
    ids.push(...next.ids)
    left.push(...next.left)
  }
  return { ...first, ids, left }
}

function fail(is: Outcome['is']): never {
  throw new Error(`an undo was answered like another command: ${is}`)
}
