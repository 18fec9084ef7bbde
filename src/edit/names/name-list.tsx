import type { FormAttributes } from '#jsx/jsx-runtime'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { categoryNames } from '../../record/category.ts'
import type { JsonValue } from '../../record/json.ts'
import type { EntryKind } from '../../record/name.ts'
import { profileNames } from '../../record/profile.ts'
import { parsePage } from '../../record/query/query.ts'
import { hasRole } from '../../record/role.ts'
import { byteOrderMark, toCsvLine } from '../../record/table/csv.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toFolded } from '../../record/text/fold.ts'
import { Pager } from '../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { UrlParameters } from '../../site/urls.ts'
import type { NameLine, NameLines } from '../../store/name-reads.ts'
import { PostForm, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { toListParameters } from './curated-name.ts'
import { JoinedNames, kindTitles, Messages, NameTabs, type PageMessages } from './names-layout.tsx'
import { findMergeMessages } from './variants/variant-notice.tsx'

const perPage = 50

/** `/edit/names/speaker`, `tag` and `category`: all names with their counts. */
export function showNameList(kind: EntryKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> =>
    respondNameList(call, deps, kind, await findMessages(call, deps, kind))
}

async function findMessages(call: Call, deps: SiteDeps, kind: EntryKind): Promise<PageMessages> {
  if (kind === 'category') return {}
  const site = await openSite(call, deps)
  const view = readNamesView(call, kind)
  const form = { site, caller: requireCaller(call), action: toViewHref(site, view, { page: view.page }) }
  return (await findMergeMessages(call, deps, kind, form)) ?? {}
}

export async function respondNameList(
  call: Call,
  deps: SiteDeps,
  kind: EntryKind,
  messages: PageMessages,
): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const view = readNamesView(call, kind)
  const { q, initial, order, page } = view
  const query = { kind, prefix: toFolded(q), initial, order, page, pageSize: perPage }
  const names = requireRead(await deps.store.listNameLines(query, call.signal))
  // A merge may have emptied the last page.
  if (names.lines.length === 0 && page > Math.ceil(names.count / perPage) + 1)
    throw new Refused({ code: 'no_such_page' })
  const title = kindTitles[kind]
  const hasMerged = call.query().has('merged')
  const body = <NamesPage {...{ site, caller, view, names, messages, hasMerged }} />
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, title, body))
}

const linesPerRead = 1_000

const csvColumns: { readonly [kind in EntryKind]: readonly string[] } = {
  speaker: ['id', 'name', 'talks', 'live', ...profileNames],
  tag: ['id', 'name', 'talks', 'live'],
  category: ['slug', 'talks', 'live', ...categoryNames],
}

/** `/edit/names/speaker.csv` and the like: all names with what is known of them. */
export function showNamesCsv(kind: EntryKind) {
  return async (call: Call, { store }: SiteDeps): Promise<TextAnswer> => {
    const query = { kind, prefix: '', initial: null, order: 'name', pageSize: linesPerRead, hasFields: true } as const
    const rows: string[] = []
    for (let page = 1, isMore = true; isMore; page++) {
      const { lines } = requireRead(await store.listNameLines({ ...query, page }, call.signal))
      rows.push(...lines.map((line) => toCsvLine(toCells(kind, line))))
      isMore = lines.length === linesPerRead
    }
    const text = [byteOrderMark, toCsvLine(csvColumns[kind]), ...rows].join('')
    const name = kindTitles[kind].toLowerCase()
    return respondEditPage(call, text, {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    })
  }
}

function toCells(kind: EntryKind, { id, name, slug, count, live, fields = {} }: NameLine): (string | number | null)[] {
  const known: { readonly [column: string]: JsonValue | undefined } = { id, name, slug, talks: count, live, ...fields }
  return csvColumns[kind].map((column) => {
    const value = known[column] ?? ''
    return typeof value === 'string' || typeof value === 'number' ? value : [value].flat().join(' ')
  })
}

/** Refuses the request if `page` is not a number. */
export function readPageNumber(call: Call): number {
  const page = parsePage(call.query().get('page'))
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  return page
}

interface NamesPageProps {
  readonly site: Site
  readonly caller: Caller
  readonly view: NamesView
  readonly names: NameLines
  readonly messages: PageMessages
  /** Whether ticked names were merged, so that the browser forgets the ticks. */
  readonly hasMerged: boolean
}

