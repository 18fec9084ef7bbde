import { execute, logBatch } from '../../../http/execute.ts'
import { type Problem, Refused, requireRead, toSentence } from '../../../http/problem.ts'
import type { Form, HttpCall, TextAnswer } from '../../../http/route.ts'
import { isIdText } from '../../../record/query/parameter.ts'
import { toCounted } from '../../../record/text/counted.ts'
import { parseDismissal } from '../../../record/variants/variant.ts'
import { openSite, type SiteHttpDeps } from '../../../site/site.ts'
import { isCountTyped, respondQuestion } from '../../big-step.tsx'
import { requireCaller, requireForm, seeOther, toAuthor } from '../../edit-page.tsx'
import { type CuratedName, findCurated, isShownAs } from '../curated-name.ts'
import { attemptCommand, readKey, toMergeCommand } from '../name-command.ts'
import { respondVariants, type VariantKind } from './variants.tsx'

const changedMeanwhile = 'Somebody has renamed or merged one of these names. This page shows the current names.'

/** The forms of possible duplicates. They have no preview; the next page offers an undo. */
export function changeVariants(kind: VariantKind) {
  return async (call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> => {
    const form = requireForm(call)
    switch (form.get('do')) {
      case 'merge':
        return mergeGroup(call, deps, kind, form)
      case 'dismiss':
        return dismiss(call, deps, kind, form, true)
      case 'show':
        return dismiss(call, deps, kind, form, false)
      case 'undo':
        return undo(call, deps, kind, form)
      default:
        throw new Refused({ code: 'bad_form' })
    }
  }
}

/** Back to the page of the form, at the same position: the next group is there now. */
async function goBack(call: HttpCall, deps: SiteHttpDeps, kind: VariantKind, done: { [name: string]: string }) {
  const { urls } = await openSite(call, deps)
  const page = call.query().get('page')
  const group = requireForm(call).get('group') ?? ''
  const anchor = /^\d{1,3}$/.test(group) ? `#group-${group}` : ''
  return seeOther(call, urls.variants(kind, { page: page === '1' ? null : page, ...done }) + anchor)
}

const again = (call: HttpCall, deps: SiteHttpDeps, kind: VariantKind, problem: string) =>
  respondVariants(call, deps, kind, { problem })

/** Merges the ticked names into the one to keep, each as a separate batch. */
async function mergeGroup(call: HttpCall, deps: SiteHttpDeps, kind: VariantKind, form: Form): Promise<TextAnswer> {
  const key = readKey(form)
  const keep = form.get('keep') ?? ''
  const ticked = form.getAll('merge').filter((id) => id !== keep)
  if (ticked.length === 0) return again(call, deps, kind, 'Tick at least one name besides the one to keep.')
  const into = await findShown(deps, kind, form, keep)
  if (into === null) return again(call, deps, kind, changedMeanwhile)
  const author = toAuthor(requireCaller(call))
  const shown = await Promise.all(ticked.map((id) => findShown(deps, kind, form, id)))
  const talks = shown.reduce((sum, from) => sum + (from?.count ?? 0), 0)
  if (!isCountTyped(form, talks)) {
    const text = `Merges ${toCounted(ticked.length, 'name')} into “${into.name}”. You can undo this afterwards.`
    return ask(call, deps, kind, form, { title: 'Merge?', text, label: 'Merge', talks })
  }
  const batches: number[] = []
  for (const [i, id] of ticked.entries()) {
    // If it is merged already, this form may have been sent twice; the idempotency key tells.
    const named = shown[i] ?? { kind, key: id, versionTag: '' }
    const command = { ...toMergeCommand(named, into, { author }), idempotencyKey: `${key}-${id}` }
    const attempt = await attemptCommand(deps, call, command)
    if (!attempt.ok) return respondPart(call, deps, kind, attempt.problem, batches)
    batches.push(attempt.value.batch?.id ?? 0)
  }
  const made = batches.filter((id) => id > 0).join()
  return goBack(call, deps, kind, { merged: made, into: into.key })
}

interface Asked {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly talks: number
}

/** The group of a form that changes many talks, as a question of its own. */
async function ask(call: HttpCall, deps: SiteHttpDeps, kind: VariantKind, form: Form, { text, ...asked }: Asked) {
  const site = await openSite(call, deps)
  const own = site.urls.variants(kind, { page: call.query().get('page') })
  const frame = { site, caller: requireCaller(call), section: 'names' } as const
  return respondQuestion(call, frame, { ...asked, children: text, action: own, cancel: own, form })
}

/** Null if it is no longer the name that was shown. */
async function findShown(deps: SiteHttpDeps, kind: VariantKind, form: Form, id: string): Promise<CuratedName | null> {
  const found = await findCurated(deps, kind, id)
  return found !== null && found.key === id && isShownAs(found, form.get(`name.${id}`)) ? found : null
}

/** A refusal. Earlier merges of the form stay, and can be undone as bulk changes. */
function respondPart(
  call: HttpCall,
  deps: SiteHttpDeps,
  kind: VariantKind,
  problem: Problem,
  batches: readonly number[],
): Promise<TextAnswer> {
  const isChanged = ['stale', 'merged', 'same_entry', 'no_such_name', 'bad_fields'].includes(problem.code)
  const why = isChanged ? changedMeanwhile : toSentence(problem)
  return again(
    call,
    deps,
    kind,
    batches.length === 0
      ? why
      : `${toCounted(batches.length, 'name was', 'names were')} merged, which you can undo under Bulk changes; the next was not. ${why}`,
  )
}

/** Hides a group, or shows it again. */
async function dismiss(
  call: HttpCall,
  deps: SiteHttpDeps,
  of: VariantKind,
  form: Form,
  isDismissed: boolean,
): Promise<TextAnswer> {
  const idempotencyKey = readKey(form)
  const shown = [...form.keys()].flatMap((field) => (field.startsWith('name.') ? [Number(field.slice(5))] : []))
  const parsed = parseDismissal({ ids: isDismissed ? shown : form.getAll('id').map(Number), dismissed: isDismissed })
  if (!parsed.ok) throw new Refused({ code: 'bad_form' })
  const kind = 'dismiss variants'
  const author = toAuthor(requireCaller(call))
  const outcome = await execute(deps, call, { kind, of, author, ...parsed.value, idempotencyKey })
  if (outcome.is !== 'dismissal') throw new Error(`a dismissal had the outcome ${outcome.is}`)
  const { ids } = outcome.dismissal
  const { name: by } = author
  if (outcome.wasWritten) deps.log.info('write', { kind, of, ids: ids.map(String), by, requestId: call.requestId() })
  return goBack(call, deps, of, isDismissed ? { hidden: ids.join() } : { shown: '1' })
}

/** The last merge first, since it may have moved records that an earlier merge had moved. */
async function undo(call: HttpCall, deps: SiteHttpDeps, kind: VariantKind, form: Form): Promise<TextAnswer> {
  const key = readKey(form)
  const author = toAuthor(requireCaller(call))
  const ids = form.getAll('batch')
  if (ids.length === 0 || !ids.every(isIdText)) throw new Refused({ code: 'bad_form' })
  const talks = await countChanged(deps, ids.map(Number))
  if (!isCountTyped(form, talks)) {
    const text = 'Undo restores every field that nobody has changed since.'
    return ask(call, deps, kind, form, { title: 'Undo the merge?', text, label: 'Undo', talks })
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
      return again(call, deps, kind, toSentence(error.problem))
    }
  }
  return goBack(call, deps, kind, { undone: left === 0 ? 'all' : 'some' })
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
