import type { Child } from '#jsx/jsx-runtime'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { type CountedFacet, type Filters, parsePage } from '../../record/query/query.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import { toOneSpelling, toTopics } from '../../record/text/topic.ts'
import type { FacetValue, ListPage } from '../../store/list-reads.ts'
import { TalkGrid } from '../part/cards.tsx'
import { CountedLinks, peopleFirst } from '../part/counts.tsx'
import { Folded, Pager } from '../part/list-controls.tsx'
import { Subscribe, type Subscription } from '../part/menus.tsx'
import { toPageQuery } from '../search/search-query.ts'
import type { Site, SiteDeps } from '../site.ts'
import { findTalks, type Talk } from '../talk/talk.ts'

const talksPerPage = 24
/** Links in a row. `readCollection` reads one more, because `own` is left out. */
export const maxPills = 24

interface TalkCollection {
  readonly page: number
  readonly list: ListPage
  readonly talks: readonly Talk[]
}

/** One page of the talks that match, the first one with facets; 404 past the end. */
export async function readCollection(
  call: Call,
  { store }: SiteDeps,
  filters: Partial<Filters>,
  facets: readonly CountedFacet[],
): Promise<TalkCollection> {
  const page = parsePage(call.query().get('page'))
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  const counted = page === 1 ? { facets, maxFacetNames: maxPills + 1 } : {}
  const query = toPageQuery({ filters, page, pageSize: talksPerPage, hasFileKinds: true, ...counted })
  const list = requireRead(await store.list(query, call.signal))
  const records = list.records ?? []
  if (records.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
  return { page, list, talks: await findTalks(store, records) }
}

interface CollectionProps {
  readonly site: Site
  readonly collection: TalkCollection
  toHref(page: number): string
  /** The speaker whose talks they are; left out on the cards. */
  readonly ownSpeaker?: string | undefined
}

/** The talks in one grid, with years as labels. */
export function CollectionBody({ site, collection, toHref, ownSpeaker }: CollectionProps) {
  const { page, list, talks } = collection
  return (
    <section class="collection">
      <h2 class="hidden-text">Talks</h2>
      <TalkGrid site={site} talks={talks} hasYears ownSpeaker={ownSpeaker} />
      <Pager page={page} last={Math.ceil(list.count / talksPerPage)} toHref={toHref} />
    </section>
  )
}

interface FacetTitle {
  readonly facet: CountedFacet
  readonly title: string
}

interface FacetRowsProps {
  readonly site: Site
  readonly list: ListPage
  readonly rows: readonly FacetTitle[]
  readonly own?: string | undefined
}

/** Of so many talks, a name that one of them has says nothing. */
const manyTalks = 100

export function FacetRows({ site, list, rows, own }: FacetRowsProps) {
  const least = list.count < manyTalks ? 1 : 2
  const events = list.facets?.category ?? []
  const findValues = (facet: CountedFacet) =>
    (list.facets?.[facet] ?? []).filter(({ value, count }) => value !== own && count >= least)
  if (!rows.some(({ facet }) => findValues(facet).length > 0)) return null
  return (
    <dl class="facet-rows">
      {rows.map(({ facet, title }) => (
        <FacetRow key={facet} site={site} facet={facet} title={title} values={findValues(facet)} events={events} />
      ))}
    </dl>
  )
}

interface CollectionHeadProps {
  readonly site: Site
  readonly kind: string
  readonly kindHref: string
  readonly title: string
  readonly list: ListPage
  readonly searchHref: string
  readonly feed: Subscription
  readonly jsonHref: string
  /** Facets as rows of links, with their headings. */
  readonly rows: readonly FacetTitle[]
  /** The value that all talks share; its link is left out. */
  readonly own?: string
  /** What people say of it. */
  readonly children?: Child
}

/** What the talks have in common: their number, years, topics, people and events, and links for programs. */
export function CollectionHead(props: CollectionHeadProps) {
  const { site, kind, kindHref, title, list, searchHref, feed, jsonHref, rows, own, children } = props
  const years = toYearRange(list.facets?.year ?? [])
  return (
    <header class="page-head collection-head">
      <p class="kicker">
        <a href={kindHref}>{kind}</a>
      </p>
      <h1 dir="auto">{title}</h1>
      <ul class="facts">
        <li>{toCounted(list.count, 'talk')}</li>
        {years !== '' && <li>{years}</li>}
        <li>
          <a href={searchHref} rel="nofollow">
            Search in these talks
          </a>
        </li>
        <MachineLinks site={site} feed={feed} jsonHref={jsonHref} />
      </ul>
      {children}
      <FacetRows site={site} list={list} rows={rows} own={own} />
    </header>
  )
}

/** From the first year to the last: `2009–2022`. */
function toYearRange(values: readonly FacetValue[]): string {
  const years = values.map(({ value }) => value).toSorted()
  const [first = '', last = ''] = [years[0], years.at(-1)]
  return first === last ? first : `${first}–${last}`
}

/** The same talks for programs. */
export function MachineLinks({ site, feed, jsonHref }: Pick<CollectionHeadProps, 'site' | 'feed' | 'jsonHref'>) {
  return (
    <>
      <li>
        <Subscribe site={site} feed={feed} />
      </li>
      <li>
        <a href={jsonHref} rel="nofollow">
          JSON
        </a>
      </li>
    </>
  )
}

interface FacetRowProps {
  readonly site: Site
  readonly facet: CountedFacet
  readonly title: string
  readonly values: readonly FacetValue[]
  /** Whose names are no topics. */
  readonly events: readonly FacetValue[]
}

/** Labels of events only where there is nothing else. */
function toTopicsOrLabels(tags: readonly FacetValue[], events: readonly FacetValue[]): readonly FacetValue[] {
  const topics = toTopics(tags, events)
  return topics.length === 0 ? toOneSpelling(tags, ({ value }) => value) : topics
}

/** Further links are folded, unless they are few. */
const shownPills = 6

function FacetRow({ site, facet, title, values, events }: FacetRowProps) {
  const found = (facet === 'tag' ? toTopicsOrLabels(values, events) : values)
    .slice(0, maxPills)
    .flatMap((value) => toLink(site, facet, value) ?? [])
  const links = facet === 'speaker' ? peopleFirst(found) : found
  // One language is that of all talks.
  if (links.length === 0 || (facet === 'language' && links.length === 1)) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <Folded items={links} shown={shownPills} toList={(some) => <CountedLinks links={some} />} />
      </dd>
    </div>
  )
}

function toLink({ urls }: Site, facet: CountedFacet, { value, count, id = 0, slug = '' }: FacetValue) {
  switch (facet) {
    case 'category':
      return { text: value, count, href: urls.category(slug) }
    case 'speaker':
      return { text: value, count, href: urls.speaker({ id, slug }) }
    case 'tag':
      return { text: value, count, href: urls.tag({ id, slug }) }
    case 'language': {
      const code = toLanguageCode(value)
      return code === null ? null : { text: value, count, href: urls.language(code) }
    }
    default:
      return null
  }
}