function NamesPage({ site, caller, view, names, messages, hasMerged }: NamesPageProps) {
  const { kind, q } = view
  const isPublisher = hasRole(caller.role, 'publisher')
  return (
    <div class="edit-page names-page">
      <NameTabs site={site} kind={kind} current="list" />
      <div class="names-head">
        <h1>{kindTitles[kind]}</h1>
        <p class="muted">{toCounted(names.count, kind === 'category' ? 'event' : kind)}</p>
        <a href={site.urls.namesCsv(kind)}>Download as CSV</a>
        {kind === 'category' && isPublisher && (
          <a class="button quiet" href={site.urls.newCategory}>
            New event
          </a>
        )}
      </div>
      <Messages {...messages} />
      <div class="names-find">
        <Search site={site} view={view} />
        <Initials site={site} view={view} initials={names.initials} />
      </div>
      {names.lines.length === 0 ? (
        <p class="muted">{q === '' ? 'No names.' : `No name has a word that begins with “${q}”.`}</p>
      ) : kind === 'category' || !isPublisher ? (
        <NameTable site={site} view={view} lines={names.lines} />
      ) : (
        <MergeForm site={site} caller={caller} view={view} lines={names.lines} hasMerged={hasMerged} />
      )}
      <Pager
        page={view.page}
        last={Math.ceil(names.count / perPage)}
        toHref={(page) => toViewHref(site, view, { page })}
      />
    </div>
  )
}

function Search({ site, view }: Pick<NamesPageProps, 'site' | 'view'>) {
  const { kind, q, order } = view
  const label = `Search ${kindTitles[kind].toLowerCase()}`
  return (
    <search class="names-search">
      <form action={site.urls.editNames(kind)} method="get">
        {order === 'name' && <input type="hidden" name="sort" value="name" />}
        <input
          type="search"
          name="q"
          value={q}
          maxlength={maxSearchLength}
          aria-label={label}
          placeholder={label}
          dir="auto"
        />
        <button type="submit">Search</button>
        {(q !== '' || view.initial !== null) && <a href={toViewHref(site, view, { q: '', initial: null })}>Show all</a>}
      </form>
    </search>
  )
}

