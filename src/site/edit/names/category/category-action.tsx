import { toSentence } from '../../../../http/problem/problem-codes.ts'
import { requireRead } from '../../../../http/problem/read-problems.ts'
import type { Call, Form, HttpCall, TextAnswer, Unrendered } from '../../../../http/route.ts'
import type { CategoryChanges } from '../../../../record/category.ts'
import { openSite, type SiteHttpNeeds, type SiteNeeds } from '../../../site.ts'
import { parseConflict } from '../../conflict/parse-conflict.ts'
import { findContested, type Sides, withoutSame } from '../../conflict/sides.ts'
import { toLf } from '../../form/line-ends.ts'
import { parseForm } from '../../form/parse-form.ts'
import { requireCaller } from '../../require-caller.ts'
import { seeOther } from '../../respond-edit.ts'
import { type CuratedName, findCurated } from '../curated-name.ts'
import { type Attempt, type Authorship, attemptCommand, readAuthorship } from '../name-command.ts'
import type { NameFrame } from '../name-frame.ts'
import { respondName } from '../name-page.tsx'
import { respondMerged } from '../name-refusal.tsx'
import { namesTexts } from '../names-texts.ts'
import { type CategoryConflict, type CategoryProblem, Problem, respondConflict } from './category-conflict.tsx'
import type { CategoryBase, CategoryState } from './category-form.tsx'
import { categoryTable } from './category-table.ts'

const texts = namesTexts.category

/** What a person wants to change in the version that they saw. */
interface Wanted {
  readonly base: CategoryBase
  readonly changes: CategoryChanges
  readonly authorship: Authorship
  /** The title that they have confirmed; null if every title is: one that was chosen in a conflict. */
  readonly confirmed: string | null
  /** The form again, with everything in it, and why it was refused. */
  again(frame: NameFrame, problem: CategoryProblem | null, more?: Partial<CategoryState>): Unrendered<CategoryPage>
}

/** A page that compares texts: the form with the versions below it, or a conflict. */
export type CategoryPage = { readonly name: CuratedName } & (
  | { readonly is: 'form'; readonly state: CategoryState; readonly problem: CategoryProblem | null }
  | { readonly is: 'conflict'; readonly conflict: CategoryConflict }
)

export type SavedCategory = TextAnswer | Unrendered<CategoryPage>

const toForm = ({ name }: NameFrame, state: CategoryState, problem: CategoryProblem | null) =>
  ({ unrendered: { is: 'form', name, state, problem } }) as const
const toConflict = ({ name }: NameFrame, conflict: CategoryConflict) =>
  ({ unrendered: { is: 'conflict', name, conflict } }) as const

/** Runs on a query thread (decision 70). */
export async function renderCategory(call: Call, needs: SiteNeeds, page: CategoryPage): Promise<TextAnswer> {
  const frame: NameFrame = { site: await openSite(call, needs), caller: requireCaller(call), name: page.name }
  if (page.is === 'conflict') return respondConflict(call, needs, frame, page.conflict)
  const { state: category, problem } = page
  if (problem === null) return respondName(call, needs, frame, { category })
  const shown = <Problem {...frame} problem={problem} reason={category.reason ?? ''} />
  return respondName(call, needs, frame, { category, problem: shown })
}

/** The form of a category's fields. */
export async function saveCategory(
  call: HttpCall,
  needs: SiteHttpNeeds,
  frame: NameFrame,
  form: Form,
): Promise<SavedCategory> {
  const reason = form.get('reason') ?? ''
  const base = await findBase(needs, frame, form.get('etag') ?? '')
  const parsed = parseForm(form, base.fields, { table: categoryTable })
  const { typed } = parsed
  const authorship = readAuthorship(form, frame.caller)
  const state: CategoryState = { base, typed, reason }
  if (!authorship.ok) return toForm(frame, state, authorship.problems.join(' '))
  if (!parsed.ok) return toForm(frame, { ...state, errors: parsed.errors }, null)
  // Each value was parsed by the table of the category's fields.
  const changes = parsed.changes as CategoryChanges
  return apply(call, needs, frame, {
    ...{ base, changes, confirmed: form.get('confirm') ?? '', authorship: authorship.value },
    again: (now, problem, more) => toForm(now, { ...state, ...more }, problem),
  })
}

