import type { Child } from '#jsx/jsx-runtime'
import { executeAs, logChange } from '../../../http/execute.ts'
import { Refused, toSentence } from '../../../http/problem.ts'
import type { Call, Caller, HttpCall, TextAnswer } from '../../../http/route.ts'
import { parseNewCategory, toNewCategory } from '../../../record/category.ts'
import type { JsonObject } from '../../../record/json.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../../site/site.ts'
import { renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../../edit-page.tsx'
import { parseForm } from '../../form/form-values.ts'
import { RecordForm } from '../../form/record-form.tsx'
import { type Authorship, readAuthorship, readKey } from '../name-command.ts'
import { NameTabs } from '../names-layout.tsx'
import { CategoryFieldList, type CategoryState, categoryTable, toUnsavedEventKey } from './category-form.tsx'

const blank = toNewCategory({ title: '' })
const takenText = 'An event with this title already exists.'

/** `/edit/new-category`. */
export async function showNewCategory(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  return respondForm(call, await openSite(call, deps), requireCaller(call), crypto.randomUUID(), {})
}

interface FormState extends CategoryState {
  readonly problem?: Child
}

export async function saveNewCategory(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const key = readKey(form)
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const parsed = parseForm(form, blank, { table: categoryTable, isNew: true })
  const state = { typed: parsed.typed, reason: form.get('reason') ?? '' }
  const again = (more: FormState) => respondForm(call, site, caller, key, { ...state, ...more })
  if (!parsed.ok) return again({ errors: parsed.errors })
  const authorship = readAuthorship(form, caller)
  if (!authorship.ok) return again({ problem: authorship.problems.join(' ') })
  try {
    const slug = await create(call, deps, parsed.changes, key, authorship.value)
    return seeOther(call, site.urls.editName('category', slug, { saved: 'created' }))
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code === 'cut_off') throw error
    const { problem } = error
    if (problem.code === 'title_taken') {
      const other = problem.more?.slug
      const link = typeof other === 'string' ? <a href={site.urls.editName('category', other)}>Open it</a> : null
      return again({
        errors: new Map([['title', [takenText]]]),
        problem: (
          <p>
            {takenText} {link}
          </p>
        ),
      })
    }
    if (problem.code === 'bad_fields' && problem.errors !== undefined) return again({ errors: problem.errors })
    // A key belongs to one content; corrected input needs a new key.
    const fresh = problem.code === 'key_reused' ? crypto.randomUUID() : key
    return respondForm(call, site, caller, fresh, { ...state, problem: toSentence(problem) })
  }
}

function respondForm(call: Call, site: Site, caller: Caller, key: string, state: FormState): TextAnswer {
  const { problem, reason = '', typed } = state
  const body = (
    <div class="edit-page name-page">
      <NameTabs site={site} kind="category" />
      <h1>New event</h1>
      <p>Visitors see it immediately, even before it has talks.</p>
      {problem !== undefined && (
        <div class="edit-problem" role="alert">
          {problem}
        </div>
      )}
      <RecordForm
        action={site.urls.newCategory}
        caller={caller}
        etag={null}
        unsavedKey={toUnsavedEventKey(null)}
        hidden={{ key }}
        isUnsaved={typed !== undefined}
        reason={reason}
        buttons={[{ action: 'create', label: 'Create' }]}
      >
        <CategoryFieldList {...state} values={blank} />
      </RecordForm>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, 'New event', body))
}

/** The slug of the new category. */
async function create(
  call: HttpCall,
  deps: SiteHttpDeps,
  values: JsonObject,
  idempotencyKey: string,
  authorship: Authorship,
): Promise<string> {
  const parsed = parseNewCategory(values)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create category', changes: parsed.changes, idempotencyKey, ...authorship } as const
  const { category, wasWritten } = await executeAs('category', deps, call, command)
  const { slug } = category
  if (wasWritten) logChange(deps, call, authorship.author.name, { kind: command.kind, slug })
  return slug
}
