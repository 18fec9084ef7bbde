import type { Caller } from '../../http/auth/caller.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { categoryNames } from '../../record/category.ts'
import type { JsonValue } from '../../record/json.ts'
import type { EntryKind } from '../../record/name.ts'
import { profileNames } from '../../record/profile.ts'
import { parsePage } from '../../record/query/query.ts'
import { hasRole } from '../../record/role.ts'
import { byteOrderMark, toCsvLine } from '../../record/table/csv.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toFolded } from '../../record/text/fold.ts'
import { Pager } from '../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { NameLine, NameLines } from '../../store/name-reads.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { toListParameters } from './curated-name.ts'
import { kindTitles, NameTabs } from './names-layout.tsx'

const perPage = 50
/** `/edit/names/speaker`, `tag` and `category`: all names with their counts. */
export function showNameList(kind: EntryKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const caller = requireCaller(call)
    const view = readNamesView(call, kind)
    const { q, initial, order, page } = view
    const query = { kind, prefix: toFolded(q), initial, order, page, pageSize: perPage }
    const names = requireRead(await deps.store.listNameLines(query, call.signal))
    if (names.lines.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
    const title = kindTitles[kind]
    const body = <NamesPage {...{ site, caller, view, names }} />
    return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, title, body))
  }
}

/** So many lines are read at a time. */
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
}

function NamesPage({ site, caller, view, names }: NamesPageProps) {
  const { kind, q } = view
  const isPublisher = hasRole(caller.role, 'publisher')
  return (
    <div class="edit-page names-page">
      <NameTabs site={site} kind={kind} current="list" />
      <div class="names-head">
        <h1>{kindTitles[kind]}</h1>
        <p class="muted">{toCounted(names.count, 'name')}</p>
        <a href={site.urls.namesCsv(kind)}>CSV</a>
        {kind === 'category' && isPublisher && (
          <a class="button quiet" href={site.urls.newCategory}>
            New event
          </a>
        )}
      </div>
      <Search site={site} view={view} />
      <Initials site={site} view={view} initials={names.initials} />
      {names.lines.length === 0 ? (
        <p class="muted">{q === '' ? 'No names.' : `No name has a word that begins with “${q}”.`}</p>
      ) : (
        <NameTable site={site} view={view} lines={names.lines} />
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
        {order === 'use' && <input type="hidden" name="sort" value="count" />}
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
    <nav class="jump letters" aria-label="By initial">
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

interface NameTableProps {
  readonly site: Site
  readonly view: NamesView
  readonly lines: readonly NameLine[]
}

function NameTable({ site, view, lines }: NameTableProps) {
  return (
    <div class="edit-table">
      <table class="name-table">
        <thead>
          <tr>
            <SortHeader site={site} view={view} order="name" label="Name" />
            <SortHeader site={site} view={view} order="use" label="Talks" />
            <th scope="col" class="number">
              Drafts
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <NameRow key={line.id} site={site} view={view} line={line} />
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

function NameRow({ site, view: { kind }, line }: Pick<NameTableProps, 'site' | 'view'> & { readonly line: NameLine }) {
  const key = kind === 'category' ? line.slug : String(line.id)
  const list = toListParameters({ kind, key })
  const drafts = line.count - line.live
  const rest = line.aliases.length - maxAliases
  return (
    <tr>
      <th scope="row">
        <a href={site.urls.editName(kind, key)} dir="auto">
          {line.name}
        </a>
        {line.aliases.length > 0 && (
          <span class="name-aliases" dir="auto">
            also {line.aliases.slice(0, maxAliases).join(', ')} {rest > 0 && `and ${toNumber(rest)} more`}
          </span>
        )}
      </th>
      <td class="number">{line.count === 0 ? 0 : <a href={site.urls.workList(list)}>{toNumber(line.count)}</a>}</td>
      <td class="number">{drafts > 0 && <a href={site.urls.workList({ ...list, state: 2 })}>{toNumber(drafts)}</a>}</td>
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

function readNamesView(call: Call, kind: EntryKind): NamesView {
  const parameters = call.query()
  const q = [...(parameters.get('q') ?? '').trim()].slice(0, maxSearchLength).join('')
  const letter = parameters.get('letter') ?? ''
  const order = parameters.get('sort') === 'count' ? 'use' : 'name'
  return { kind, q, initial: letter === '' ? null : letter, order, page: readPageNumber(call) }
}

/** The URL of the same list with changed parameters. */
function toViewHref({ urls }: Site, view: NamesView, change: Partial<NamesView>): string {
  const { kind, q, initial, order, page } = { ...view, page: 1, ...change }
  const sort = order === 'use' ? 'count' : null
  return urls.editNames(kind, { q, letter: initial, sort, page: page === 1 ? null : page })
}
