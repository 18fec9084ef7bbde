import { toAuthor } from '../../http/auth/caller.ts'
import { execute, logBatch } from '../../http/execute.ts'
import { type Problem, Refused, requireRead, toSentence } from '../../http/problem.ts'
import type { Form, HttpCall, TextAnswer } from '../../http/route.ts'
import type { NameKind } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { UrlParameters } from '../../site/urls.ts'
import { CountInput, isCountTyped, respondQuestion } from '../big-step.tsx'
import { PostForm, renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { type CuratedName, findCurated, isShownAs } from './curated-name.ts'
import { attemptCommand, readKey, toMergeCommand } from './name-command.ts'
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
export interface MergeGroup {
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
export function toPlan(groups: readonly MergeGroup[]): readonly MergeGroup[] {
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
  const { call, deps, kind, action } = request
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const talks = sumCounts(found.flatMap(({ from }) => from))
  const names = found.reduce((sum, { ids }) => sum + ids.length, 0)
  const title = `Merge ${toCounted(names, 'name')}?`
  const body = (
    <div class="edit-page names-page">
      <NameTabs site={site} kind={kind} />
      <h1>{title}</h1>
      <PlanTable groups={found} />
      <p>Up to {toCounted(talks, 'talk changes', 'talks change')}. You can undo this afterwards.</p>
      <PostForm class="apply-form" caller={caller} action={action}>
        <input type="hidden" name="key" value={crypto.randomUUID()} />
        {found.map((group, i) => (
          <PlanFields key={group.keep} group={group} number={i + 1} />
        ))}
        <CountInput talks={talks} form={request.form} />
        <p class="buttons">
          <button class="button" type="submit" name="do" value="merge all">
            Merge {toCounted(names, 'name')}
          </button>
          <a class="button quiet" href={request.toDone({})}>
            Cancel
          </a>
        </p>
      </PostForm>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, title, body))
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
  return (
    <>
      <input type="hidden" name={`keep.${number}`} value={into.key} />
      <input type="hidden" name={`name.${into.key}`} value={into.name} />
      {from.map(
        (name) =>
          name !== null && (
            <>
              <input type="hidden" name={`merge.${number}`} value={name.key} />
              <input type="hidden" name={`name.${name.key}`} value={name.name} />
            </>
          ),
      )}
    </>
  )
}

/** Merges the groups, each name as a batch of its own, and asks first if many talks change. */
export async function applyMerges(request: MergeRequest, groups: readonly MergeGroup[]): Promise<TextAnswer> {
  const { call, deps, form } = request
  const key = readKey(form)
  if (groups.length === 0) return request.again(nothingTicked)
  const found = await findGroups(request, groups)
  if (found === null) return request.again(changedMeanwhile)
  const talks = sumCounts(found.flatMap(({ from }) => from))
  if (!isCountTyped(form, talks)) return askMerge(request, found, talks)
  const author = toAuthor(requireCaller(call))
  const batches: number[] = []
  for (const { into, ids, from } of found) {
    for (const [i, id] of ids.entries()) {
      // If it is merged already, this form may have been sent twice; the idempotency key tells.
      const named = from[i] ?? { kind: request.kind, key: id, versionTag: '' }
      const command = { ...toMergeCommand(named, into, { author }), idempotencyKey: `${key}-${id}` }
      const attempt = await attemptCommand(deps, call, command)
      if (!attempt.ok) return respondPart(request, attempt.problem, batches)
      batches.push(attempt.value.batch?.id ?? 0)
    }
  }
  const merged = batches.filter((id) => id > 0).join()
  return seeOther(call, request.toDone({ merged, into: found.length === 1 ? found[0]?.into.key : null }))
}

/** A refusal. Earlier merges of the form stay, and can be undone as bulk changes. */
function respondPart(request: MergeRequest, problem: Problem, batches: readonly number[]): Promise<TextAnswer> {
  const isChanged = ['stale', 'merged', 'same_entry', 'no_such_name', 'bad_fields'].includes(problem.code)
  const why = isChanged ? changedMeanwhile : toSentence(problem)
  return request.again(
    batches.length === 0
      ? why
      : `${toCounted(batches.length, 'name was', 'names were')} merged, which you can undo under Bulk changes; the next was not. ${why}`,
  )
}

async function askMerge(request: MergeRequest, groups: readonly FoundGroup[], talks: number): Promise<TextAnswer> {
  const names = groups.flatMap(({ ids }) => ids)
  const [first, ...others] = groups
  const into = first === undefined || others.length > 0 ? '' : ` into “${first.into.name}”`
  const text = `Merges ${toCounted(names.length, 'name')}${into}. You can undo this afterwards.`
  return ask(request, { title: 'Merge?', text, label: 'Merge', talks })
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

/** Undoes merges, the last one first, since it may have moved records that an earlier merge had moved. */
export async function undoMerges(request: MergeRequest): Promise<TextAnswer> {
  const { call, deps, form } = request
  const key = readKey(form)
  const author = toAuthor(requireCaller(call))
  const ids = form.getAll('batch')
  if (ids.length === 0 || !ids.every(isIdText)) throw new Refused({ code: 'bad_form' })
  const talks = await countChanged(deps, ids.map(Number))
  if (!isCountTyped(form, talks)) {
    const text = 'Undo restores every field that nobody has changed since.'
    return ask(request, { title: 'Undo the merge?', text, label: 'Undo', talks })
  }
  let left = 0
  for (const id of ids.toReversed()) {
    const command = { kind: 'undo', batch: Number(id), author, idempotencyKey: `${key}-${id}` } as const
    try {
      const outcome = await execute(deps, call, command)
      if (outcome.is !== 'batch' || outcome.batch === null) continue
      logBatch(deps.log, call, outcome.batch)
      left += outcome.batch.left_count
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code === 'cut_off') throw error
      return request.again(toSentence(error.problem))
    }
  }
  return seeOther(call, request.toDone({ undone: left === 0 ? 'all' : 'some' }))
}

/** The talks that these batches changed, all together. */
async function countChanged({ store }: SiteHttpDeps, ids: readonly number[]): Promise<number> {
  let changed = 0
  for (const id of ids) {
    const { lines } = requireRead(await store.listBatches({ page: 1, pageSize: 1, by: null, id }))
    changed += lines[0]?.changed ?? 0
  }
  return changed
}
