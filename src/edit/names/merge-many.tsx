import type { Child } from '#jsx/jsx-runtime'
import { type Problem, Refused, requireRead, toSentence } from '../../http/problem.ts'
import { type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import type { NameMerge } from '../../record/command.ts'
import type { NameKind } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { UrlParameters } from '../../site/urls.ts'
import { CountInput, isCountTyped, respondQuestion } from '../big-step.tsx'
import {
  Hidden,
  PostForm,
  renderEditPage,
  requireCaller,
  respondEditPage,
  StepButtons,
  seeOther,
} from '../edit-page.tsx'
import { type CuratedName, findCurated, isShownAs } from './curated-name.ts'
import { attemptCommand, readKey } from './name-command.ts'
import { JoinedNames, NameTabs } from './names-layout.tsx'

/** A form that merges several names, and the page that it belongs to. */
export interface MergeRequest {
  readonly call: HttpCall
  readonly deps: SiteHttpDeps
  readonly form: Form
  readonly kind: NameKind
  /** Where the forms of the page go. */
  readonly action: string
  /** The page again, which says what was done. */
  toDone(done: UrlParameters): string
  /** The page again, which says why nothing was done. */
  again(problem: string): Promise<TextAnswer>
}

/** Names that become one. `ids` are those that are merged into the name to keep. */
interface MergeGroup {
  readonly keep: string
  readonly ids: readonly string[]
}

const keepField = /^keep\.(\d{1,3})$/

/**
 * The groups of a form, or the one with this number, without those where nothing is ticked: `keep.3=14`, `merge.3=14`,
 * `merge.3=15`.
 */
export function readGroups(form: Form, number: string | null = null): readonly MergeGroup[] {
  const all = [...new Set(form.keys())].flatMap((key) => keepField.exec(key)?.[1] ?? [])
  const numbers = all.filter((each) => number === null || each === number)
  return toPlan(
    numbers.map((each) => ({
      keep: form.get(`keep.${each}`) ?? '',
      ids: form.getAll(`merge.${each}`).filter(isIdText),
    })),
  )
}

/**
 * A name may be in several groups, one per reason. It is merged once, with the first of them; a name to keep that an
 * earlier group has merged is replaced by the one that the earlier group keeps.
 */
function toPlan(groups: readonly MergeGroup[]): readonly MergeGroup[] {
  const targets = new Map<string, string>()
  const toEnd = (id: string): string => {
    const target = targets.get(id)
    return target === undefined ? id : toEnd(target)
  }
  const plan = groups.map((group) => {
    const keep = toEnd(group.keep)
    const ids = [...new Set(group.ids)].filter((id) => id !== keep && !targets.has(id))
    for (const id of ids) targets.set(id, keep)
    return { keep, ids }
  })
  return plan.filter(({ ids }) => ids.length > 0)
}

export const nothingTicked = 'Tick at least one name besides the one to keep.'
const changedMeanwhile = 'Somebody has renamed or merged one of these names. This page shows the current names.'

interface FoundGroup extends MergeGroup {
  readonly into: CuratedName
  /** Null for a name that is no longer as it was shown. */
  readonly from: readonly (CuratedName | null)[]
}

/** Null if a name to keep is no longer as it was shown. */
async function findGroups({ deps, form, kind }: MergeRequest, groups: readonly MergeGroup[]) {
  const found: FoundGroup[] = []
  for (const { keep, ids } of groups) {
    const into = await findShown(deps, kind, form, keep)
    if (into === null) return null
    found.push({ keep, ids, into, from: await Promise.all(ids.map((id) => findShown(deps, kind, form, id))) })
  }
  return found
}

async function findShown(deps: SiteHttpDeps, kind: NameKind, form: Form, id: string): Promise<CuratedName | null> {
  const found = await findCurated(deps, kind, id)
  return found !== null && found.key === id && isShownAs(found, form.get(`name.${id}`)) ? found : null
}

const sumCounts = (names: readonly (CuratedName | null)[]) => names.reduce((sum, name) => sum + (name?.count ?? 0), 0)

/** Shows what merges would do; its form does them. */
export async function previewMerges(request: MergeRequest, groups: readonly MergeGroup[]): Promise<TextAnswer> {
  if (groups.length === 0) return request.again(nothingTicked)
  const found = await findGroups(request, groups)
  if (found?.every(({ from }) => from.every((name) => name !== null)) !== true) return request.again(changedMeanwhile)
  const talks = sumCounts(found.flatMap(({ from }) => from))
  const names = found.reduce((sum, { ids }) => sum + ids.length, 0)
  const label = `Merge ${toCounted(names, 'name')}`
  return respondMergeStep(
    request,
    `${label}?`,
    <>
      <PlanTable groups={found} />
      <p>Up to {toCounted(talks, 'talk changes', 'talks change')}. You can undo this afterwards.</p>
      <PostForm
        class="apply-form"
        caller={requireCaller(request.call)}
        action={request.action}
        hidden={{ key: crypto.randomUUID() }}
      >
        {found.map((group, i) => (
          <PlanFields key={group.keep} group={group} number={i + 1} />
        ))}
        <CountInput talks={talks} form={request.form} />
        <StepButtons action="merge all" label={label} cancel={request.toDone({})} />
      </PostForm>
    </>,
  )
}

/** A page between the list and the merge. */
export async function respondMergeStep({ call, deps, kind }: MergeRequest, title: string, children: Child) {
  const site = await openSite(call, deps)
  const body = (
    <div class="edit-page names-page">
      <NameTabs site={site} kind={kind} />
      <h1>{title}</h1>
      {children}
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller: requireCaller(call), section: 'names' }, title, body))
}

