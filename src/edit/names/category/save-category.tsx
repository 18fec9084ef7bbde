import type { Child } from '#jsx/jsx-runtime'
import { Refused, requireRead } from '../../../http/problem.ts'
import type { Call, Form, HttpCall, TextAnswer, Unrendered } from '../../../http/route.ts'
import type { CategoryChanges } from '../../../record/category.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../../site/site.ts'
import { renderEditPage } from '../../edit-layout.tsx'
import { toLf } from '../../form/line-ends.ts'
import { requireCaller, toAuthor } from '../../require-caller.ts'
import { respondEditPage, seeOther } from '../../respond-edit.ts'
import { ConflictForm } from '../../save/conflict.tsx'
import { listChanges, Refusal } from '../../save/notices.tsx'
import {
  type EditedVersion,
  type SendRefused,
  type ShownConflict,
  type ShownForm,
  type Subject,
  saveFields,
} from '../../save/save-fields.ts'
import { type CuratedName, findCurated } from '../curated-name.ts'
import { attemptCommand } from '../name-command.ts'
import type { NameFrame } from '../name-frame.ts'
import { respondName } from '../name-page.tsx'
import { respondMerged } from '../name-refusal.tsx'
import { NameTabs } from '../name-tabs.tsx'
import { type CategoryState, categoryTable, TakenTitle, takenText, toDraftKey } from './category-form.tsx'
import { listVersionsSince } from './category-history.tsx'

/** A page that compares texts: the form with the versions below it, or a conflict. */
export type CategoryPage = { readonly name: CuratedName } & (
  | (ShownForm<EditedVersion> & { readonly confirm?: string })
  | ShownConflict<EditedVersion>
)

type SentCategory =
  | { readonly is: 'stored' | 'unchanged'; readonly batch: number | null }
  /** A rename that takes longer than an answer may: nothing is changed yet. */
  | { readonly is: 'begun'; readonly batch: number }
  /** A new title that nobody has confirmed yet. */
  | { readonly is: 'asked'; readonly title: string }

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
    const since = saved.isMerged ? toNumber(saved.base.etag) : null
    return seeOther(call, site.urls.editName('category', name.key, { saved: code, since, batch }))
  }
  const current = await findCurated(deps, 'category', name.key)
  if (current !== null && current.key !== name.key) return respondMerged(call, { ...frame, name: current }, name.key)
  if (current === null || saved.is === 'gone') throw new Refused({ code: 'no_such_category' })
  if (saved.is !== 'done') return { unrendered: { ...saved, name: current } }
  const { base, typed, done } = saved
  const confirm = done.is === 'asked' ? done.title : ''
  return { unrendered: { is: 'form', status: 200, name: current, base, typed, confirm } }
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
      const number = toNumber(etag)
      const found = number === null ? null : requireRead(await deps.store.readCategoryVersion({ slug: key, number }))
      return found === null || found.versionTag !== etag ? null : { etag, record: found.fields }
    },
    async send(base, given, reason) {
      if (Object.keys(given).length === 0) return { is: 'unchanged', batch: null }
      // True: each value was parsed by the table of a category's fields, or is one of a stored category.
      const changes = given as CategoryChanges
      const isAsked = changes.title !== undefined && talks > 0 && !isConfirmed(form, changes.title)
      const attempt = await attemptCommand(deps, call, {
        ...{ kind: 'category', slug: key, changes, author: toAuthor(requireCaller(call)), isDryRun: isAsked },
        ...(reason !== null && { reason }),
        precondition: { ifMatch: [base.etag] },
      })
      if (!attempt.ok) return { is: 'refused', problem: attempt.problem } satisfies SendRefused
      if (isAsked) return { is: 'asked', title: changes.title ?? '' }
      const { id = null, state = 'done' } = attempt.value.batch ?? {}
      if (state === 'stopped') return { is: 'refused', problem: { code: 'busy', detail: stoppedText } }
      return state === 'running' && id !== null ? { is: 'begun', batch: id } : { is: 'stored', batch: id }
    },
  }
}

const stoppedText = 'The rename was stopped; nothing was changed. Save again.'

/** A title that was chosen in a conflict is not asked for again. */
const isConfirmed = (form: Form, title: string) => form.has('base') || toLf(form.get('confirm') ?? '') === toLf(title)

/** The number of the version that an ETag names. */
function toNumber(etag: string | null): number | null {
  const digits = /^([1-9]\d{0,14})-[0-9a-f]{8}$/.exec(etag ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Runs on a query thread (decision 70). */
export async function renderCategory(call: Call, deps: SiteDeps, page: CategoryPage): Promise<TextAnswer> {
  const frame: NameFrame = { site: await openSite(call, deps), caller: requireCaller(call), name: page.name }
  const reason = call.form?.get('reason') ?? ''
  const isTaken = page.problem !== undefined && page.problem !== 'unknown base' && page.problem.code === 'title_taken'
  const other = isTaken ? await findOther(deps, page.problem.more?.slug) : null
  const offer = other === null ? null : <TakenTitle {...frame} {...{ other, reason }} />
  if (page.is === 'conflict') return respondConflict(call, deps, frame, page, { reason, offer })
  const { problem, errors } = page
  const wrong = isTaken ? new Map([['title', [takenText]]]) : errors
  const answer = await respondName(call, deps, frame, {
    category: { ...toState(page), reason, ...(wrong && { errors: wrong }) },
    ...(problem && { problem: offer ?? Refusal(problem) }),
  })
  return { ...answer, status: page.status }
}

function toState({ base, typed, confirm, review }: Extract<CategoryPage, { is: 'form' }>): CategoryState {
  return { base, typed, ...(confirm !== undefined && { confirm }), ...(review && { review }) }
}

/** The event that has the title which somebody wants. */
async function findOther(deps: SiteDeps, slug: unknown): Promise<CuratedName | null> {
  return typeof slug === 'string' ? findCurated(deps, 'category', slug) : null
}

interface ConflictExtras {
  readonly reason: string
  /** To merge instead of a title that another event has. */
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
  const newest = toNumber(conflict.theirs.etag) ?? 0
  const versions = (await listVersionsSince(deps, name.key, toNumber(conflict.base.etag) ?? 0)).filter(
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
        changes={listChanges(versions)}
        what="event"
        action={own}
        back={own}
        draftKey={toDraftKey(name.key)}
        buttons={[{ action: 'save', label: 'Save' }]}
      />
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'names' }, `Conflict: ${name.name}`, body)
  return { ...respondEditPage(call, html), status: conflict.status }
}
