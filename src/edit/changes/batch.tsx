import type { Child } from '#jsx/jsx-runtime'
import { executeBatch, logBatch, stopBatch } from '../../http/execute.ts'
import { Refused, toSentence, toStatus } from '../../http/problem.ts'
import { type Call, type Caller, type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import type { UndoCommand } from '../../record/command.ts'
import { hasRole, mayStop, mayUndo } from '../../record/role.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { BatchLine, BatchReport } from '../../store/batch-reads.ts'
import { isCountTyped, respondQuestion } from '../big-step.tsx'
import { bulkUnsavedKey } from '../bulk/bulk-form.tsx'
import {
  DateTime,
  PostForm,
  renderEditPage,
  requireCaller,
  requireForm,
  respondEditPage,
  seeOther,
} from '../edit-page.tsx'
import { readList } from '../lists/list-place.ts'
import { toListHref } from '../lists/list-query.ts'
import { isOwnSave } from '../save/notices.tsx'
import { BatchNotes, BatchTalks, LeftList, type NotUndone, toOtherLabel } from './batch-notes.tsx'
import { BatchSentence, countRefusedRows, toBatchText, toDoneText, toUndoneText } from './batch-sentence.tsx'
import {
  type BatchView,
  findBatch,
  findContent,
  findUndoneTalks,
  listOpenDrafts,
  maxNotes,
  readBatchView,
  readTitles,
  type UndoneTalks,
} from './batch-view.ts'
import { StopForm, toProgressText, UndoForm } from './batches.tsx'

const refreshSeconds = 3

/** `/edit/batches/<id>`: what a batch changed, its progress, and its undo. `?done=1` follows the change itself. */
export async function showBatch(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const query = call.query()
  const after = query.get('after') ?? '0'
  if (!/^\d{1,15}$/.test(after)) throw new Refused({ code: 'no_such_page' })
  const view = await readBatchView(deps.store, requireCaller(call), Number(call.params.id), Number(after))
  return respondBatch(call, await readBatchPage(call, deps, view, query.get('done') === '1'))
}

/** `isDone`: whether the change has just been made. */
export async function readBatchPage(
  call: Call,
  deps: SiteDeps,
  view: BatchView,
  isDone: boolean,
): Promise<BatchPageProps> {
  const caller = requireCaller(call)
  const { state, undone_by } = view.batch
  const isJustDone = isDone && state === 'done' && undone_by === null
  return {
    ...{ site: await openSite(call, deps), caller, view, list: readList(call), isJustDone },
    drafts: await listOpenDrafts(deps.store, view.batch),
    ...(isJustDone && isOwnBulk(view.batch, caller) ? { saved: bulkUnsavedKey } : {}),
    ...(isJustDone ? { undone: await findUndoneTalks(deps.store, view) } : {}),
  }
}

const isOwnBulk = (batch: BatchLine, caller: Caller) => batch.kind === 'bulk' && isOwnSave(batch, caller)

interface BatchPageProps {
  readonly site: Site
  readonly caller: Caller
  readonly view: BatchView
  /** The work list whose talks were changed, to return to it. */
  readonly list: string | null
  readonly isJustDone: boolean
  /** The talks that a table created and that can be published. */
  readonly drafts: readonly number[]
  /** Right after an undo. */
  readonly undone?: UndoneTalks
  /** The key of the unsaved form that the browser may drop. */
  readonly saved?: string
  /** Why it was not undone. */
  readonly problem?: string
  /** What an undo that changed nothing could not undo. */
  readonly notUndone?: NotUndone
  /** What follows from the change, such as rows that were left out. */
  readonly more?: Child
}

/** The page of a running batch refreshes itself, without a script. */
export function respondBatch(call: Call, props: BatchPageProps): TextAnswer {
  const { site, caller, view } = props
  const html = renderEditPage(
    { site, caller, section: 'batches' },
    toBatchText({ content: view.content, talks: view.batch.changed }),
    <BatchPage {...props} />,
  )
  return respondEditPage(call, html, view.batch.state === 'running' ? { Refresh: String(refreshSeconds) } : {})
}

/** `POST /edit/batches/<id>` with `do=undo` or `do=stop`. */
export async function changeBatch(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  return form.get('do') === 'stop' ? stop(call, deps) : undo(call, deps, form)
}

function BatchPage(props: BatchPageProps) {
  const { site, view, list, problem, notUndone, more } = props
  const { batch } = view
  return (
    <div class="edit-page">
      <header class="change-head">
        <p class="muted steps">
          {list !== null && (
            <a href={toListHref(site.urls, new URLSearchParams(list))} data-changed-list={list}>
              Back to the work list
            </a>
          )}
          <a href={site.urls.batches()}>All bulk changes</a>
          <span>Bulk change {batch.id}</span>
        </p>
        <h1>
          <BatchSentence content={view.content} talks={batch.changed} />
        </h1>
      </header>
      {problem !== undefined && (
        <p class="edit-problem" role="alert">
          {problem}
        </p>
      )}
      {notUndone !== undefined && <LeftList site={site} title="Not undone" {...notUndone} />}
      <BatchState {...props} />
      {more}
      <BatchFacts {...props} />
      <BatchNotes site={site} view={view} />
      <BatchTalks site={site} view={view} />
    </div>
  )
}

/** The progress of the batch, and what the caller can do about it. */
function BatchState(props: BatchPageProps) {
  const { site, view, isJustDone, saved, undone } = props
  const { batch } = view
  const text = toStateText(props)
  return (
    <div
      class={isJustDone ? 'batch-state is-done' : 'batch-state'}
      role={isJustDone ? 'status' : undefined}
      data-saved={saved}
    >
      {text !== null && <p>{text}</p>}
      {undone !== undefined && undone.event !== null && (
        <p>
          The event <bdi>{undone.event}</bdi> has no other talks. It is no longer listed under Names.
        </p>
      )}
      {batch.state === 'running' && <Progress {...props} />}
      {batch.state === 'stopped' && (
        <p>
          {batch.changed > 0
            ? 'It was stopped before it finished. Undo it, or send the same change again to finish it.'
            : 'It was stopped, and nothing was changed. Send the same change again to make it.'}
        </p>
      )}
      {batch.undone_by !== null && (
        <p>
          Undone by <a href={site.urls.batch(batch.undone_by)}>bulk change {batch.undone_by}</a>.
        </p>
      )}
      <PublishCreated {...props} />
      <Undo {...props} />
    </div>
  )
}

/** Leads to the preview of a bulk change, which asks first and can be undone. */
function PublishCreated({ site, caller, drafts }: BatchPageProps) {
  if (!mayPublishCreated(caller, drafts)) return null
  return (
    <PostForm caller={caller} action={site.urls.bulk()} hidden={{ id: drafts.join(',') }}>
      <button type="submit" name="do" value="publish" class="button">
        {drafts.length === 1 ? 'Publish this draft …' : `Publish these ${toNumber(drafts.length)} drafts …`}
      </button>
    </PostForm>
  )
}

const mayPublishCreated = (caller: Caller, drafts: readonly number[]) =>
  drafts.length > 0 && hasRole(caller.role, 'publisher')

function Progress({ site, caller, view: { batch }, list }: BatchPageProps) {
  const href = site.urls.batch(batch.id, { list })
  return (
    <>
      <progress value={batch.done} max={Math.max(1, batch.total)} aria-label={toProgressText(batch)} />
      <p class="muted">
        This page refreshes itself. <a href={href}>Refresh now</a>
      </p>
      {mayStop(caller, batch.by) && <StopForm caller={caller} id={batch.id} action={href} total={batch.total} />}
    </>
  )
}

/** The undo of a batch that has ended, or who can undo it. */
function Undo({ site, caller, view: { batch }, list, isJustDone, drafts }: BatchPageProps) {
  const { id, state, changed, undone_by } = batch
  const isUndo = batch.undoes !== null
  const isUndoable = state === 'done' || (state === 'stopped' && changed > 0)
  if (!isUndoable || !mayUndo(caller, batch.by)) {
    const isOthers = state !== 'running' && changed > 0 && !isUndo
    return isOthers ? <p class="muted">Only its author or an admin can undo it.</p> : null
  }
  return (
    <>
      <UndoForm
        {...{ caller, id }}
        action={site.urls.batch(id, { list })}
        isRest={undone_by !== null}
        isMain={
          !isUndo && undone_by === null && (isJustDone || state === 'stopped') && !mayPublishCreated(caller, drafts)
        }
      />
      {!isJustDone && <p class="muted">{toUndoText(batch)}</p>}
    </>
  )
}

function toStateText({ view: { batch, content }, isJustDone, undone }: BatchPageProps): string | null {
  if (batch.state !== 'done') return toProgressText(batch)
  if (!isJustDone) return null
  return batch.undoes === null ? toDoneText(batch, content) : toUndoneText(batch, undone)
}

function BatchFacts({ site, view: { batch, erased } }: BatchPageProps) {
  // The store counts refused talks among those that did not change.
  const unchanged = batch.unchanged - batch.refused_count
  const refusedRows = countRefusedRows(batch)
  const counts = [
    [batch.kind === 'table' ? 'Created or changed' : 'Changed', toCounted(batch.changed, 'talk'), true],
    ['Unchanged', toCounted(unchanged, 'talk'), unchanged > 0],
    ['Refused', toCounted(refusedRows, 'row'), refusedRows > 0],
    ['Could not be changed', toCounted(batch.refused_count, 'talk'), batch.refused_count > 0],
    ['Erased since', toCounted(erased, 'talk'), erased > 0],
  ] as const
  return (
    <div class="batch-facts">
      <p>
        <DateTime at={batch.at} /> by{' '}
        <a href={site.urls.changes({ by: batch.by })}>
          <bdi>{batch.by}</bdi>
        </a>
      </p>
      {batch.reason !== null && (
        <p>
          Reason: <q dir="auto">{batch.reason}</q>
        </p>
      )}
      <ul class="facts">
        {counts.map(
          ([label, count, isShown]) =>
            isShown && (
              <li key={label}>
                {label}: {count}
              </li>
            ),
        )}
        {batch.changed > 0 && (
          <li>
            <a href={site.urls.changes({ batch: batch.id })}>Show as a list of changes</a>
          </li>
        )}
      </ul>
    </div>
  )
}

/** Redirects to the page of the batch, which shows its progress. */
async function stop(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
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

/** Redirects to the page of the undo, which lists what could not be undone. */
async function undo(call: HttpCall<'id'>, deps: SiteHttpDeps, form: Form): Promise<TextAnswer> {
  const author = toAuthor(requireCaller(call))
  const key = form.get('key') ?? ''
  if (form.get('do') !== 'undo' || !/^[\w-]{1,100}$/.test(key)) throw new Refused({ code: 'bad_form' })
  const batch = Number(call.params.id)
  const line = await findBatch(deps.store, requireCaller(call), batch)
  if (!isCountTyped(form, line.changed)) return askUndo(call, deps, form, line)
  const undone = await tryUndo(call, deps, { kind: 'undo', batch, author, idempotencyKey: key })
  if (undone.is === 'refused') return showUnchanged(call, deps, undone)
  const { id } = undone.report
  if (id === null) {
    return showUnchanged(call, deps, { status: 200, text: toNothingText(undone.report), left: undone.report })
  }
  logBatch(deps.log, call, undone.report)
  const { urls } = await openSite(call, deps)
  return seeOther(call, urls.batch(id, { done: 1, list: readList(call) }))
}

/** Fields that a sentence can name. */
const maxNamed = 3

function toNothingText({ left, others }: BatchReport): string {
  const changed = left.filter(({ why }) => why === 'changed_since').flatMap((each) => each.fields)
  const labels = [...new Set(changed)].map(toOtherLabel)
  if (labels.length === 0 && others.every((other) => other.left === null)) return 'There was nothing left to undo.'
  const what = labels.length === 0 || labels.length > maxNamed ? 'all of it' : labels.join(', ')
  return `Nothing was undone. Changed again since: ${what}.`
}

async function askUndo(call: HttpCall<'id'>, deps: SiteHttpDeps, form: Form, batch: BatchLine): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const content = await findContent(deps.store, batch.id)
  const action = site.urls.batch(batch.id, { list: readList(call) })
  const children = (
    <>
      <p class="lead">
        <BatchSentence content={content} talks={batch.changed} />
      </p>
      <p>{toUndoText(batch)}</p>
    </>
  )
  return respondQuestion(
    call,
    { site, caller: requireCaller(call), section: 'batches' },
    {
      title: `Undo bulk change ${batch.id}?`,
      children,
      action,
      label: 'Undo',
      cancel: action,
      talks: batch.changed,
      form,
    },
  )
}

const toUndoText = ({ kind }: BatchLine) =>
  kind === 'import'
    ? 'Talks that this import created become drafts, which viewers do not see. In other talks, undo restores every field that nobody has changed since.'
    : 'Undo restores every field that nobody has changed since.'

type Undone =
  | { readonly is: 'undone'; readonly report: BatchReport }
  | { readonly is: 'refused'; readonly status: number; readonly text: string }

async function tryUndo(call: HttpCall, deps: SiteHttpDeps, command: UndoCommand): Promise<Undone> {
  try {
    return { is: 'undone', report: (await executeBatch(deps, call, command)).batch }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { is: 'refused', status: toStatus(error.problem), text: toSentence(error.problem) }
  }
}

interface Unchanged {
  readonly status: number
  readonly text: string
  /** What an undo could not undo. */
  readonly left?: Pick<BatchReport, 'left' | 'left_count' | 'others'>
}

/** The page of the batch again, with the reason why nothing was undone or stopped. */
async function showUnchanged(
  call: HttpCall<'id'>,
  deps: SiteHttpDeps,
  { status, text, left }: Unchanged,
): Promise<TextAnswer> {
  const view = await readBatchView(deps.store, requireCaller(call), Number(call.params.id), 0)
  const named = left?.left.slice(0, maxNotes).map(({ id }) => id) ?? []
  const notUndone = left === undefined ? {} : { notUndone: { ...left, titles: await readTitles(deps.store, named) } }
  const shown = { ...(await readBatchPage(call, deps, view, false)), problem: text, ...notUndone }
  return { ...respondBatch(call, shown), status }
}