function PlanTable({ groups }: { readonly groups: readonly FoundGroup[] }) {
  return (
    <div class="edit-table">
      <table class="plan-table">
        <thead>
          <tr>
            <th scope="col">Keep</th>
            <th scope="col">Merge into it</th>
            <th scope="col" class="number">
              Talks
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ into, from }) => (
            <tr key={into.key}>
              <th scope="row">
                <bdi>{into.name}</bdi>
              </th>
              <td>
                <JoinedNames names={from.map((name) => name?.name ?? '')} />
              </td>
              <td class="number">{toNumber(sumCounts(from))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Also the names as they are shown: the server refuses to merge a name that has changed since. */
function PlanFields({ group: { into, from }, number }: { readonly group: FoundGroup; readonly number: number }) {
  const toFields = (action: string, { key, name }: CuratedName) => [
    [`${action}.${number}`, key] as const,
    [`name.${key}`, name] as const,
  ]
  const merged = from.filter((name) => name !== null)
  return <Hidden fields={[...toFields('keep', into), ...merged.flatMap((name) => toFields('merge', name))]} />
}

/** Merges the groups as one batch, and asks first if many talks change. */
export async function applyMerges(request: MergeRequest, groups: readonly MergeGroup[]): Promise<TextAnswer> {
  const { call, deps, form, kind } = request
  const idempotencyKey = readKey(form)
  const found = groups.length === 0 ? [] : await findGroups(request, groups)
  if (found === null) return request.again(changedMeanwhile)
  const talks = sumCounts(found.flatMap(({ from }) => from))
  if (!isCountTyped(form, talks)) return askMerge(request, found, talks)
  const [first, ...also] = found.flatMap(toMerges)
  if (first === undefined) return request.again(nothingTicked)
  const author = toAuthor(requireCaller(call))
  const command = { kind: 'merge names', of: kind, ...first, also, author, idempotencyKey } as const
  const attempt = await attemptCommand(deps, call, command)
  if (!attempt.ok) return request.again(toRefusalText(attempt.problem))
  const merged = attempt.value.batch?.id ?? 0
  return seeOther(call, request.toDone({ merged, into: found.length === 1 ? found[0]?.into.key : null }))
}

/** If a name is merged already, the form may have been sent twice; the idempotency key tells. */
const toMerges = ({ into, ids, from }: FoundGroup): NameMerge[] =>
  ids.map((id, i) => ({
    ...{ nameId: Number(id), into: Number(into.key) },
    precondition: { ifMatch: [from[i]?.versionTag ?? ''] },
  }))

function toRefusalText(problem: Problem): string {
  const isChanged = ['stale', 'merged', 'same_entry', 'no_such_name', 'bad_fields'].includes(problem.code)
  return isChanged ? changedMeanwhile : toSentence(problem)
}

async function askMerge(request: MergeRequest, groups: readonly FoundGroup[], talks: number): Promise<TextAnswer> {
  const names = groups.flatMap(({ ids }) => ids)
  const [first, ...others] = groups
  const into = first === undefined || others.length > 0 ? '' : ` into “${first.into.name}”`
  const title = `Merge ${toCounted(names.length, 'name')}${into}?`
  return ask(request, { title, text: 'You can undo this afterwards.', label: 'Merge', talks })
}

interface Asked {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly talks: number
}

/** The same form again, as a question of its own. */
async function ask({ call, deps, form, ...request }: MergeRequest, { text, ...asked }: Asked): Promise<TextAnswer> {
  const frame = { site: await openSite(call, deps), caller: requireCaller(call), section: 'names' } as const
  const { action } = request
  return respondQuestion(call, frame, { ...asked, children: <p>{text}</p>, action, cancel: request.toDone({}), form })
}

/** Undoes a merge. */
export async function undoMerges(request: MergeRequest): Promise<TextAnswer> {
  const { call, deps, form } = request
  const idempotencyKey = readKey(form)
  const batch = form.get('batch') ?? ''
  if (!isIdText(batch)) throw new Refused({ code: 'bad_form' })
  const { lines } = requireRead(await deps.store.listBatches({ page: 1, pageSize: 1, by: null, id: Number(batch) }))
  const talks = lines[0]?.changed ?? 0
  if (!isCountTyped(form, talks)) {
    const text = 'Undo restores every field that nobody has changed since.'
    return ask(request, { title: 'Undo the merge?', text, label: 'Undo', talks })
  }
  const command = { kind: 'undo', batch: Number(batch), author: toAuthor(requireCaller(call)), idempotencyKey } as const
  const attempt = await attemptCommand(deps, call, command)
  if (!attempt.ok) return request.again(toSentence(attempt.problem))
  const isAll = (attempt.value.batch?.left_count ?? 0) === 0
  return seeOther(call, request.toDone({ undone: isAll ? 'all' : 'some' }))
}