function Initials({ site, view, initials }: Pick<NamesPageProps, 'site' | 'view'> & Pick<NameLines, 'initials'>) {
  if (initials.length < 2) return null
  return (
    <nav class="jump initials" aria-label="By initial">
      <ul>
        {initials.map(({ initial }) => (
          <li key={initial}>
            <a
              href={toViewHref(site, view, { initial, q: '' })}
              aria-current={initial === view.initial ? 'true' : undefined}
            >
              {initial === 'other' ? '#' : initial.toLocaleUpperCase('en')}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const hint = 'Tick names on as many pages as you like.'

/** Ticks outlast the page and the search, so that spellings from different searches can be merged. */
function MergeForm({
  site,
  caller,
  view,
  lines,
  hasMerged,
}: NameTableProps & Pick<NamesPageProps, 'caller' | 'hasMerged'>) {
  const list = `names=${view.kind}`
  const attributes: FormAttributes = { 'data-list-form': 'part', 'data-ticks-of': 'name', autocomplete: 'off' }
  return (
    <PostForm
      class="names-form"
      caller={caller}
      action={toViewHref(site, view, { page: view.page })}
      attributes={attributes}
    >
      <input type="hidden" name="list" value={list} data-changed-list={hasMerged ? list : undefined} />
      <fieldset class="list-actions">
        <legend class="hidden-text">Merge several names</legend>
        <button type="submit" class="button quiet" name="do" value="choose" data-key="b">
          Merge the ticked names into …
        </button>
        <p class="muted" data-ticked={hint} data-unticked="Tick at least two names." role="status">
          {hint}
        </p>
        <button type="button" class="button quiet small" data-clear-ticks hidden>
          Clear selection
        </button>
      </fieldset>
      <NameTable site={site} view={view} lines={lines} hasTicks />
    </PostForm>
  )
}

interface NameTableProps {
  readonly site: Site
  readonly view: NamesView
  readonly lines: readonly NameLine[]
  readonly hasTicks?: boolean
}

/** Without columns that are empty on this page. */
function NameTable({ site, view, lines, hasTicks = false }: NameTableProps) {
  const hasDrafts = lines.some(({ count, live }) => count > live)
  const hasAliases = lines.some(({ aliases }) => aliases.length > 0)
  return (
    <div class="edit-table">
      <table class={hasAliases ? 'name-table has-aliases' : 'name-table'}>
        <thead>
          <tr>
            {hasTicks && (
              <th scope="col" class="tick">
                <span class="hidden-text">Select</span>
                <input type="checkbox" data-select-all data-key="a" aria-label="Select all on this page" hidden />
              </th>
            )}
            <SortHeader site={site} view={view} order="name" label="Name" />
            <SortHeader site={site} view={view} order="use" label="Talks" />
            {hasDrafts && (
              <th scope="col" class="number">
                Drafts
              </th>
            )}
            {hasAliases && <th scope="col">Also known as</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <NameRow key={line.id} {...{ site, view, line, hasTicks, hasDrafts, hasAliases }} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface SortHeaderProps extends Pick<NameTableProps, 'site' | 'view'> {
  readonly order: NamesView['order']
  readonly label: string
}

function SortHeader({ site, view, order, label }: SortHeaderProps) {
  const isSorted = view.order === order
  const sort = order === 'name' ? 'ascending' : 'descending'
  return (
    <th scope="col" class={order === 'use' ? 'number' : undefined} aria-sort={isSorted ? sort : undefined}>
      {isSorted ? (
        label
      ) : (
        <a href={toViewHref(site, view, { order })} title={`Sort by ${label.toLowerCase()}`}>
          {label}
        </a>
      )}
      {isSorted && <span aria-hidden="true">{order === 'name' ? ' ↑' : ' ↓'}</span>}
    </th>
  )
}

/** Further aliases are only counted. */
const maxAliases = 5

interface NameRowProps extends Pick<NameTableProps, 'site' | 'view' | 'hasTicks'> {
  readonly line: NameLine
  readonly hasDrafts: boolean
  readonly hasAliases: boolean
}

function NameRow({ site, view: { kind }, line, hasTicks, hasDrafts, hasAliases }: NameRowProps) {
  const key = kind === 'category' ? line.slug : String(line.id)
  const list = toListParameters({ kind, key })
  const drafts = line.count - line.live
  const rest = line.aliases.length - maxAliases
  return (
    <tr>
      {hasTicks && (
        <td class="tick">
          <input type="checkbox" name="id" value={line.id} aria-label={`Select ${line.name}`} />
        </td>
      )}
      <th scope="row">
        <a href={site.urls.editName(kind, key)} dir="auto">
          {line.name}
        </a>
      </th>
      <td class="number">{line.count === 0 ? 0 : <a href={site.urls.workList(list)}>{toNumber(line.count)}</a>}</td>
      {hasDrafts && (
        <td class="number">
          {drafts > 0 && <a href={site.urls.workList({ ...list, state: 2 })}>{toNumber(drafts)}</a>}
        </td>
      )}
      {hasAliases && (
        <td class="name-aliases">
          <JoinedNames names={line.aliases.slice(0, maxAliases)} /> {rest > 0 && `and ${toNumber(rest)} more`}
        </td>
      )}
    </tr>
  )
}

const maxSearchLength = 100

/** What the URL of a list of names asks for. */
interface NamesView {
  readonly kind: EntryKind
  readonly q: string
  readonly initial: string | null
  readonly order: 'name' | 'use'
  readonly page: number
}

export function readNamesView(call: Call, kind: EntryKind): NamesView {
  const parameters = call.query()
  const q = [...(parameters.get('q') ?? '').trim()].slice(0, maxSearchLength).join('')
  const letter = parameters.get('letter') ?? ''
  const order = parameters.get('sort') === 'name' ? 'name' : 'use'
  return { kind, q, initial: letter === '' ? null : letter, order, page: readPageNumber(call) }
}

/** The URL of the same list with changed parameters; the first page, unless they name another. */
export function toViewHref(
  { urls }: Site,
  view: NamesView,
  change: Partial<NamesView>,
  more: UrlParameters = {},
): string {
  const { kind, q, initial, order, page } = { ...view, page: 1, ...change }
  const sort = order === 'name' ? 'name' : null
  return urls.editNames(kind, { q, letter: initial, sort, page: page === 1 ? null : page, ...more })
}
