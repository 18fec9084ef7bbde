import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import { toFolded } from '../../record/text/fold.ts'
import { Pager } from '../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { NameKind } from '../../site/urls.ts'
import type { NameLines } from '../../store/name-reads.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { NameTable } from './name-table.tsx'
import { NameTabs } from './name-tabs.tsx'
import { namesTexts } from './names-texts.ts'
import { maxSearchLength, type NamesView, readNamesView, toViewHref } from './names-view.ts'

const perPage = 50
const texts = namesTexts.list

/** `/edit/names/speaker`, `tag` and `category`: all names with their counts. */
export function showNameList(kind: NameKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const caller = requireCaller(call)
    const view = readNamesView(call, kind)
    const { q, initial, order, page } = view
    const query = { kind, prefix: toFolded(q), initial, order, page, pageSize: perPage }
    const names = requireRead(await deps.store.listNameLines(query, call.signal))
    if (names.lines.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
    const { title } = namesTexts.kinds[kind]
    const body = <NamesPage {...{ site, caller, view, names }} />
    return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, title, body))
  }
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
        <h1>{namesTexts.kinds[kind].title}</h1>
        <p class="muted">{texts.found(names.count)}</p>
        {kind === 'category' && isPublisher && (
          <a class="button quiet" href={site.urls.newCategory}>
            {namesTexts.newCategory}
          </a>
        )}
      </div>
      <Search site={site} view={view} />
      <Initials site={site} view={view} initials={names.initials} />
      {names.lines.length === 0 ? (
        <p class="muted">{q === '' ? texts.none : texts.noneFound(q)}</p>
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
  const label = namesTexts.kinds[kind].search
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
        <button type="submit">{texts.search}</button>
        {(q !== '' || view.initial !== null) && (
          <a href={toViewHref(site, view, { q: '', initial: null })}>{texts.clear}</a>
        )}
      </form>
    </search>
  )
}

function Initials({ site, view, initials }: Pick<NamesPageProps, 'site' | 'view'> & Pick<NameLines, 'initials'>) {
  if (initials.length < 2) return null
  return (
    <nav class="jump letters" aria-label={texts.initials}>
      <ul>
        {initials.map(({ initial }) => (
          <li key={initial}>
            <a
              href={toViewHref(site, view, { initial, q: '' })}
              aria-current={initial === view.initial ? 'true' : undefined}
            >
              {initial === 'other' ? texts.other : initial.toLocaleUpperCase('en')}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
