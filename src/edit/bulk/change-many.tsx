import { executeBatch, logBatch } from '../../http/execute.ts'
import { type Problem, Refused, toSentence, toStatus } from '../../http/problem.ts'
import {
  type Call,
  type Caller,
  type Form,
  type HttpCall,
  type TextAnswer,
  toAuthor,
  type Unrendered,
} from '../../http/route.ts'
import type { BulkCommand } from '../../record/command.ts'
import type { JsonObject } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { BatchReport, BulkPreview } from '../../store/batch-reads.ts'
import { isBig, isCountTyped } from '../big-step.tsx'
import { renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { toUntickedHref } from '../lists/list-query.ts'
import { renderBulkForm } from './bulk-form.tsx'
import {
  type BulkInput,
  isShortcut,
  type PreviewSeen,
  parseInput,
  readInput,
  readPreviewSeen,
  readTrail,
} from './bulk-input.ts'
import { type PreviewProps, renderPreview, titledRefusals } from './bulk-preview.tsx'
import { findSelectedSample, findTalksById, type ParsedSelectedTalks, parseSelectedTalks } from './selected-talks.tsx'

/** `/edit/bulk?id=1&id=2` and `/edit/bulk?list=…`: the form of a bulk change. */
export async function showBulk(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const page = { call, deps, site: await openSite(call, deps), caller: requireCaller(call) }
  const choice = parseSelectedTalks(call.query())
  if (choice.is !== 'chosen') return respondNoTalks(page, choice)
  return respondForm({ ...page, input: readInput(call.query(), choice.chosen) })
}

/** `POST /edit/bulk`: shows the form or the preview, or makes the change of the preview; `do` says which (decision 62). */
export async function changeMany(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer | Unrendered<ShownPreview>> {
  const form = requireForm(call)
  const page = { call, deps, site: await openSite(call, deps), caller: requireCaller(call) }
  const choice = parseSelectedTalks(form)
  if (choice.is !== 'chosen') return respondNoTalks(page, choice)
  const context = { ...page, input: readInput(form, choice.chosen) }
  const trail = readTrail(form)
  if (trail !== null) return turnPage(context, readPreviewSeen(form, false), trail)
  const action = form.get('do') ?? ''
  if (action === 'preview' || isShortcut(action)) return preview(context)
  if (action === 'apply' || action === 'apply-others') {
    const seen = readPreviewSeen(form, action === 'apply-others')
    return (await findUnconfirmed(context, form, seen)) ?? apply(context, seen)
  }
  return respondForm(context)
}

interface ShownPreview extends Omit<PreviewProps, 'site' | 'caller' | 'sent'> {
  readonly status: number
}

/** Runs on a query thread, since it compares texts (decision 70). */
export async function renderBulkPreview(
  call: Call,
  deps: SiteDeps,
  { status, ...shown }: ShownPreview,
): Promise<TextAnswer> {
  const html = renderPreview({
    ...shown,
    site: await openSite(call, deps),
    caller: requireCaller(call),
    sent: call.form ?? undefined,
  })
  return { ...respondEditPage(call, html), status }
}

interface PageContext {
  readonly call: Call
  readonly deps: Pick<SiteDeps, 'store'>
  readonly site: Site
  readonly caller: Caller
}

interface FormContext extends PageContext {
  readonly input: BulkInput
}

interface Shown {
  readonly errors?: FieldErrors
  readonly problem?: Problem
}

/** The form with everything that was filled in. */
async function respondForm(context: FormContext, { errors, problem }: Shown = {}): Promise<TextAnswer> {
  const { call, deps, site, caller, input } = context
  const first = await findSelectedSample(deps, input.chosen)
  const isSent = call.method === 'POST'
  const wrong = errors === undefined ? {} : { errors }
  const failed = problem === undefined ? {} : { problem: toProblemText(problem) }
  const answer = respondEditPage(call, renderBulkForm({ site, caller, input, first, isSent, ...wrong, ...failed }))
  const status = problem !== undefined ? toStatus(problem) : errors !== undefined ? 400 : 200
  return { ...answer, status }
}

/** A failure of the store may be temporary, so the text suggests to try again. */
function toProblemText(problem: Problem): string {
  const text = toSentence(problem)
  return toStatus(problem) >= 500 ? `${text} Your input is kept; try again.` : text
}

/** Without talks there is no form. A curator who ticked nothing stays in the work list. */
function respondNoTalks(
  { call, site, caller }: PageContext,
  choice: Exclude<ParsedSelectedTalks, { is: 'chosen' }>,
): TextAnswer {
  if (choice.is === 'unticked') return seeOther(call, toUntickedHref(site.urls, choice.list))
  const isNone = choice.is === 'none'
  const title = isNone ? 'No talks selected' : 'This selection cannot be used'
  const body = (
    <div class="bulk-page">
      <h1>{title}</h1>
      {(isNone ? ['Select talks in a work list, or a whole list, then choose what to change.'] : choice.problems).map(
        (text, i) => (
          <p key={i}>{text}</p>
        ),
      )}
      <p>
        <a href={site.urls.editHome}>Go to the work lists</a>
      </p>
    </div>
  )
  const answer = respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
  return { ...answer, status: isNone ? 200 : 400 }
}

interface Context extends FormContext {
  readonly call: HttpCall
  readonly deps: SiteHttpDeps
}

const notPreviewed = 'This change has not been previewed yet. Nothing was changed.'

interface Notice {
  readonly text: string
  readonly status: number
}

/** Shows the first differences of a new dry run. */
async function preview(context: Context, notice?: Notice): Promise<TextAnswer | Unrendered<ShownPreview>> {
  const parsed = parseInput(context.input, null)
  if (!parsed.ok) return respondForm(context, { errors: parsed.errors })
  const { request, patch } = parsed
  const result = await run(context, { kind: 'bulk', author: toAuthor(context.caller), request, isDryRun: true })
  if (result.is === 'refused') return respondForm(context, result)
  return toShown(context, { ...result, patch, trail: [0], formKey: crypto.randomUUID() }, notice)
}

/** Shows further differences, on the conditions of the first page: what is applied is what all pages showed. */
async function turnPage(
  context: Context,
  seen: PreviewSeen | null,
  trail: readonly number[],
): Promise<TextAnswer | Unrendered<ShownPreview>> {
  if (seen === null) return preview(context, { text: notPreviewed, status: 409 })
  const parsed = parseInput(context.input, seen)
  if (!parsed.ok) return respondForm(context, { errors: parsed.errors })
  const { request, patch } = parsed
  const command = {
    kind: 'bulk',
    author: toAuthor(context.caller),
    request,
    isDryRun: true,
    after: trail.at(-1) ?? 0,
  } as const
  const result = await run(context, command)
  if (result.is === 'refused') return previewAgain(context, result, seen)
  const { batch, preview: found } = result
  return toShown(context, { batch, preview: found && { ...found, as_of: seen.asOf }, patch, trail, formKey: seen.key })
}

interface DryRun extends Pick<Extract<Result, { is: 'batch' }>, 'batch' | 'preview'> {
  readonly patch: JsonObject
  readonly trail: readonly number[]
  readonly formKey: string
}

async function toShown(
  { deps, input }: Context,
  { batch: report, preview: found, ...known }: DryRun,
  notice?: Notice,
): Promise<Unrendered<ShownPreview>> {
  if (found === null) throw new Error('a dry run had no preview')
  const talks = (await findTalksById(deps, toShownIds(report, found))) ?? new Map()
  const shown = { input, report, preview: found, talks, ...known }
  const status = notice?.status ?? 200
  return { unrendered: { ...shown, status, ...(notice === undefined ? {} : { notice: notice.text }) } }
}

/** After a refusal: a new preview that says why, or the form if a preview would be refused too. */
function previewAgain(context: Context, refused: Extract<Result, { is: 'refused' }>, seen: PreviewSeen) {
  const text = toNotice(refused.problem, seen)
  if (text === null) return respondForm(context, refused)
  return preview(context, { text, status: toStatus(refused.problem) })
}

/** Talks that the preview shows by title. */
function toShownIds({ refused }: BatchReport, { differences }: BulkPreview): number[] {
  const byReason = Map.groupBy(refused, ({ problem }) => problem)
  const titled = [...byReason.values()].flatMap((records) => records.slice(0, titledRefusals))
  return [...new Set([...differences, ...titled].map(({ id }) => id))]
}

/** The preview again if the change is a big one and its number is missing; null if it may be made. */
async function findUnconfirmed(context: Context, form: Form, seen: PreviewSeen | null) {
  if (seen === null || !isBig(seen.expect)) return null
  const shown = await preview(context)
  return 'unrendered' in shown && isCountTyped(form, shown.unrendered.report.changed) ? null : shown
}

/** A long batch runs in the background; its page shows the progress. */
async function apply(context: Context, seen: PreviewSeen | null): Promise<TextAnswer | Unrendered<ShownPreview>> {
  const { call, deps, site, caller, input } = context
  if (seen === null) return preview(context, { text: notPreviewed, status: 409 })
  const parsed = parseInput(input, seen)
  if (!parsed.ok) return respondForm(context, { errors: parsed.errors })
  const { request, reason } = parsed
  const authorship = { author: toAuthor(caller), idempotencyKey: seen.key, ...(reason === null ? {} : { reason }) }
  const result = await run(context, { kind: 'bulk', request, ...authorship })
  if (result.is === 'refused') return previewAgain(context, result, seen)
  const { batch } = result
  if (batch.id === null)
    return preview(context, {
      text: 'The talks already have these values, so nothing was changed.',
      status: 200,
    })
  logBatch(deps.log, call, batch)
  return seeOther(call, site.urls.batch(batch.id, { done: 1, list: input.chosen.list || null }))
}

/** Why the preview is shown again; null if a new preview would not help. */
function toNotice({ code, more, errors }: Problem, { expect }: PreviewSeen): string | null {
  switch (code) {
    case 'unexpected_count':
      return more?.count === expect
        ? 'The selection no longer matches the preview. Nothing was changed. Check it again.'
        : `The selection has changed since the preview: it has ${toCounted(Number(more?.count), 'talk')} now, not ${toNumber(expect)}. Nothing was changed. Check it again.`
    case 'records_refused':
    case 'publisher_required':
      return 'Some of these talks have been changed since the preview. Nothing was changed. Check them again.'
    case 'key_reused':
      return 'You already sent this form with a different reason. Check the talks again.'
    case 'bad_fields':
      return errors?.has('as_of') === true ? notPreviewed : null
    default:
      return null
  }
}

type Result =
  | { readonly is: 'batch'; readonly batch: BatchReport; readonly preview: BulkPreview | null }
  | { readonly is: 'refused'; readonly problem: Problem }

/** A refusal is shown in a page that keeps the input. */
async function run({ call, deps }: Context, command: BulkCommand): Promise<Result> {
  try {
    const { batch, preview = null } = await executeBatch(deps, call, command)
    return { is: 'batch', batch, preview }
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', problem: error.problem }
    throw error
  }
}
