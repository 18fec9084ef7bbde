import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import type { Initial, VocabularyName } from '../../record/query/vocabulary.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toFolded } from '../../record/text/fold.ts'
import { otherInitial } from '../../record/text/words.ts'
import { type CountedLink, CountedLinks, Tiles } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { FindBox, Pager } from '../part/list-controls.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'
import type { NamePageKind } from './name.tsx'

const perPage = 200
const popular = 100
const maxLength = 100

/** The names that a search finds or those with an initial; without both, those of the overview. */
interface Selection {
  readonly q: string
  readonly initial: string | null
  readonly count: number
}

interface Names extends Selection {
  readonly page: number
  /** Whether no name begins with what was typed, so that the rows are similar ones. */
  readonly isNear?: boolean
  /** Those of the overview say at how many events they are. */
  readonly rows: readonly (VocabularyName & { readonly events?: number })[]
}

/** `/speaker` and `/tag`: an overview, the names with an initial, or those that a search finds. */
export function showNames(kind: NamePageKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const initials = requireRead(await deps.store.listInitials({ kind, visibility: 'live', hasOneSpelling: true }))
    const names = await readNames(call, deps, kind, initials)
    const own = kind === 'speaker' ? site.urls.speakers : site.urls.tags
    const title = toKindTitle(kind)
    const { q, initial, page } = names
    const toHref = (to: number) => withParameters(own, { q, letter: initial, page: to === 1 ? null : to })
    const head = {
      title: isOverview(names) ? title : `${title}: ${toTitle(kind, names)}`,
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
  const letter = toFolded(parameters.get('letter') ?? '')
  const initial = q === '' ? (initials.find((each) => each.initial === letter)?.initial ?? null) : null
  const page = parsePage(parameters.get('page'))
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  if (q === '' && initial === null) {
    if (page > 1) throw new Refused({ code: 'no_such_page' })
    const rows = requireRead(await store.listPopularNames({ kind, limit: popular }))
    return { q, initial, page, count: rows.length, rows }
  }
  const wanted = initial === null ? { prefix: toFolded(q) } : { prefix: '', initial, hasOneSpelling: true }
  const query = { kind, visibility: 'live', page, pageSize: perPage, ...wanted } as const
  const found = requireRead(await store.listVocabulary(query, call.signal))
  if (found.rows.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
  if (found.rows.length === 0) {
    const rows = await findNear(store, kind, q)
    return { q, initial, page, count: rows.length, rows, isNear: rows.length > 0 }
  }
  // The lists of speakers and tags have rows of this type.
  return { q, initial, page, count: found.count, rows: found.rows as readonly VocabularyName[] }
}

/** Names with all words in any order, or other spellings of them. */
async function findNear(store: SiteDeps['store'], kind: NamePageKind, text: string): Promise<Names['rows']> {
  const { results } = requireRead(await store.suggest({ text, visibility: 'live' }))
  return results.flatMap((found) => {
    return found.kind === kind ? [{ id: found.id, name: found.text, slug: found.slug, count: found.count }] : []
  })
}

interface NamesPageProps {
  readonly site: Site
  readonly kind: NamePageKind
  readonly own: string
  readonly initials: readonly Initial[]
  readonly names: Names
  toHref(page: number): string
}

const isOverview = ({ q, initial }: Names) => q === '' && initial === null
const toKindTitle = (kind: NamePageKind) => (kind === 'speaker' ? 'Speakers' : 'Tags')

function NamesPage(props: NamesPageProps) {
  const { site, kind, own, initials, names, toHref } = props
  const { q, initial, page, count, rows } = names
  const links = rows.map((row) => ({ ...row, text: row.name, href: site.urls[kind](row) }))
  const total = initials.reduce((sum, each) => sum + each.count, 0)
  return (
    <>
      <header class="page-head">
        <h1>{toKindTitle(kind)}</h1>
        <p class="muted">
          {toCounted(total, kind)}
          {isOverview(names) && total > 0 && (
            <>
              {' · '}
              <a href={`#${lettersId}`}>All from A to Z</a>
            </>
          )}
        </p>
        <FindBox
          action={own}
          q={q}
          label={kind === 'speaker' ? 'Find a speaker' : 'Find a tag'}
          maxLength={maxLength}
        />
        {initial !== null && <Letters own={own} kind={kind} initials={initials} chosen={initial} />}
      </header>
      <section>
        <h2>{toTitle(kind, names)}</h2>
        {links.length === 0 ? (
          <p class="empty">{`No ${kind}s match.`}</p>
        ) : (
          <p class="muted list-order">{toOrder(kind, names)}</p>
        )}
        {isOverview(names) ? <Overview kind={kind} links={links} /> : <NameColumns links={links} />}
        <Pager page={page} last={Math.ceil(count / perPage)} toHref={toHref} />
      </section>
      {initial === null && total > 0 && (
        <section id={lettersId}>
          <h2>{kind === 'speaker' ? 'All speakers from A to Z, by first name' : 'All tags from A to Z'}</h2>
          <Letters own={own} kind={kind} initials={initials} chosen={null} />
        </section>
      )}
    </>
  )
}

const lettersId = 'letters'

function toTitle(kind: NamePageKind, { q, initial, count }: Selection): string {
  if (q !== '') return `${toKindTitle(kind)} matching “${q}”`
  if (initial !== null) return `${toCounted(count, kind)} starting with ${toInitialText(initial)}`
  return kind === 'speaker'
    ? `The ${toCounted(count, kind)} with the most talks`
    : `The ${toCounted(count, 'most common tag')}`
}

/** How the list is ordered. */
function toOrder(kind: NamePageKind, { q, initial, count, isNear }: Names): string {
  if (isNear === true) return `No exact match. ${toCounted(count, `similar ${kind}`)}:`
  if (q !== '') return `${toCounted(count, kind)}, most talks first`
  if (initial === null)
    return kind === 'speaker' ? 'Most talks first' : 'Sorted by number of events. The counts are talks.'
  return kind === 'speaker' ? 'From A to Z, by first name' : 'From A to Z'
}

/** As many as fill two or three rows on a wide screen. */
const maxTiles = 12

interface OverviewProps {
  readonly kind: NamePageKind
  readonly links: readonly (CountedLink & { readonly events?: number })[]
}

function Overview({ kind, links }: OverviewProps) {
  const toDetail = (count: number, events: number) => `${toCounted(count, 'talk')} at ${toCounted(events, 'event')}`
  const tiles = links.slice(0, maxTiles).map(({ text, href, count, events = 0 }) => {
    return { text, href, detail: toDetail(count, events), hasSign: kind === 'speaker' }
  })
  return (
    <div class="overview">
      <Tiles tiles={tiles} />
      {links.length > maxTiles && <CountedLinks links={links.slice(maxTiles)} />}
    </div>
  )
}

function NameColumns({ links }: { readonly links: readonly CountedLink[] }) {
  return (
    <ul class="name-columns">
      {links.map(({ text, href, count }) => (
        <li key={href}>
          <a href={href} class={count >= manyTalks ? 'many' : undefined}>
            <bdi>{text}</bdi>
          </a>
          {/* The number follows the last word onto its line. */}
          {'\u00a0'}
          <span class="count">{toNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
}

/** From so many on, a name is set in bold. */
const manyTalks = 5

const toLetter = (initial: string) => (initial === otherInitial ? '#' : initial.toLocaleUpperCase('en'))
const toInitialText = (initial: string) => (initial === otherInitial ? 'other characters' : toLetter(initial))

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
  initial === otherInitial ? 'Others' : (scripts.find(([, pattern]) => pattern.test(initial))?.[0] ?? 'Others')

type LettersProps = Pick<NamesPageProps, 'own' | 'kind' | 'initials'> & { readonly chosen: string | null }

/** The first letters, by script: `A` and the Cyrillic `А` look the same. */
function Letters({ own, kind, initials, chosen }: LettersProps) {
  const alphabets = new Set(initials.filter(({ initial }) => initial !== otherInitial).map(toScript))
  // With one alphabet, the others follow its last letter.
  const [only] = alphabets.size > 1 ? [] : alphabets
  const groups = [...Map.groupBy(initials, (each) => only ?? toScript(each))]
  return (
    <nav class="letters" aria-label="First letters">
      {groups.map(([script, members]) => (
        <div key={script}>
          {groups.length > 1 && <p class="muted">{script}</p>}
          <ul aria-label={script}>
            {members.map(({ initial, count }) => (
              <li key={initial}>
                <a
                  href={withParameters(own, { letter: initial })}
                  aria-current={initial === chosen ? 'true' : undefined}
                  title={toTitle(kind, { q: '', initial, count })}
                >
                  {toLetter(initial)}
                  <span class="count"> {toNumber(count)}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
