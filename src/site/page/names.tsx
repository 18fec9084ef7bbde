import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import type { Initial, VocabularyName } from '../../record/query/vocabulary.ts'
import { toFolded } from '../../record/text/fold.ts'
import { CountedLinks } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { Pager } from '../part/pager.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'
import type { NamePageKind } from './name.tsx'

const perPage = 200
const maxLength = 100

interface Names {
  readonly q: string
  readonly initial: string | null
  readonly page: number
  readonly count: number
  readonly rows: readonly Pick<VocabularyName, 'id' | 'name' | 'slug' | 'count'>[]
}

/** `/speaker` and `/tag`: the most used names, those with an initial, or those that a search finds. */
export function showNames(kind: NamePageKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const initials = requireRead(await deps.store.listInitials({ kind, visibility: 'live' }))
    const names = await readNames(call, deps, kind, initials)
    const own = kind === 'speaker' ? site.urls.speakers : site.urls.tags
    const title = toKindTitle(kind)
    const { q, initial, page } = names
    const toHref = (to: number) => withParameters(own, { q, letter: initial, page: to === 1 ? null : to })
    const head = {
      title: q === '' && initial === null ? title : `${title}: ${toTitle(names)}`,
      page,
      canonical: toHref(page),
      isIndexed: q === '',
      section: `${kind}s`,
      json: site.urls.api(kind, { q }),
    } as const
    const body = <NamesPage site={site} kind={kind} own={own} initials={initials} names={names} toHref={toHref} />
    return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
  }
}

async function readNames(
  call: Call,
  { store }: SiteDeps,
  kind: NamePageKind,
  initials: readonly Initial[],
): Promise<Names> {
  const parameters = call.query()
  const q = [...(parameters.get('q') ?? '').trim()].slice(0, maxLength).join('')
  const letter = parameters.get('letter')
  const initial = q === '' ? (initials.find((each) => each.initial === letter)?.initial ?? null) : null
  const page = parsePage(parameters.get('page'))
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  if (q === '' && initial === null && page > 1) throw new Refused({ code: 'no_such_page' })
  if (q === '' && initial === null) return readMostUsed(store, kind)
  const query = { kind, visibility: 'live', prefix: toFolded(q), page, pageSize: perPage } as const
  const found = requireRead(await store.listVocabulary(initial === null ? query : { ...query, initial }, call.signal))
  if (found.rows.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
  // The lists of speakers and tags have rows of this type.
  return { q, initial, page, count: found.count, rows: found.rows as readonly VocabularyName[] }
}

async function readMostUsed(store: SiteDeps['store'], kind: NamePageKind): Promise<Names> {
  const { facets } = requireRead(await store.list(toPageQuery({ pageSize: 1, facets: [kind] })))
  const rows = (facets?.[kind] ?? []).map(({ value, count, id = 0, slug = '' }) => ({ id, slug, name: value, count }))
  return { q: '', initial: null, page: 1, count: rows.length, rows }
}

interface NamesPageProps {
  readonly site: Site
  readonly kind: NamePageKind
  readonly own: string
  readonly initials: readonly Initial[]
  readonly names: Names
  toHref(page: number): string
}

const toKindTitle = (kind: NamePageKind) => (kind === 'speaker' ? 'Speakers' : 'Tags')

function NamesPage({ site, kind, own, initials, names, toHref }: NamesPageProps) {
  const { q, initial, page, count, rows } = names
  const searchLabel = kind === 'speaker' ? 'Find a speaker' : 'Find a tag'
  const links = rows.map((row) => ({ text: row.name, count: row.count, href: site.urls[kind](row) }))
  return (
    <>
      <header class="page-head">
        <h1>{toKindTitle(kind)}</h1>
        <search class="search-box name-search">
          <form action={own} method="get">
            <input
              type="search"
              name="q"
              value={q}
              maxlength={maxLength}
              aria-label={searchLabel}
              placeholder={searchLabel}
            />
            <button type="submit" aria-label="Search">
              <span aria-hidden="true">→</span>
            </button>
          </form>
        </search>
        <Initials own={own} initials={initials} chosen={initial} />
      </header>
      <section>
        <h2 class="list-title">{toTitle(names)}</h2>
        {links.length === 0 ? <p class="empty">No names match.</p> : <CountedLinks links={links} />}
        <Pager page={page} last={Math.ceil(count / perPage)} toHref={toHref} />
      </section>
    </>
  )
}

function toTitle({ q, initial }: Names): string {
  if (q !== '') return `Names matching “${q}”`
  return initial === null ? 'With the most talks' : toLetter(initial)
}

const toLetter = (initial: string) => (initial === 'other' ? '#' : initial.toLocaleUpperCase('en'))

function Initials({
  own,
  initials,
  chosen,
}: Pick<NamesPageProps, 'own' | 'initials'> & { readonly chosen: string | null }) {
  if (initials.length < 2) return null
  return (
    <nav class="jump letters" aria-label="First letters">
      <ul>
        {initials.map(({ initial }) => (
          <li key={initial}>
            <a href={withParameters(own, { letter: initial })} aria-current={initial === chosen ? 'true' : undefined}>
              {toLetter(initial)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
