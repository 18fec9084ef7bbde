import { execute, logBatch } from '../../http/execute.ts'
import { type Problem, Refused, toStatus } from '../../http/problem.ts'
import type { Call, HttpCall, TextAnswer, Unrendered } from '../../http/route.ts'
import type { BulkCommand } from '../../record/command.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { BatchReport, BulkPreview } from '../../store/change-log.ts'
import { requireCaller, requireForm, respondEditPage, seeOther, toAuthor } from '../edit-page.tsx'
import { isShortcut, parseInput, readInput, readSeen, type Seen } from './bulk-input.ts'
import { type FormContext, respondForm, respondNoTalks } from './bulk-page.tsx'
import { type PreviewProps, renderPreview } from './bulk-preview.tsx'
import { bulkTexts } from './bulk-texts.ts'
import { parseChosen } from './chosen-talks.ts'
import { findTalks } from './listed-talks.ts'
import { titledRefusals } from './refusals.tsx'

interface Context extends FormContext {
  readonly call: HttpCall
  readonly deps: SiteHttpDeps
}

/** `/edit/bulk`: shows the form, the preview, or changes what the preview has shown; `do` says which (decision 62). */
export async function changeMany(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer | Unrendered<ShownPreview>> {
  const form = requireForm(call)
  const page = { call, deps, site: await openSite(call, deps), caller: requireCaller(call) }
  const choice = parseChosen(form)
  if (choice.is !== 'chosen') return respondNoTalks(page, choice)
  const context = { ...page, input: readInput(form, choice.chosen) }
  const action = form.get('do') ?? ''
  if (action === 'preview' || isShortcut(action)) return preview(context)
  if (action === 'apply') return apply(context, readSeen(form, false))
  if (action === 'apply-others') return apply(context, readSeen(form, true))
  return respondForm(context)
}

interface ShownPreview extends Omit<PreviewProps, 'site' | 'caller'> {
  readonly status: number
}

/** Runs on a query thread, since it compares texts (decision 70). */
export async function renderBulkPreview(
  call: Call,
  deps: SiteDeps,
  { status, ...shown }: ShownPreview,
): Promise<TextAnswer> {
  const html = renderPreview({ ...shown, site: await openSite(call, deps), caller: requireCaller(call) })
  return { ...respondEditPage(call, html), status }
}

interface Notice {
  readonly text: string
  readonly status: number
}

async function preview(context: Context, notice?: Notice): Promise<TextAnswer | Unrendered<ShownPreview>> {
  const { deps, caller, input } = context
  const parsed = parseInput(input, null)
  if (!parsed.ok) return respondForm(context, { errors: parsed.errors })
  const { request, patch } = parsed
  const result = await run(context, { kind: 'bulk', author: toAuthor(caller), request, isDryRun: true })
  if (result.is === 'refused') return respondForm(context, result)
  const { batch: report, preview: found } = result
  if (found === null) throw new Error('a dry run had no preview')
  const talks = (await findTalks(deps, toShownIds(report, found))) ?? new Map()
  const shown = { input, patch, report, preview: found, talks, formKey: crypto.randomUUID() }
  const status = notice?.status ?? 200
  return { unrendered: { ...shown, status, ...(notice === undefined ? {} : { notice: notice.text }) } }
}

/** Talks that the preview shows by title. */
function toShownIds({ refused }: BatchReport, { differences }: BulkPreview): number[] {
  const byReason = Map.groupBy(refused, ({ problem }) => problem)
  const titled = [...byReason.values()].flatMap((records) => records.slice(0, titledRefusals))
  return [...new Set([...differences, ...titled].map(({ id }) => id))]
}

/** A long batch goes on in the background; its page shows how far it is. */
async function apply(context: Context, seen: Seen | null): Promise<TextAnswer | Unrendered<ShownPreview>> {
  const { call, deps, site, caller, input } = context
  const { notices } = bulkTexts
  if (seen === null) return preview(context, { text: notices.unseen, status: 409 })
  const parsed = parseInput(input, seen)
  if (!parsed.ok) return respondForm(context, { errors: parsed.errors })
  const { request, reason } = parsed
  const said = { author: toAuthor(caller), idempotencyKey: seen.key, ...(reason === null ? {} : { reason }) }
  const result = await run(context, { kind: 'bulk', request, ...said })
  if (result.is === 'refused') {
    const text = toNotice(result.problem, seen)
    if (text === null) return respondForm(context, result)
    return preview(context, { text, status: toStatus(result.problem) })
  }
  const { batch } = result
  if (batch.id === null) return preview(context, { text: notices.nothing, status: 200 })
  logBatch(deps.log, call, batch)
  return seeOther(call, site.urls.batch(batch.id, { done: 1, list: input.chosen.list || null }))
}

/** Why the preview is shown again; null if another one would not help. */
function toNotice({ code, more, errors }: Problem, { expect }: Seen): string | null {
  const { notices } = bulkTexts
  switch (code) {
    case 'unexpected_count':
      return more?.count === expect ? notices.otherTalks : notices.unexpected_count(Number(more?.count), expect)
    case 'records_refused':
    case 'publisher_required':
      return notices.refused
    case 'key_reused':
      return notices.key
    case 'bad_fields':
      return errors?.has('as_of') === true ? notices.unseen : null
    default:
      return null
  }
}

type Result =
  | { readonly is: 'batch'; readonly batch: BatchReport; readonly preview: BulkPreview | null }
  | { readonly is: 'refused'; readonly problem: Problem }

/** Refusals are told in a page that keeps what was filled in. */
async function run({ call, deps }: Context, command: BulkCommand): Promise<Result> {
  try {
    const outcome = await execute(deps, call, command)
    if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`a bulk change was ${outcome.is}`)
    return { is: 'batch', batch: outcome.batch, preview: outcome.preview ?? null }
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', problem: error.problem }
    throw error
  }
}
