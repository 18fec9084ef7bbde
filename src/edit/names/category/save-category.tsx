import type { Child } from '#jsx/jsx-runtime'
import type { RefusedCommand } from '../../../http/execute.ts'
import { requireRead } from '../../../http/problem.ts'
import { type Call, type Form, type HttpCall, type TextAnswer, toAuthor, type Unrendered } from '../../../http/route.ts'
import type { CategoryChanges } from '../../../record/category.ts'
import { findVersionNumber } from '../../../record/command.ts'
import type { JsonObject } from '../../../record/json.ts'
import { toLf } from '../../../record/text/typed-text.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../../site/site.ts'
import { isCountTyped } from '../../big-step.tsx'
import { renderEditPage, requireCaller, respondEditPage, seeOther } from '../../edit-page.tsx'
import { toValue, toWritable, type WritableIn } from '../../form/field-hints.ts'
import { type Typed, toControlKind, toControlText } from '../../form/form-values.ts'
import { ConflictForm } from '../../save/conflict.tsx'
import { listOtherChanges, RefusedSave } from '../../save/notices.tsx'
import {
  type EditedVersion,
  type ShownConflict,
  type ShownForm,
  type Subject,
  saveFields,
} from '../../save/save-fields.ts'
import { type CuratedName, findCurated, type NameFrame } from '../curated-name.ts'
import { attemptCommand } from '../name-command.ts'
import { respondLostForm, respondName } from '../name-page.tsx'
import { NameTabs } from '../names-layout.tsx'
import {
  type CategoryState,
  categoryTable,
  ownTitleText,
  TakenTitle,
  takenText,
  toUnsavedEventKey,
} from './category-form.tsx'
import { listVersionsSince } from './category-history.tsx'

/** A page that compares texts: the form with the versions below it, or a conflict. */
export type CategoryPage = { readonly name: CuratedName } & (
  | (ShownForm<EditedVersion> & { readonly confirm?: string })
  | ShownConflict<EditedVersion>
)

/** The form of an event, or the choices of its conflict page. */
export async function saveCategory(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  form: Form,
): Promise<TextAnswer | Unrendered<CategoryPage>> {
  const { site, name } = frame
  const saved = await saveFields(createCategorySubject(deps, call, frame, form), form)
  if (saved.is === 'done' && saved.done.is === 'begun')
    return seeOther(call, site.urls.batch(saved.done.batch, { done: 1 }))
  if (saved.is === 'done' && saved.done.is !== 'asked') {
    const { is, batch } = saved.done
    const code = is === 'unchanged' ? 'same' : saved.isMerged ? 'merged' : 'yes'
    const since = saved.isMerged ? findVersionNumber(saved.base.etag) : null
    return seeOther(call, site.urls.editName('category', name.key, { saved: code, since, batch }))
  }
  const current = await findCurated(deps, 'category', name.key)
  if (saved.is === 'gone' || current?.key !== name.key) return respondLost(call, deps, name.key, current)
  if (saved.is !== 'done') return { unrendered: { ...saved, name: current } }
  const { base, done } = saved
  // After a conflict, the choices become a form of the newer version.
  const typed = form.has('base') ? toTyped(saved.changes, base.record) : saved.typed
  const confirm = done.is === 'asked' ? done.title : ''
  return { unrendered: { is: 'form', status: 200, name: current, base, typed, confirm } }
}

/** The event was merged, or does not exist: nothing can be saved, so the page shows what was typed, to be copied. */
export const respondLost = (call: HttpCall, deps: SiteHttpDeps, key: string, current: CuratedName | null) =>
  respondLostForm(call, deps, {
    ...{ kind: 'category', key, current, table: categoryTable, unsavedKey: toUnsavedEventKey(key) },
  })

/** Runs on a query thread (decision 70). */
export async function renderCategory(call: Call, deps: SiteDeps, page: CategoryPage): Promise<TextAnswer> {
  const frame: NameFrame = { site: await openSite(call, deps), caller: requireCaller(call), name: page.name }
  const reason = call.form?.get('reason') ?? ''
  const isTaken = page.problem !== undefined && page.problem !== 'unknown base' && page.problem.code === 'title_taken'
  const other = isTaken ? await findOther(deps, page.problem.more?.slug) : null
  const isOwn = other?.key === page.name.key
  const offer = other === null ? null : isOwn ? <p>{ownTitleText}</p> : <TakenTitle {...frame} {...{ other, reason }} />
  if (page.is === 'conflict') return respondConflict(call, deps, frame, page, { reason, offer })
  const { problem, errors } = page
  const refused =
    problem === undefined || problem === 'unknown base' || problem.code !== 'bad_fields' ? errors : problem.errors
  const wrong = isTaken ? new Map([['title', [isOwn ? ownTitleText : takenText]]]) : refused
  const answer = await respondName(call, deps, frame, {
    category: { ...toState(page), reason, ...(wrong && { errors: wrong }) },
    ...(problem && { problem: offer ?? RefusedSave(problem) }),
  })
  return { ...answer, status: page.status }
}

