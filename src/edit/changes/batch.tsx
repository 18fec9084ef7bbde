import { mayStop } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { BatchLine } from '../../store/change-log.ts'
import { bulkUnsavedKey } from '../bulk/bulk-form.tsx'
import { bulkTexts } from '../bulk/bulk-texts.ts'
import { Moment, PostForm, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { toListHref } from '../lists/list-address.ts'
import { isOwnSave } from '../save/notices.tsx'
import { readList } from '../talk-pages.ts'
import { BatchNotes, LeftList, type NotUndone } from './batch-notes.tsx'
import { BatchTalks } from './batch-talks.tsx'
import { BatchTitle } from './batch-title.tsx'
import { type BatchView, mayUndo, readBatchView } from './batch-view.ts'
import { changesTexts } from './changes-texts.ts'

const { batch: texts } = changesTexts
const refreshSeconds = 3

/** `/edit/batches/<id>`: what a batch changed, how far it is, and its undo. `?done=1` says that it has just been made. */
export async function showBatch(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const query = call.query()
  const after = query.get('after') ?? '0'
  if (!/^\d{1,15}$/.test(after)) throw new Refused({ code: 'no_such_page' })
  const view = await readBatchView(deps.store, caller, Number(call.params.id), Number(after))
  const { state, undone_by } = view.batch
  const isMade = query.get('done') === '1'
  const isJustDone = isMade && state === 'done' && undone_by === null
  return respondBatch(call, {
    ...{ site, caller, view, list: readList(call), isJustDone, problem: null, notUndone: null },
    ...(isJustDone && isOwnBulk(view.batch, caller) ? { saved: bulkUnsavedKey } : {}),
  })
}

const isOwnBulk = (batch: BatchLine, caller: Caller) => batch.kind === 'bulk' && isOwnSave(batch, caller)

export interface BatchPageProps {
  readonly site: Site
  readonly caller: Caller
  readonly view: BatchView
  /** The work list whose talks were changed, to go on with it. */
  readonly list: string | null
  readonly isJustDone: boolean
  /** The name of the draft that the browser need not keep. */
  readonly saved?: string
  /** Why it was not undone. */
  readonly problem: string | null
  /** What an undo that changed nothing has left as it is. */
  readonly notUndone: NotUndone | null
}

/** The page of a running batch loads itself again, without a script. */
export function respondBatch(call: Call, props: BatchPageProps): TextAnswer {
  const { site, caller, view } = props
  const html = renderEditPage(
    { site, caller, section: 'batches' },
    texts.title(view.batch.id),
    <BatchPage {...props} />,
  )
  return respondEditPage(call, html, view.batch.state === 'running' ? { Refresh: String(refreshSeconds) } : {})
}

function BatchPage(props: BatchPageProps) {
  const { site, view, list, problem, notUndone } = props
  const { batch } = view
  return (
    <div class="edit-page">
      <header class="change-head">
        <p class="muted steps">
          {list !== null && (
            <a href={toListHref(site.urls, new URLSearchParams(list))} data-changed-list={list}>
              {bulkTexts.toList}
            </a>
          )}
          <a href={site.urls.batches()}>{texts.all}</a>
        </p>
        <h1>{texts.title(batch.id)}</h1>
        <p class="lead">
          <BatchTitle batch={batch} names={view.names} />
        </p>
      </header>
      {problem !== null && (
        <p class="edit-problem" role="alert">
          {problem}
        </p>
      )}
      {notUndone !== null && <LeftList site={site} title={texts.leftUndone} {...notUndone} />}
      <BatchState {...props} />
      <BatchFacts {...props} />
      <BatchNotes site={site} view={view} />
      <BatchTalks site={site} view={view} />
    </div>
  )
}

/** How far it is, and what can be done about it. */
function BatchState({ site, caller, view: { batch }, list, isJustDone, saved }: BatchPageProps) {
  const { id, state, done, total, changed, undone_by } = batch
  const isUndo = batch.undoes !== null
  const isUndoable = state === 'done' || (state === 'stopped' && changed > 0)
  const canUndo = isUndoable && mayUndo(caller, batch)
  const text = toStateText(batch, isJustDone)
  return (
    <div
      class={isJustDone ? 'batch-state is-done' : 'batch-state'}
      role={isJustDone ? 'status' : undefined}
      data-saved={saved}
    >
      {text !== null && <p>{text}</p>}
      {state === 'running' && (
        <>
          <progress value={done} max={Math.max(1, total)} aria-label={texts.state.running(done, total)} />
          <p class="muted">
            {texts.refreshes} <a href={site.urls.batch(id, { list })}>{texts.refresh}</a>
          </p>
          {mayStop(caller, batch) && <StopForm caller={caller} id={id} action={site.urls.batch(id, { list })} />}
        </>
      )}
      {state === 'stopped' && <p>{changed > 0 ? texts.stoppedHelp : texts.rolledBackHelp}</p>}
      {undone_by !== null && (
        <p>
          {texts.undoneBy} <a href={site.urls.batch(undone_by)}>{texts.title(undone_by)}</a>.
        </p>
      )}
      {canUndo && (
        <UndoForm
          {...{ caller, id }}
          action={site.urls.batch(id, { list })}
          isRest={undone_by !== null}
          isMain={!isUndo && undone_by === null && (isJustDone || state === 'stopped')}
        />
      )}
      {canUndo && !isJustDone && <p class="muted">{texts.undoHelp}</p>}
      {!canUndo && state !== 'running' && changed > 0 && !isUndo && <p class="muted">{texts.notYours}</p>}
    </div>
  )
}

function toStateText({ state, done, total, changed, undoes }: BatchLine, isJustDone: boolean): string | null {
  if (state !== 'done') return texts.state[state](done, total)
  if (!isJustDone) return null
  return undoes === null ? texts.done(changed) : texts.undone(changed)
}

interface UndoFormProps {
  readonly caller: Caller
  readonly id: number
  readonly action: string
  /** Whether it has been undone, so that only what was left then can be undone. */
  readonly isRest: boolean
  readonly isMain: boolean
}

/** The key makes a double click one undo. */
function UndoForm({ caller, id, action, isRest, isMain }: UndoFormProps) {
  return (
    <PostForm caller={caller} action={action}>
      <input type="hidden" name="key" value={crypto.randomUUID()} />
      <button
        type="submit"
        name="do"
        value="undo"
        class={isMain ? 'button' : 'button quiet'}
        aria-label={isRest ? texts.undoRestOf(id) : texts.undoThis(id)}
      >
        {isRest ? texts.undoRest : texts.undo}
      </button>
    </PostForm>
  )
}

function StopForm({ caller, id, action }: Pick<UndoFormProps, 'caller' | 'id' | 'action'>) {
  return (
    <PostForm caller={caller} action={action}>
      <button type="submit" name="do" value="stop" class="button quiet" aria-label={texts.stopThis(id)}>
        {texts.stop}
      </button>
      <p class="muted">{texts.stopHelp}</p>
    </PostForm>
  )
}

function BatchFacts({ site, view: { batch, erased } }: BatchPageProps) {
  const counts = [
    [texts.changed, batch.changed],
    [texts.unchanged, batch.unchanged],
    [texts.refusedCount, batch.refused_count],
    [texts.erased, erased],
  ] as const
  return (
    <div class="batch-facts">
      <p>
        <Moment at={batch.at} /> {texts.by}{' '}
        <a href={site.urls.changes({ by: batch.by })}>
          <bdi>{batch.by}</bdi>
        </a>
      </p>
      {batch.reason !== null && (
        <p>
          {texts.reason}: <q dir="auto">{batch.reason}</q>
        </p>
      )}
      <ul class="facts">
        {counts.map(([label, count], i) =>
          i > 0 && count === 0 ? null : (
            <li key={label}>
              {label}: {changesTexts.talks(count)}
            </li>
          ),
        )}
        {batch.changed > 0 && (
          <li>
            <a href={site.urls.changes({ batch: batch.id })}>{texts.changesOfBatch}</a>
          </li>
        )}
      </ul>
    </div>
  )
}
