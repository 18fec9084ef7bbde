import type { FormAttributes, JSX } from '#jsx/jsx-runtime'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import type { FindingCode } from '../../record/quality/finding-codes.ts'
import { type FieldErrors, parseRecordId } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { draft, live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { Chips } from '../../site/part/layout.tsx'
import { Pager } from '../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { Schedule } from '../../store/activity-reads.ts'
import type { fixShortcuts } from '../bulk/bulk-edits.tsx'
import { PostForm, renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { fineLabel, readAcceptedAt, UndoAcceptance } from './decide-findings.tsx'
import { findListKind, listTitles, parkedDrafts, toListTitle, toToday } from './known-lists.ts'
import { FilterForm, toListChips } from './list-filters.tsx'
import {
  changeParameters,
  defaultSize,
  parseNamedList,
  readFindingFilter,
  toCleanParameters,
  toCsvHref,
  toListFilters,
  toListHref,
  toListName,
  type WorkQuery,
} from './list-query.ts'
import { maxParked, toLeftReason, toParkLabel } from './park.tsx'
import { readSchedules, ScheduleListNotice } from './publish-later.tsx'
import { countList, findListEvent, type RowPage, readRows } from './read-list.ts'
import { shownFields, WorkTable } from './work-table.tsx'

/** `/edit/list?…`: a work list, named by its URL. */
export async function showWorkList(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const sent = call.query()
  const parameters = toCleanParameters(sent)
  // A form sends its empty fields, too; the URL of a list has none.
  if ([...sent].some(([, value]) => value === '')) return seeOther(call, toListHref(site.urls, parameters))
  const caller = requireCaller(call)
  const read = parsePageQuery(parameters)
  if (!read.ok) return respondBadFilters(call, { site, caller, parameters, title: listTitles.custom }, read.errors)
  const { query } = read
  // Before the rows: what changes after it is not what the person sees.
  const { seq: asOf } = requireRead(await deps.store.findLastSeq())
  const found = await readRows<(typeof shownFields)[number]>(deps.store, query, shownFields, call.signal)
  const last = Math.max(1, Math.ceil(found.count / query.pageSize))
  // The list has become shorter since the link was made.
  if (found.page > last) return seeOther(call, toListHref(site.urls, parameters, { page: String(last) }))
  const event = await findListEvent(deps.store, parameters, found.rows)
  const [filters, today] = [toListFilters(parameters), toToday(Date.now())]
  const title = toListTitle(filters, caller.name, today, event)
  const view = { site, caller, parameters, title }
  const hasParkedLink = findListKind(filters, caller.name, today) === 'drafts' && !filters.has('category')
  const parkedCount = hasParkedLink ? await countList(deps.store, parkedDrafts, call.signal) : 0
  const decide = {
    asOf,
    own: readFindingFilter(parameters),
    isHidden: await isHiddenList(deps, parameters, call.signal),
  }
  // A notice may be about a talk that is on another page now.
  const noted = parseRecordId(parameters.get('code') ?? '')
  const drafts = (found.rows ?? []).flatMap(({ record }) => (record.state === draft ? [record.id] : []))
  const schedules = await readSchedules(deps.store, call.signal, noted === null ? drafts : [...drafts, noted])
  const listed = { event, query, found, last, parkedCount, schedules }
  return respond(call, view, <ListBody {...view} {...listed} {...decide} />)
}

/** Whether the list of one finding is hidden on the overview. */
async function isHiddenList({ store }: SiteDeps, parameters: URLSearchParams, signal: AbortSignal): Promise<boolean> {
  const [code, ...others] = readFindingFilter(parameters)
  if (code === undefined || others.length > 0) return false
  const { hidden } = requireRead(await store.countFindings({ page: 1, pageSize: 1 }, signal))
  return hidden.some((each) => each.code === code)
}

type PageQuery = { readonly ok: true; readonly query: WorkQuery } | { readonly ok: false; readonly errors: FieldErrors }

function parsePageQuery(parameters: URLSearchParams): PageQuery {
  const sized = new URLSearchParams(parameters)
  if (!sized.has('page_size')) sized.set('page_size', String(defaultSize))
  sized.delete('cursor')
  const parsed = parseNamedList(sized)
  if (!parsed.ok && parsed.problem === 'no_such_page') throw new Refused({ code: 'no_such_page' })
  return parsed
}

interface View {
  readonly site: Site
  readonly caller: Caller
  readonly parameters: URLSearchParams
  readonly title: string
}

function respond(call: Call, { site, caller, title }: View, body: JSX.Element): TextAnswer {
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

/** The form with its errors. */
function respondBadFilters(call: Call, view: View, errors: FieldErrors): TextAnswer {
  const body = (
    <div class="edit-page work-list">
      <h1>{listTitles.custom}</h1>
      <div class="error-summary" role="alert">
        <h2>These filters cannot be used</h2>
        <ul>
          {[...errors].map(([name, problems]) => (
            <li key={name}>{problems.join(' ')}</li>
          ))}
        </ul>
        <p>
          <a href={view.site.urls.workList()}>Clear filters</a>
        </p>
      </div>
      <FilterForm {...view} errors={errors} />
    </div>
  )
  return { ...respond(call, view, body), status: 400 }
}

interface BodyProps {
  readonly site: Site
  readonly caller: Caller
  readonly parameters: URLSearchParams
  readonly title: string
  readonly event: string | null
  readonly query: WorkQuery
  readonly found: RowPage<(typeof shownFields)[number]>
  /** The number of the last page. */
  readonly last: number
  /** The number of parked drafts on the list of drafts; 0 on all others. */
  readonly parkedCount: number
  /** Seq of the last change that the page shows. */
  readonly asOf: number
  /** The findings that the list is narrowed to. */
  readonly own: readonly FindingCode[]
  readonly isHidden: boolean
  readonly schedules: ReadonlyMap<number, Schedule>
}

const noErrors = new Map()

function ListBody(props: BodyProps) {
  const { site, parameters, title, found, last } = props
  const { urls } = site
  return (
    <div class="edit-page work-list">
      <header class="list-head">
        <h1>
          {title} <span class="muted">{toCounted(found.count, 'talk')}</span> <ParkedLink {...props} />
        </h1>
        <HideButton {...props} />
        <Files {...props} />
      </header>
      <ListNotice {...props} />
      <ScheduleListNotice {...props} list={toListName(parameters)} />
      <FilterForm site={site} parameters={parameters} errors={noErrors} />
      <Chips chips={toListChips(urls, parameters, props.event)} clearHref={urls.workList()} />
      <Rows {...props} />
      <Pager
        hasKeys
        page={found.page}
        last={last}
        toHref={(page) => toListHref(urls, parameters, { page: String(page) })}
      />
    </div>
  )
}

/** For publishers, on the list of one finding in all events. */
function HideButton({ site, caller, parameters, own, isHidden }: BodyProps) {
  const [code] = own
  if (code === undefined || toListFilters(parameters).size > 1 || own.length > 1) return null
  if (!hasRole(caller.role, 'publisher')) return null
  return (
    <PostForm caller={caller} action={site.urls.hideFindings} class="hide-list" hidden={{ code }}>
      <button type="submit" name="do" value={isHidden ? 'show' : 'hide'} class="button quiet small">
        {isHidden ? 'Show this list again' : 'Hide this list'}
      </button>
    </PostForm>
  )
}

/** The same list for programs. */
function Files({ site: { urls }, caller, parameters }: BodyProps) {
  const filters = new URLSearchParams(toListName(parameters))
  return (
    <p class="machines">
      <a href={toCsvHref(urls, parameters)} download>
        Download as CSV
      </a>
      {hasRole(caller.role, 'editor') && <a href={urls.table({ event: parameters.get('category') })}>Upload</a>}
      <a href={urls.api('video', changeParameters(filters, {}))}>JSON</a>
    </p>
  )
}

function Rows(props: BodyProps) {
  const { site, caller, parameters, title, query, found } = props
  const list = toListName(parameters)
  if (found.rows === null) {
    return (
      <p>
        This page has too much text to show at once.{' '}
        <a href={toListHref(site.urls, parameters, { page_size: '20' })}>Show 20 per page</a>
      </p>
    )
  }
  if (found.rows.length === 0) {
    return (
      <p class="empty">
        No talks match these filters. <a href={site.urls.editHome}>Back to the work lists</a>
      </p>
    )
  }
  const from = (found.page - 1) * query.pageSize + 1
  // A reload must not restore ticks that nobody sees.
  const attributes: FormAttributes = { 'data-list-form': props.last === 1 ? 'whole' : 'part', autocomplete: 'off' }
  const [code] = props.own
  const isOne = props.own.length === 1
  const isPublisher = hasRole(caller.role, 'publisher')
  const canAccept = ({ record }: { readonly record: { readonly state: number } }) =>
    isOne && hasRole(caller.role, 'editor') && (isPublisher || record.state === draft)
  const caption = `${title}: ${toNumber(from)} to ${toNumber(from + found.rows.length - 1)} of ${toNumber(found.count)}`
  return (
    <PostForm
      caller={caller}
      action={site.urls.bulk()}
      class="list-form"
      attributes={attributes}
      hidden={{ list, scope: 'ticked', ...(isOne && { code: code ?? '', as_of: String(props.asOf) }) }}
    >
      <ListActions
        {...{ site, caller, list }}
        count={found.count}
        hasDrafts={mayHaveDrafts(found, parameters)}
        isParked={parameters.get('parked') === '1'}
        code={isOne ? (code ?? null) : null}
      />
      <WorkTable
        {...{ site, parameters, query, caption, list, canAccept }}
        {...{ own: props.own, rows: found.rows, schedules: props.schedules }}
        canKeep={isPublisher && parameters.has('scheduled')}
      />
    </PostForm>
  )
}

/** The list of drafts has no parked ones; this links to them. */
function ParkedLink({ site: { urls }, parkedCount }: BodyProps) {
  if (parkedCount === 0) return null
  return (
    <a class="muted" href={urls.workList(parkedDrafts)}>
      and {toNumber(parkedCount)} set aside
    </a>
  )
}

const tickFirst = 'Select talks first, or choose the whole list.'

/** What a form of the list has done. The URL has codes and numbers only, so that nobody can put a text into the page. */
function ListNotice({ site, caller, parameters, own: [code] }: BodyProps) {
  const [count, left] = [parseCount(parameters.get('count')), parseCount(parameters.get('left'))]
  const at = readAcceptedAt(parameters)
  const text = toNotice(parameters.get('done'), count)
  if (text === null) return null
  return (
    <div class="edit-notice" role="status">
      <p>
        {text}{' '}
        {left > 0 &&
          `${toCounted(left, 'talk was', 'talks were')} not changed: ${toLeftReason(parameters.get('done'))}`}
      </p>
      {code !== undefined && at !== null && (
        <UndoAcceptance {...{ site, caller, code, at }} list={toListName(parameters)} />
      )}
    </div>
  )
}

function toNotice(done: string | null, count: number): string | null {
  switch (done) {
    case 'parked':
      return `${toCounted(count, 'talk')} set aside.`
    case 'unparked':
      return `${toCounted(count, 'talk')} moved back to drafts.`
    case 'fine':
      return count === 1
        ? 'Fine as it is: 1 talk left the list.'
        : `Fine as they are: ${toCounted(count, 'talk')} left the list.`
    case 'again':
      return `${toCounted(count, 'talk is', 'talks are')} in the list again.`
    case 'none':
      return 'Select talks first.'
    case 'unticked':
      return tickFirst
    default:
      return null
  }
}

const parseCount = (text: string | null) => (/^\d{1,4}$/.test(text ?? '') ? Number(text) : 0)

interface ActionProps {
  readonly list: string
  readonly site: Site
  readonly caller: Caller
  /** The number of talks in the whole list. */
  readonly count: number
  /** Whether there may be drafts in the list. */
  readonly hasDrafts: boolean
  /** Whether the list has parked drafts only. */
  readonly isParked: boolean
  /** The finding that can be called fine as it is; null if the list does not have one alone. */
  readonly code: FindingCode | null
}

/** Live talks can be neither published nor set aside. */
function mayHaveDrafts({ rows, count }: BodyProps['found'], parameters: URLSearchParams): boolean {
  const isOnePage = rows?.length === count
  const isDraftShown = rows?.some(({ record }) => record.state === draft) ?? false
  return isDraftShown || (!isOnePage && parameters.get('state') !== String(live))
}

const hint = 'Applies to the selected talks.'

/** Bulk changes that repair most talks of a list; each has a preview. */
const remedies: { readonly [C in FindingCode]?: readonly (readonly [keyof typeof fixShortcuts, label: string])[] } = {
  odd_duration: [
    ['divide', '÷ 1000'],
    ['multiply', '× 60'],
  ],
  several_speakers: [['split', 'Split']],
  insecure_address: [['https', 'http to https']],
  missing_thumbnail: [['thumbnails', 'Fill in thumbnails']],
}

/** What the caller may do with the ticked talks. Bulk changes have a preview. */
function ListActions({ site: { urls }, caller, list, count, hasDrafts, isParked, code }: ActionProps) {
  if (!hasRole(caller.role, 'editor')) return null
  return (
    <fieldset class="list-actions">
      <legend class="hidden-text">Change several talks</legend>
      <button type="submit" class="button quiet" data-key="b">
        Change …
      </button>
      {hasDrafts && hasRole(caller.role, 'publisher') && (
        <button type="submit" class="button quiet" name="do" value="publish">
          Publish …
        </button>
      )}
      {hasDrafts && (
        <button
          type="submit"
          class="button quiet"
          formaction={urls.park}
          name="do"
          value={isParked ? 'unpark' : 'park'}
          data-max-ticks={maxParked}
        >
          {toParkLabel(isParked)}
        </button>
      )}
      {(code === null ? [] : (remedies[code] ?? [])).map(([action, label]) => (
        <button key={action} type="submit" class="button quiet" name="do" value={action}>
          {label} …
        </button>
      ))}
      {code !== null && (
        <button type="submit" class="button quiet" formaction={urls.acceptFindings} data-acts-now>
          {fineLabel}
        </button>
      )}
      <p class="muted" data-ticked={hint} data-unticked={tickFirst} role="status">
        {hint}
      </p>
      <button type="button" class="button quiet small" data-clear-ticks hidden>
        Clear selection
      </button>
      {/* All talks of the archive cannot be changed at once. */}
      {toListFilters(new URLSearchParams(list)).size > 0 && (
        <label class="whole-list">
          <input type="checkbox" name="scope" value="all" />
          {count === 1 ? 'The 1 talk in this list' : `All ${toCounted(count, 'talk')} in this list`}
        </label>
      )}
    </fieldset>
  )
}