type SentCategory =
  | { readonly is: 'stored' | 'unchanged'; readonly batch: number | null }
  /** A rename that takes longer than a response may: nothing is changed yet. */
  | { readonly is: 'begun'; readonly batch: number }
  /** A new title that nobody has confirmed yet. */
  | { readonly is: 'asked'; readonly title: string }

/** Changes as the controls of the form show them. */
function toTyped(changes: JsonObject, base: JsonObject): Typed {
  const changed = toWritable(categoryTable).filter(([name]) => Object.hasOwn(changes, name))
  const toText = (name: string, kind: WritableIn['kind']) =>
    toControlText(toControlKind(name, kind, toValue(base, name)), toValue(changes, name))
  return new Map(changed.map(([name, { kind }]) => [name, toText(name, kind)]))
}

/** An event as `saveFields` changes it. */
function createCategorySubject(
  deps: SiteHttpDeps,
  call: HttpCall,
  { name: { key, count } }: NameFrame,
  form: Form,
): Subject<EditedVersion, SentCategory> {
  let talks = count
  return {
    table: categoryTable,
    async findCurrent() {
      const found = await findCurated(deps, 'category', key)
      if (found === null || found.key !== key || found.fields === null) return null
      talks = found.count
      return { etag: found.versionTag, record: found.fields }
    },
    async findVersion(etag) {
      const number = findVersionNumber(etag ?? '')
      const found = number === null ? null : requireRead(await deps.store.readCategoryVersion({ slug: key, number }))
      return found === null || found.versionTag !== etag ? null : { etag, record: found.fields }
    },
    async send(base, values, reason) {
      if (Object.keys(values).length === 0) return { is: 'unchanged', batch: null }
      // Safe: each value was parsed by the table of a category's fields, or is one of a stored category.
      const changes = values as CategoryChanges
      const isAsked = changes.title !== undefined && talks > 0 && !isConfirmed(form, changes.title, talks)
      const attempt = await attemptCommand(deps, call, {
        ...{ kind: 'category', slug: key, changes, author: toAuthor(requireCaller(call)), isDryRun: isAsked },
        ...(reason !== null && { reason }),
        precondition: { ifMatch: [base.etag] },
      })
      if (!attempt.ok) return { is: 'refused', problem: attempt.problem } satisfies RefusedCommand
      if (isAsked) return { is: 'asked', title: changes.title ?? '' }
      const { id = null, state = 'done' } = attempt.value.batch ?? {}
      if (state === 'stopped') return { is: 'refused', problem: { code: 'busy', detail: stoppedText } }
      return state === 'running' && id !== null ? { is: 'begun', batch: id } : { is: 'stored', batch: id }
    },
  }
}

const stoppedText = 'The rename was stopped; nothing was changed. Save again.'

/** Whether the curator has confirmed this title for all its talks. */
const isConfirmed = (form: Form, title: string, talks: number) =>
  toLf(form.get('confirm') ?? '') === toLf(title) && isCountTyped(form, talks)

function toState({ base, typed, confirm, review }: Extract<CategoryPage, { is: 'form' }>): CategoryState {
  return { base, typed, ...(confirm !== undefined && { confirm }), ...(review && { review }) }
}

/** The event that already has the title. */
async function findOther(deps: SiteDeps, slug: unknown): Promise<CuratedName | null> {
  return typeof slug === 'string' ? findCurated(deps, 'category', slug) : null
}

interface ConflictExtras {
  readonly reason: string
  /** The alternative to a title that is taken. */
  readonly offer: Child
}

async function respondConflict(
  call: Call,
  deps: SiteDeps,
  { site, caller, name }: NameFrame,
  { problem, ...conflict }: ShownConflict<EditedVersion>,
  { reason, offer }: ConflictExtras,
): Promise<TextAnswer> {
  const own = site.urls.editName('category', name.key)
  const confirm = call.form?.get('confirm') ?? null
  const newest = findVersionNumber(conflict.theirs.etag) ?? 0
  const versions = (await listVersionsSince(deps, name.key, findVersionNumber(conflict.base.etag) ?? 0)).filter(
    ({ version }) => version <= newest,
  )
  const body = (
    <div class="editor">
      <NameTabs site={site} kind="category" />
      <h1 dir="auto">{name.name}</h1>
      {offer !== null && (
        <div class="edit-problem" role="alert">
          {offer}
        </div>
      )}
      <ConflictForm
        {...{ caller, reason }}
        shown={offer === null && problem !== undefined ? { ...conflict, problem } : conflict}
        table={categoryTable}
        changes={listOtherChanges(versions)}
        what="event"
        action={own}
        back={own}
        unsavedKey={toUnsavedEventKey(name.key)}
        buttons={[{ action: 'save', label: 'Save' }]}
        hidden={confirm === null ? {} : { confirm }}
      />
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'names' }, `Conflict: ${name.name}`, body)
  return { ...respondEditPage(call, html), status: conflict.status }
}
