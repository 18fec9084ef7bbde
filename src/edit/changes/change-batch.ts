import { execute, logBatch, stopBatch } from '../../http/execute.ts'
import { Refused, toSentence, toStatus } from '../../http/problem.ts'
import type { Form, HttpCall, TextAnswer } from '../../http/route.ts'
import type { UndoCommand } from '../../record/command.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { BatchReport } from '../../store/change-log.ts'
import { requireCaller, requireForm, seeOther, toAuthor } from '../edit-page.tsx'
import { readList } from '../talk-pages.ts'
import { respondBatch } from './batch.tsx'
import { maxNotes, readBatchView, readTitles } from './batch-view.ts'
import { changesTexts } from './changes-texts.ts'

/** `POST /edit/batches/<id>` with `do=undo` or `do=stop`. */
export async function changeBatch(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  return form.get('do') === 'stop' ? stopShown(call, deps) : undoShown(call, deps, form)
}

/** The page of the batch says how far it has got. */
async function stopShown(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const id = Number(call.params.id)
  try {
    logBatch(deps.log, call, await stopBatch(deps, call, { id, author: toAuthor(requireCaller(call)) }))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return showUnchanged(call, deps, { status: toStatus(error.problem), text: toSentence(error.problem) })
  }
  const { urls } = await openSite(call, deps)
  return seeOther(call, urls.batch(id, { list: readList(call) }))
}

/** The page of the new batch says what could not be undone. */
async function undoShown(call: HttpCall<'id'>, deps: SiteHttpDeps, form: Form): Promise<TextAnswer> {
  const author = toAuthor(requireCaller(call))
  const key = form.get('key') ?? ''
  if (form.get('do') !== 'undo' || !/^[\w-]{1,100}$/.test(key)) throw new Refused({ code: 'bad_form' })
  const batch = Number(call.params.id)
  const undone = await tryUndo(call, deps, { kind: 'undo', batch, author, idempotencyKey: key })
  if (undone.is === 'refused') return showUnchanged(call, deps, undone)
  const { id } = undone.report
  if (id === null) {
    const text = changesTexts.batch.nothingUndone
    return showUnchanged(call, deps, { status: 200, text, left: undone.report })
  }
  logBatch(deps.log, call, undone.report)
  const { urls } = await openSite(call, deps)
  return seeOther(call, urls.batch(id, { done: 1, list: readList(call) }))
}

type Undone =
  | { readonly is: 'undone'; readonly report: BatchReport }
  | { readonly is: 'refused'; readonly status: number; readonly text: string }

async function tryUndo(call: HttpCall, deps: SiteHttpDeps, command: UndoCommand): Promise<Undone> {
  try {
    const outcome = await execute(deps, call, command)
    if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`an undo had the outcome ${outcome.is}`)
    return { is: 'undone', report: outcome.batch }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { is: 'refused', status: toStatus(error.problem), text: toSentence(error.problem) }
  }
}

interface Unchanged {
  readonly status: number
  readonly text: string
  /** What an undo left as it is. */
  readonly left?: Pick<BatchReport, 'left' | 'left_count' | 'others'>
}

/** The page of the batch again, with the reason why nothing was undone or stopped. */
async function showUnchanged(
  call: HttpCall<'id'>,
  deps: SiteHttpDeps,
  { status, text, left }: Unchanged,
): Promise<TextAnswer> {
  const caller = requireCaller(call)
  const site = await openSite(call, deps)
  const view = await readBatchView(deps.store, caller, Number(call.params.id), 0)
  const named = left?.left.slice(0, maxNotes).map(({ id }) => id) ?? []
  const notUndone = left === undefined ? null : { ...left, titles: await readTitles(deps.store, named) }
  const shown = { site, caller, view, list: readList(call) }
  return { ...respondBatch(call, { ...shown, isJustDone: false, problem: text, notUndone }), status }
}
