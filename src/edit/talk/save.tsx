import { logWrite, type RefusedCommand, tryExecute } from '../../http/execute.ts'
import { type Problem, Refused, requireRead, toStatus } from '../../http/problem.ts'
import {
  type Call,
  type Caller,
  type Form,
  type HttpCall,
  type TextAnswer,
  toAuthor,
  type Unrendered,
} from '../../http/route.ts'
import type { ChangeCommand } from '../../record/command.ts'
import { type Changes, fromBody, type VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import { renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { toListTitle, toToday } from '../lists/known-lists.ts'
import { findListPlace, type ListPlace, readListPlace, tryNext } from '../lists/list-place.ts'
import { toListHref } from '../lists/list-query.ts'
import { findNewNames } from '../names/new-names.tsx'
import { ConflictForm } from '../save/conflict.tsx'
import { listOtherChanges, RefusedSave, TypedTexts } from '../save/notices.tsx'
import {
  type SavedFields,
  type ShownConflict,
  type ShownForm,
  type Subject,
  saveFields,
  withoutSame,
} from '../save/save-fields.ts'
import { EditorHead, type EditorPage, renderEditor } from './editor.tsx'
import {
  type EditorAction,
  editedFields,
  findMove,
  opensNext,
  parseAction,
  toConflictButtons,
  withState,
} from './form-actions.ts'
import {
  findEditedTalk,
  findVersion,
  listVersionsBetween,
  type TalkVersion,
  toSavedFlag,
  toUnsavedKey,
} from './talk-version.ts'

/** A form of the editor or of its conflict page, as it was sent. */
interface Submission {
  readonly call: Call<'id'>
  readonly deps: SiteDeps
  readonly site: Site
  readonly caller: Caller
  readonly form: Form
  readonly id: number
  readonly place: ListPlace | null
  readonly action: EditorAction
  /** As typed. */
  readonly reason: string
}

async function openSubmission(call: Call<'id'>, deps: SiteDeps): Promise<Submission> {
  const form = requireForm(call)
  return {
    ...{ call, deps, form },
    site: await openSite(call, deps),
    caller: requireCaller(call),
    id: Number(call.params.id),
    place: readListPlace(call),
    action: parseAction(form.get('do') ?? call.query().get('do')),
    reason: form.get('reason') ?? '',
  }
}

/** A page after a save that compares texts: the form with what it would change, or a conflict. */
type SavePage = ShownForm<TalkVersion> | ShownConflict<TalkVersion>

/** The form of a talk, or the choices of its conflict page. */
export async function saveTalk(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer | Unrendered<SavePage>> {
  const submission = await openSubmission(call, deps)
  const { form, action, id } = submission
  const hasFields = form.has('etag') || [...form.keys()].some((name) => /^(?:field|yours)\./.test(name))
  if (!hasFields) throw new Refused({ code: 'bad_form' })
  const isReview = action === 'review' && !form.has('base')
  const saved = await saveFields(createTalkSubject(deps, call, { id, action, isReview }), form)
  switch (saved.is) {
    case 'gone':
      return respondLost(submission)
    case 'form':
      return saved.review === undefined ? respondForm(submission, saved) : { unrendered: saved }
    case 'conflict':
      return { unrendered: saved }
    default:
      return saved.done.is === 'possible'
        ? review(submission, saved, saved.done.after)
        : respondSaved(submission, saved)
  }
}

export type SentChange =
  | { readonly is: 'stored' | 'unchanged'; readonly version: number }
  /** A dry run, which shows what the change would make of the talk. */
  | { readonly is: 'possible'; readonly after: VideoRecord }

interface TalkChange {
  readonly id: number
  readonly action: EditorAction
  readonly isReview: boolean
}

/** A talk as `saveFields` changes it. */
export function createTalkSubject(
  deps: SiteHttpDeps,
  call: HttpCall,
  { id, action, isReview }: TalkChange,
): Subject<TalkVersion, SentChange> {
  return {
    table: editedFields,
    findCurrent: () => findEditedTalk(deps.store, id),
    findVersion: (etag) => findVersion(deps.store, id, etag),
    addChanges: (changes, base) => withState(changes, action, base.record),
    async send(base, changes, reason) {
      if (!isReview && Object.keys(changes).length === 0) return { is: 'unchanged', version: base.version }
      const command: ChangeCommand = {
        kind: 'merge',
        id,
        author: toAuthor(requireCaller(call)),
        precondition: { mergeBase: base.etag },
        // Safe: each value was parsed by the table of fields, or is one of a stored record.
        changes: changes as Changes,
        ...(reason !== null && { reason }),
        ...(isReview && { isDryRun: true }),
      }
      return send(deps, call, command)
    },
  }
}

/**
 * Whether a person pressed the button. A script that reviews while they type has the action in the URL instead, and
 * needs the review even if nothing changed.
 */
const isPressed = ({ form }: Submission) => form.has('do')

/** Runs on a query thread: comparing long texts takes a while (decision 70). */
export async function renderSave(call: Call<'id'>, deps: SiteDeps, page: SavePage): Promise<TextAnswer> {
  const submission = await openSubmission(call, deps)
  return page.is === 'conflict' ? respondConflict(submission, page) : respondForm(submission, page)
}

async function send(deps: SiteHttpDeps, call: HttpCall, command: ChangeCommand): Promise<SentChange | RefusedCommand> {
  const outcome = await tryExecute(deps, call, command)
  switch (outcome.is) {
    case 'stored':
      logWrite(deps.log, call, command, outcome)
      return { is: 'stored', version: outcome.stored.version }
    case 'unchanged':
      return { is: 'unchanged', version: outcome.stored.version }
    case 'dry run':
      return { is: 'possible', after: fromBody(outcome.body) }
    case 'refused':
      return outcome
    default:
      throw new Error(`a change of a talk had the outcome of another command: ${outcome.is}`)
  }
}

type Done = Extract<SavedFields<TalkVersion, SentChange>, { is: 'done' }>

async function review(
  submission: Submission,
  { base, changes, typed, ...saved }: Done,
  after: VideoRecord,
): Promise<TextAnswer | Unrendered<SavePage>> {
  const { deps, id } = submission
  const before = (await findEditedTalk(deps.store, id)) ?? base
  if (isPressed(submission) && Object.keys(withoutSame(changes, before.record)).length === 0) {
    const done = { is: 'unchanged', version: before.version } as const
    return respondSaved(submission, { ...saved, base, changes, typed, done })
  }
  const newNames = await findNewNames(deps.store, before.record, after)
  return { unrendered: { is: 'form', status: 200, base, typed, review: { before: before.record, after, newNames } } }
}

/**
 * Redirects to the talk, or to the next one of the list, which is found from the talk as the person opened it. The next
 * page lists what others have changed since `base`.
 */
async function respondSaved(submission: Submission, { done, base, began }: Done): Promise<TextAnswer> {
  const { call, deps, site, id, place, action } = submission
  const flag =
    done.is === 'stored'
      ? { saved: toSavedFlag({ id, base: base.version, version: done.version }) }
      : { unchanged: String(id) }
  const list = place?.list
  if (place === null || !opensNext(action))
    return seeOther(call, site.urls.edit(id, { list, from: place?.from, ...flag }))
  const found = await tryNext(deps, place.list, id, began.record)
  const next = found?.next ?? null
  if (next !== null) return seeOther(call, site.urls.edit(next, { list, from: id, ...flag }))
  return seeOther(call, site.urls.edit(id, { list, from: place.from, ...flag, end: found === null ? null : 1 }))
}

async function respondForm(submission: Submission, shown: ShownForm<TalkVersion>): Promise<TextAnswer> {
  const { call, site, caller, place, reason } = submission
  const { status, base, typed, errors, problem, review: reviewed } = shown
  const html = renderEditor({
    ...{ site, caller, talk: base, place, reason, typed },
    ...(status < 500 ? await findAround(submission, base) : {}),
    ...(problem && { notices: RefusedSave(problem) }),
    ...(errors && { errors }),
    ...(reviewed && { review: reviewed }),
  })
  return { ...respondEditPage(call, html), status }
}

type Around = Partial<Pick<EditorPage, 'current' | 'made' | 'found' | 'links' | 'place'>>

/** What the page shows around the form. Empty if it cannot be read, so that the input is still shown. */
async function findAround({ call, deps, id }: Submission, talk: TalkVersion): Promise<Around> {
  const { store } = deps
  try {
    const current = (await findEditedTalk(store, id)) ?? talk
    return {
      current,
      made: await store.readVersion(id, current.version),
      found: requireRead(await store.findFindings({ id })),
      links: requireRead(await store.findRecordLinks({ id })),
      place: await findListPlace(call, deps, current.record),
    }
  } catch (error) {
    if (error instanceof Refused) return {}
    throw error
  }
}

const moveTexts = {
  publish: 'With “Publish”, the talk becomes live. “Save as draft” leaves it a draft.',
  withdraw: 'With “Withdraw”, viewers no longer see the talk. “Save and keep live” leaves it as it is.',
}

async function respondConflict(submission: Submission, shown: ShownConflict<TalkVersion>): Promise<TextAnswer> {
  const { call, deps, site, caller, form, action, reason, id } = submission
  const { base, theirs } = shown
  const { record } = theirs
  const place = await findListPlace(call, deps, record)
  const move = findMove(action, form.get('move'), record)
  const between = { id, after: base.version, before: theirs.version + 1 }
  const body = (
    <div class="editor">
      <EditorHead {...{ site, caller, place }} talk={theirs} made={null} isUnsaved />
      <ConflictForm
        {...{ caller, shown, reason }}
        table={editedFields}
        changes={listOtherChanges(await listVersionsBetween(deps.store, between))}
        what="talk"
        more={move !== null && <p>{moveTexts[move]}</p>}
        action={site.urls.edit(id, { list: place?.list, from: place?.from })}
        back={site.urls.edit(id, { list: place?.list })}
        unsavedKey={toUnsavedKey(id)}
        isLive={record.state === live}
        buttons={toConflictButtons(action, move, place)}
        hidden={move === null ? {} : { move }}
      />
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'lists' }, `Conflict: ${record.title}`, body)
  return { ...respondEditPage(call, html), status: shown.status }
}

/** The talk was erased while somebody typed: nothing can be saved, but everything can be copied. */
async function respondLost(submission: Submission): Promise<TextAnswer> {
  const { call, deps, site, caller, place, id } = submission
  const problem: Problem = { code: (await deps.store.isErased(id)) ? 'gone' : 'not_found' }
  // The talk is no longer in the list, so continue after the one before it.
  const next = place === null ? null : await tryNext(deps, place.list, place.from ?? id)
  const title = 'This talk no longer exists'
  const body = (
    <div class="edit-page">
      {place !== null && <ListLinks {...submission} place={place} next={next?.next ?? null} />}
      <h1>{title}</h1>
      <p>It was erased, so nothing can be saved. Your text is below. Copy what you need.</p>
      <TypedTexts form={submission.form} table={editedFields} unsavedKey={toUnsavedKey(id)} />
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'lists' }, title, body)
  return { ...respondEditPage(call, html), status: toStatus(problem) }
}

interface ListLinksProps extends Pick<Submission, 'site' | 'caller'> {
  readonly place: ListPlace
  readonly next: number | null
}

function ListLinks({ site: { urls }, caller, place: { list, from }, next }: ListLinksProps) {
  const filters = new URLSearchParams(list)
  return (
    <nav class="place" aria-label="Work list">
      <a href={toListHref(urls, filters)}>{toListTitle(filters, caller.name, toToday(Date.now()))}</a>
      {next !== null && (
        <a href={urls.edit(next, { list, from })} rel="next" data-key="n">
          Next
        </a>
      )}
    </nav>
  )
}