/** The form of a conflict: a choice for each field that both sides changed. */
export async function chooseFields(
  call: HttpCall,
  needs: SiteHttpNeeds,
  frame: NameFrame,
  form: Form,
): Promise<SavedCategory> {
  const base = await findBase(needs, frame, form.get('base') ?? '')
  const theirs = await findBase(needs, frame, form.get('etag') ?? '')
  const sides = { base: base.fields, theirs: theirs.fields, table: categoryTable }
  const parsed = parseConflict(form, sides)
  const { chosen } = parsed
  const authorship = readAuthorship(form, frame.caller)
  const conflict = { base, theirs, yours: chosen.yours, chosen, reason: form.get('reason') ?? '' }
  if (!parsed.ok) return toConflict(frame, { ...conflict, errors: parsed.errors })
  if (!authorship.ok) return toConflict(frame, { ...conflict, problem: authorship.problems.join(' ') })
  // As above.
  const changes = parsed.changes as CategoryChanges
  return apply(call, needs, frame, {
    ...{ base: theirs, changes, confirmed: null, authorship: authorship.value },
    again: (now, problem) => toConflict(now, { ...conflict, ...(problem !== null && { problem }) }),
  })
}

/** The version that a form was made from; the current one if that is unknown. */
async function findBase({ store }: SiteHttpNeeds, { name }: NameFrame, versionTag: string): Promise<CategoryBase> {
  const number = Number(/^([1-9]\d{0,14})-[0-9a-f]{8}$/.exec(versionTag)?.[1] ?? 0)
  const found = number === 0 ? null : requireRead(await store.readCategoryVersion({ slug: name.key, number }))
  if (found !== null) return { versionTag, fields: found.fields }
  return toCurrent(name)
}

function toCurrent({ versionTag, fields }: NameFrame['name']): CategoryBase {
  if (fields === null) throw new Error('a category without fields')
  return { versionTag, fields }
}

/** Others may be faster again while we look at what they did. */
const maxTries = 3

/** Changes of other fields by others are kept; a field that both changed opens the conflict page (ADR 58). */
async function apply(call: HttpCall, needs: SiteHttpNeeds, opened: NameFrame, wanted: Wanted): Promise<SavedCategory> {
  const { base, changes: yours, authorship } = wanted
  let frame = opened
  for (let tries = 1; ; tries++) {
    const theirs = toCurrent(frame.name)
    const sides: Sides = { base: base.fields, theirs: theirs.fields, yours, table: categoryTable }
    if (findContested(sides).length > 0) {
      return toConflict(frame, { base, theirs, yours, reason: authorship.reason ?? '' })
    }
    const saved = await save(call, needs, frame, wanted)
    if (saved.ok) return saved.value
    const current = await findCurated(needs, 'category', frame.name.key)
    if (current !== null && current.key !== frame.name.key) {
      return respondMerged(call, { ...frame, name: current }, frame.name.key)
    }
    const { problem } = saved
    if (problem.code === 'title_taken') return respondTaken(needs, frame, wanted, problem.more?.slug)
    if (problem.code !== 'stale' || current === null || tries === maxTries) {
      return wanted.again(frame, toSentence(problem))
    }
    frame = { ...frame, name: current }
  }
}

/** Saves what differs from the current version. A title that nobody has confirmed yet is only tried. */
async function save(
  call: HttpCall,
  needs: SiteHttpNeeds,
  frame: NameFrame,
  { base, changes: yours, authorship, confirmed, again }: Wanted,
): Promise<Attempt<SavedCategory>> {
  const { site, name } = frame
  const theirs = toCurrent(name)
  // A part of the changes, so of the same type.
  const changes = withoutSame(yours, theirs.fields) as CategoryChanges
  const { title } = changes
  const isAsked = title !== undefined && name.count > 0 && confirmed !== null && toLf(confirmed) !== toLf(title)
  const attempt = await attemptCommand(needs, call, {
    ...{ kind: 'category', slug: name.key, changes, ...authorship, isDryRun: isAsked },
    precondition: { ifMatch: [theirs.versionTag] },
  })
  if (!attempt.ok) return attempt
  if (isAsked) return { ok: true, value: again(frame, null, { confirm: title }) }
  const isMerged = theirs.versionTag !== base.versionTag
  const saved = Object.keys(changes).length === 0 ? 'same' : isMerged ? 'merged' : 'yes'
  const batch = attempt.value.batch?.id ?? null
  return { ok: true, value: seeOther(call, site.at.editName('category', name.key, { saved, batch })) }
}

/** Leads to a merge with the event that has the title. */
async function respondTaken(
  needs: SiteHttpNeeds,
  frame: NameFrame,
  { again }: Wanted,
  slug: unknown,
): Promise<SavedCategory> {
  const other = typeof slug === 'string' ? await findCurated(needs, 'category', slug) : null
  const errors = new Map([['title', [texts.taken]]])
  return again(frame, other === null ? texts.taken : { other }, { errors })
}
