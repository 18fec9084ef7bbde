import { executeAs, executeBatch, logBatch, logChange } from '../../http/execute.ts'
import { type Problem, Refused, toSentence } from '../../http/problem.ts'
import { type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import type { BatchCommand } from '../../record/command.ts'
import { writableNames } from '../../record/fields.ts'
import { isTakenName } from '../../record/parse-bulk.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { maxDistinct, parseDismissal } from '../../record/variants/variant.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { UrlParameters } from '../../site/urls.ts'
import { requireCaller, requireForm, seeOther } from '../edit-page.tsx'
import { readKey } from '../names/name-command.ts'
import { parseNoticeIds } from './duplicate-notice.tsx'
import { respondDuplicates } from './duplicates.tsx'

/** `POST /edit/duplicates`: keeps one of two talks, calls them different, or undoes that. */
export async function changeDuplicates(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const action = form.get('do') ?? ''
  const kept = /^keep-(\d{1,15})$/.exec(action)?.[1]
  if (kept !== undefined) return merge(call, deps, form, Number(kept))
  if (action === 'distinct' || action === 'all-distinct' || action === 'show')
    return dismiss(call, deps, form, action === 'all-distinct' ? 'group' : 'ids')
  if (action === 'undo') return undo(call, deps, form)
  throw new Refused({ code: 'bad_form' })
}

/** Back to the same number of the list, where the next pair is now. */
async function goOn(call: HttpCall, deps: SiteHttpDeps, done: UrlParameters): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const [reason, n, compare] = ['reason', 'n', 'compare'].map((name) => call.query().get(name))
  return seeOther(call, urls.duplicates({ reason, n, compare, ...done }))
}

async function merge(call: HttpCall, deps: SiteHttpDeps, form: Form, into: number): Promise<TextAnswer> {
  const id = parseNoticeIds(form.get('ids')).find((each) => each !== into)
  if (id === undefined) throw new Refused({ code: 'bad_form' })
  const take = writableNames.filter(isTakenName).filter((name) => form.get(`take.${name}`) === String(id))
  const base = form.get(`etag.${into}`) ?? ''
  return runBatch(call, deps, {
    ...{ kind: 'merge records', id, into, take, author: toAuthor(requireCaller(call)), idempotencyKey: readKey(form) },
    precondition: { ifMatch: [form.get(`etag.${id}`) ?? ''] },
    ...(take.length === 0 ? {} : { intoBase: base }),
  })
}

const undo = (call: HttpCall, deps: SiteHttpDeps, form: Form) => {
  const batch = form.get('batch') ?? ''
  if (!isIdText(batch)) throw new Refused({ code: 'bad_form' })
  const author = toAuthor(requireCaller(call))
  return runBatch(call, deps, { kind: 'undo', batch: Number(batch), author, idempotencyKey: readKey(form) })
}

/** A refusal leaves everything as it is; the page shows the current values. */
const runBatch = (call: HttpCall, deps: SiteHttpDeps, command: BatchCommand) =>
  explainRefusal(call, deps, async () => {
    const { batch } = await executeBatch(deps, call, command)
    logBatch(deps.log, call, batch)
    return goOn(call, deps, command.kind === 'undo' ? { undone: batch.id } : { merged: batch.id })
  })

async function explainRefusal(call: HttpCall, deps: SiteHttpDeps, run: () => Promise<TextAnswer>): Promise<TextAnswer> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code === 'cut_off') throw error
    return respondDuplicates(
      call,
      deps,
      <p class="edit-problem" role="alert">
        {toReason(error.problem)}
      </p>,
    )
  }
}

function toReason(problem: Problem): string {
  switch (problem.code) {
    case 'stale':
      return 'Somebody has changed one of these talks. Nothing was merged. This page shows the current values; choose again.'
    case 'merged':
    case 'draft_target':
    case 'not_found':
      return 'One of these talks was merged, withdrawn or erased in the meantime. Nothing was changed.'
    case 'key_reused':
      return 'You have decided about that pair already. Nothing was changed now.'
    default:
      return toSentence(problem)
  }
}

/** `field`: which ids are called different, or no longer are. */
async function dismiss(call: HttpCall, deps: SiteHttpDeps, form: Form, field: 'ids' | 'group'): Promise<TextAnswer> {
  const isDismissed = form.get('do') !== 'show'
  const parsed = parseDismissal({ ids: parseNoticeIds(form.get(field)), dismissed: isDismissed }, maxDistinct)
  if (!parsed.ok) throw new Refused({ code: 'bad_form' })
  const author = toAuthor(requireCaller(call))
  const command = { kind: 'dismiss variants', of: 'video', author, ...parsed.value } as const
  return explainRefusal(call, deps, async () => {
    const keyed = { ...command, idempotencyKey: readKey(form) }
    const { wasWritten } = await executeAs('dismissal', deps, call, keyed)
    const ids = parsed.value.ids.map(String)
    if (wasWritten) logChange(deps, call, author.name, { kind: command.kind, of: command.of, ids })
    return goOn(call, deps, isDismissed ? { distinct: ids.join() } : { shown: 1 })
  })
}
