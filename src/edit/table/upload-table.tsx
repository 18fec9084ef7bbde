import { executeAs, logBatch } from '../../http/execute.ts'
import { type Problem, Refused, requireRead, toSentence, toStatus } from '../../http/problem.ts'
import { type Call, type Caller, type HttpCall, type TextAnswer, toAuthor, type Unrendered } from '../../http/route.ts'
import { parseReason, type TableCommand } from '../../record/command.ts'
import { listSeveral, parseCell } from '../../record/table/cells.ts'
import { isColumnName } from '../../record/table/columns.ts'
import { type TableRequest, type TableRow, toShownOrder } from '../../record/table/table-rows.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { RowVerdict, TablePreview } from '../../store/batch-reads.ts'
import type { Outcome } from '../../store/store.ts'
import { isBig, isCountTyped } from '../big-step.tsx'
import { readBatchPage, respondBatch } from '../changes/batch.tsx'
import { readBatchView } from '../changes/batch-view.ts'
import { requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { findEventTitle } from '../new/new-talk.tsx'
import { isCorrectable, type PreviewRow, RefusedRows, type ShownRefusals } from './refused-rows.tsx'
import { renderColumns, renderTableForm } from './table-form.tsx'
import {
  eventControl,
  readTableInput,
  type TableInput,
  toCellControl,
  toHiddenInput,
  toPastedText,
  toRequestRows,
} from './table-input.ts'
import { renderTablePreview, rowsPerPage, type ShownTable } from './table-preview.tsx'
import type { TableCounts } from './table-warnings.tsx'

/** `/edit/table?event=…&text=…`: asks for a table. */
export async function showTable(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const query = call.query()
  const event = (await findEventTitle(deps.store, query.get('event') ?? '')).get('category') ?? ''
  const shown = { site, caller: requireCaller(call), problems: [], text: query.get('text') ?? '', event }
  return respondEditPage(call, renderTableForm(shown))
}

/** `POST /edit/table`: reads a table, asks for its columns, shows a preview or applies it; `do` says which (decision 85). */
export async function uploadTable(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer | Unrendered<TableStep>> {
  const form = requireForm(call)
  const page = { call, deps, site: await openSite(call, deps), caller: requireCaller(call) }
  const action = form.get('do') ?? ''
  const parsed = readTableInput(form, call.files)
  if (!parsed.ok) {
    const typed = { text: form.get('text') ?? '', event: form.get(eventControl) ?? '' }
    const answer = respondEditPage(call, renderTableForm({ ...page, ...typed, problems: [parsed.problem] }))
    return { ...answer, status: 400 }
  }
  const context = { ...page, input: parsed.input }
  const isUnknown = action === 'read' && parsed.input.columns.includes(null)
  if (action === 'columns' || isUnknown) return respondColumns(context)
  const rows = toRequestRows(parsed.input)
  if (!rows.ok) return respondColumns(context, rows.problems)
  const table = { ...context, rows: rows.rows }
  if (action === 'apply' || action === 'apply-others') return apply(table, readSeen(form), action === 'apply-others')
  const [, from = '0'] = /^page-(\d{1,6})$/.exec(action) ?? []
  // The rows have another order then: refused ones come first.
  return preview(table, { from: parsed.input.isCorrected ? 0 : Number(from) })
}

/** The rows that were left out of a batch. */
interface LeftOut {
  readonly is: 'left out'
  readonly batch: number
  readonly refusals: ShownRefusals
}

type TableStep = ShownTable | LeftOut

/** Runs on a query thread, since it compares texts (decision 70). */
export async function renderTable(call: Call, deps: SiteDeps, shown: TableStep): Promise<TextAnswer> {
  if (shown.is === 'left out') return respondLeftOut(call, deps, shown)
  const html = renderTablePreview(await openSite(call, deps), requireCaller(call), shown, call.form ?? undefined)
  return { ...respondEditPage(call, html), status: shown.status }
}

/** Not a redirect: only this request knows the rows. A second one shows the batch alone. */
async function respondLeftOut(call: Call, deps: SiteDeps, { batch, refusals }: LeftOut): Promise<TextAnswer> {
  const view = await readBatchView(deps.store, requireCaller(call), batch, 0)
  const page = await readBatchPage(call, deps, view, true)
  return respondBatch(call, { ...page, more: <RefusedRows {...page} refusals={refusals} /> })
}

interface Context {
  readonly call: HttpCall
  readonly deps: SiteHttpDeps
  readonly site: Site
  readonly caller: Caller
  readonly input: TableInput
}

interface TableContext extends Context {
  readonly rows: readonly TableRow[]
}

function respondColumns({ call, site, caller, input }: Context, problems: readonly string[] = []): TextAnswer {
  const answer = respondEditPage(call, renderColumns({ site, caller, input, problems }))
  return problems.length === 0 ? answer : { ...answer, status: 400 }
}

interface PreviewOptions {
  readonly from?: number
  /** Why the preview is shown again. */
  readonly notice?: string
  readonly status?: number
}

async function preview(context: TableContext, options: PreviewOptions = {}): Promise<Unrendered<ShownTable>> {
  const { deps, input } = context
  const { from = 0, notice, status = 200 } = options
  const request = { ...toRequest(context), shown: { from, count: rowsPerPage } }
  const outcome = await run(context, { ...toCommand(context), request, isDryRun: true })
  if (outcome.table === undefined) throw new Error('a dry run had no preview')
  const { table } = outcome
  const counts = toCounts(table.rows)
  const events = listEvents(context, table)
  const known = requireRead(await deps.store.findCategorySlugs(events.all))
  const shown = toShownRows(table, toShownOrder(table.rows).slice(from, from + rowsPerPage), context)
  const isLeft = counts.created + counts.changed === 0 && !shown.some(isCorrectable)
  return {
    unrendered: {
      ...{ is: 'preview', status, from, reason: input.reason, guessed: input.guessed },
      notices: notice === undefined ? [] : [notice],
      hidden: { ...toHiddenInput(input, true), as_of: String(table.as_of), key: crypto.randomUUID() },
      counts: { ...counts, several: countSeveral(context, table) },
      rows: shown,
      event: events.ofNew.length === 1 ? (events.ofNew[0] ?? null) : null,
      newEvents: events.all.filter((title) => !known.has(title)),
      refusals: isLeft ? toRefusals(context, table.rows) : null,
    },
  }
}

const toCommand = ({ caller }: Context) => ({ kind: 'table', author: toAuthor(caller) }) as const

const toRequest = ({ rows, input: { mayRepeatVideos } }: TableContext): TableRequest => ({
  ...{ rows, mayRepeatVideos, asOf: null, isPartial: true, shown: null },
})

function toCounts(rows: readonly RowVerdict[]): Omit<TableCounts, 'several'> {
  const count = (isCounted: (verdict: RowVerdict) => boolean) => rows.filter(isCounted).length
  return {
    created: count(({ is }) => is === 'created'),
    changed: count(({ is }) => is === 'changed'),
    unchanged: count(({ is }) => is === 'unchanged'),
    refused: count(({ is }) => is === 'refused'),
    overwriting: count(({ isOverwriting }) => isOverwriting),
    repeated: count(({ same }) => same !== null),
  }
}

function countSeveral({ rows }: TableContext, table: TablePreview): number {
  const created = new Set(table.rows.flatMap(({ is, row }) => (is === 'created' ? [row] : [])))
  const hasSeveral = ([name, cell]: TableRow['cells'][number]) => {
    const parsed = name === 'speakers' || name === 'tags' ? parseCell(name, cell, null) : null
    return parsed?.ok === true && listSeveral(name, parsed.value).length > 0
  }
  return rows.filter(({ row, cells }) => created.has(row) && cells.some(hasSeveral)).length
}

/** Null if there are none. */
function toRefusals(context: TableContext, verdicts: readonly RowVerdict[]): ShownRefusals | null {
  const { input } = context
  const refused = verdicts.filter(({ is }) => is === 'refused')
  if (refused.length === 0) return null
  return {
    count: refused.length,
    rows: toShownRows({ differences: [] }, refused.slice(0, rowsPerPage), context),
    text: toPastedText(input, new Set(refused.map(({ row }) => row))),
    hidden: { [eventControl]: input.event, ...(input.mayRepeatVideos ? { repeat: '1' } : {}) },
  }
}

/** A form has at most 1,000 fields, and a preview has fifty rows and up to a hundred columns. */
const maxCellsPerRow = 10

function toShownRows(
  table: Pick<TablePreview, 'differences'>,
  verdicts: readonly RowVerdict[],
  { input, rows }: TableContext,
): PreviewRow[] {
  const differences = new Map(table.differences.map((each) => [each.row, each]))
  const plain = new Map(rows.map((row) => [row.row, row.cells]))
  const typed = new Map(input.rows.map(({ row, cells }) => [row, cells]))
  const listShown = (verdict: RowVerdict): PreviewRow['cells'] => {
    const fields = differences.get(verdict.row)?.fields ?? {}
    const uncertain = Object.keys(fields).filter((name) => listSeveral(name, fields[name]?.after ?? null).length > 0)
    return [...Object.keys(verdict.errors), ...uncertain].slice(0, maxCellsPerRow).flatMap((name) => {
      const column = isColumnName(name) ? input.columns.indexOf(name) : -1
      const text = typed.get(verdict.row)?.[column]
      return text === undefined ? [] : [{ name, control: toCellControl(verdict.row, column), text }]
    })
  }
  return verdicts.map((verdict) => ({
    verdict,
    difference: differences.get(verdict.row) ?? null,
    title:
      plain
        .get(verdict.row)
        ?.find(([name]) => name === 'title')?.[1]
        .slice(0, 1_000) ?? '',
    cells: listShown(verdict),
  }))
}

/** The events that rows name: those of new talks, and all that the table may set. */
function listEvents({ rows }: TableContext, table: TablePreview) {
  const verdicts = new Map(table.rows.map((verdict) => [verdict.row, verdict.is]))
  const listOf = (wanted: readonly RowVerdict['is'][]) => {
    const cells = rows.filter(({ row }) => wanted.some((is) => is === verdicts.get(row))).flatMap((row) => row.cells)
    return [...new Set(cells.flatMap(([name, cell]) => (name === 'category' ? [cell.trim()] : [])))]
  }
  return { ofNew: listOf(['created']), all: listOf(['created', 'changed']) }
}

interface Seen {
  readonly asOf: number
  readonly key: string
}

/** Null if the form does not come from a preview. */
function readSeen(form: URLSearchParams): Seen | null {
  const [asOf, key] = [form.get('as_of') ?? '', form.get('key') ?? '']
  return /^\d{1,15}$/.test(asOf) && /^[\w-]{1,100}$/.test(key) ? { asOf: Number(asOf), key } : null
}

async function apply(
  context: TableContext,
  seen: Seen | null,
  isPartial: boolean,
): Promise<TextAnswer | Unrendered<TableStep>> {
  const { call, deps, site, input } = context
  const reason = parseReason(input.reason)
  if (seen === null) return preview(context, { notice: notPreviewed, status: 409 })
  if (input.isCorrected) return preview(context, { notice: correctedSince, status: 409 })
  if (!reason.ok) return preview(context, { notice: `Reason: ${reason.problems.join(' ')}`, status: 400 })
  const unconfirmed = await findUnconfirmed(context)
  if (unconfirmed !== null) return unconfirmed
  const request = { ...toRequest(context), asOf: seen.asOf, isPartial }
  const said = reason.value === null ? {} : { reason: reason.value }
  try {
    const { batch, refusedRows = [] } = await run(context, {
      ...toCommand(context),
      request,
      idempotencyKey: seen.key,
      ...said,
    })
    if (batch === null || batch.id === null) return preview(context, { notice: 'Nothing was changed.' })
    logBatch(deps.log, call, batch)
    const refusals = toRefusals(context, refusedRows)
    if (refusals !== null) return { unrendered: { is: 'left out', batch: batch.id, refusals } }
    return seeOther(call, site.urls.batch(batch.id, { done: 1 }))
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code === 'cut_off') throw error
    return preview(context, { notice: toNotice(error.problem), status: toStatus(error.problem) })
  }
}

/** The preview again if many talks would change and their number is missing; null if the table may be applied. */
async function findUnconfirmed(context: TableContext): Promise<Unrendered<ShownTable> | null> {
  if (!isBig(context.rows.length)) return null
  const shown = await preview(context)
  const { created, changed } = shown.unrendered.counts
  return isCountTyped(requireForm(context.call), created + changed) ? null : shown
}

const correctedSince = 'This is the table as you corrected it. Nothing is changed yet.'
const notPreviewed = 'This table has not been previewed yet. Nothing was changed.'

/** Why the preview is shown again. */
function toNotice(problem: Problem): string {
  switch (problem.code) {
    case 'records_refused':
    case 'publisher_required':
    case 'outside_event':
      return 'Some of these talks have been changed since the preview. Nothing was changed. Check the rows again.'
    case 'key_reused':
      return 'You already sent this form with a different reason. Check the rows again.'
    case 'bad_fields':
      return notPreviewed
    default:
      return `${toSentence(problem)} Nothing was changed; try again.`
  }
}

async function run({ call, deps }: Context, command: TableCommand): Promise<Extract<Outcome, { is: 'batch' }>> {
  return executeAs('batch', deps, call, command)
}
