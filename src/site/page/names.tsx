import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import type { Initial, VocabularyName } from '../../record/query/vocabulary.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toFolded } from '../../record/text/fold.ts'
import { type CountedLink, CountedLinks, peopleFirst } from '../part/counts.tsx'
import { FindBox } from '../part/find-box.tsx'
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
  const label = kind === 'speaker' ? 'Find a speaker' : 'Find a tag'
  const links = rows.map((row) => ({ text: row.name, count: row.count, href: site.urls[kind](row) }))
  const isRanked = q === '' && initial === null
  return (
    <>
      <header class="page-head">
        <h1>{toKindTitle(kind)}</h1>
        <FindBox action={own} q={q} label={label} maxLength={maxLength} />
        <Initials own={own} initials={initials} chosen={initial} />
      </header>
      <section>
        <h2 class="list-title">{toTitle(names)}</h2>
        <p class="muted list-order">{toOrder(kind, names)}</p>
        {links.length === 0 && <p class="empty">No names match.</p>}
        {isRanked ? (
          <RankedNames links={kind === 'speaker' ? peopleFirst(links) : links} />
        ) : (
          <NameColumns links={links} />
        )}
        <Pager page={page} last={Math.ceil(count / perPage)} toHref={toHref} />
      </section>
    </>
  )
}

function toTitle({ q, initial }: Names): string {
  if (q !== '') return `Names matching “${q}”`
  return initial === null ? 'With the most talks' : toLetter(initial)
}

/** How the list is ordered. */
function toOrder(kind: NamePageKind, { q, initial, count }: Names): string {
  const counted = toCounted(count, kind)
  if (q !== '') return `${counted}, most talks first`
  if (initial === null) return `${counted}, most talks first. All others are under their first letters.`
  return kind === 'speaker' ? `${counted} from A to Z, by first name` : `${counted} from A to Z`
}

/** Larger where there are more talks, by rank: one name with a thousand must not make all others small. */
function RankedNames({ links }: { readonly links: readonly CountedLink[] }) {
  const ranks = [links.slice(0, 12), links.slice(12, 40), links.slice(40)]
  return <div class="ranked">{ranks.map((rank, i) => rank.length > 0 && <CountedLinks key={i} links={rank} />)}</div>
}

function NameColumns({ links }: { readonly links: readonly CountedLink[] }) {
  return (
    <ul class="name-columns">
      {links.map(({ text, href, count }) => (
        <li key={href}>
          <a href={href} class={count >= manyTalks ? 'many' : undefined}>
            <bdi>{text}</bdi>
          </a>{' '}
          <span class="count">{toNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
}

/** From so many on, a name is set in bold. */
const manyTalks = 5

const toLetter = (initial: string) => (initial === 'other' ? '#' : initial.toLocaleUpperCase('en'))

const scripts: readonly (readonly [string, RegExp])[] = [
  ['Latin', /^\p{Script=Latin}/u],
  ['Greek', /^\p{Script=Greek}/u],
  ['Cyrillic', /^\p{Script=Cyrillic}/u],
  ['Hebrew', /^\p{Script=Hebrew}/u],
  ['Arabic', /^\p{Script=Arabic}/u],
  ['Japanese', /^[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Korean', /^\p{Script=Hangul}/u],
  ['Chinese characters', /^\p{Script=Han}/u],
]

const toScript = ({ initial }: Initial) =>
  initial === 'other' ? 'Others' : (scripts.find(([, pattern]) => pattern.test(initial))?.[0] ?? 'Others')

/** The first letters, by script: `A` and the Cyrillic `А` look the same. */
function Initials({
  own,
  initials,
  chosen,
}: Pick<NamesPageProps, 'own' | 'initials'> & { readonly chosen: string | null }) {
  if (initials.length < 2) return null
  const groups = [...Map.groupBy(initials, toScript)]
  return (
    <nav class="jump letters" aria-label="First letters">
      {groups.map(([script, members]) => (
        <ul key={script} aria-label={script}>
          {members.map(({ initial }) => (
            <li key={initial}>
              <a href={withParameters(own, { letter: initial })} aria-current={initial === chosen ? 'true' : undefined}>
                {toLetter(initial)}
              </a>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}
