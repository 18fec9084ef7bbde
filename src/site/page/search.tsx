import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { type CountedFacet, countedFacets } from '../../record/query/query.ts'
import { toCounted } from '../../record/text/counted.ts'
import { parseSearch, type Search } from '../../record/text/search-text.ts'
import type { ListPage } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { type PageHead, renderPage } from '../part/layout.tsx'
import { Pager } from '../part/list-controls.tsx'
import { Subscribe, type Subscription, toSubscription } from '../part/menus.tsx'
import { FacetList, type FilterChip, findChips, type OtherValues, toFacetGroups, toScope } from '../search/filters.tsx'
import { findMomentsBelow, MomentsBelow, type SaidPage } from '../search/moment-list.tsx'
import {
  findNamedEntries,
  NamedCards,
  type NamedEntry,
  ResultList,
  type SearchResult,
  toResults,
} from '../search/results.tsx'
import {
  hasChosen,
  parseSearchQuery,
  type SearchQuery,
  type Sort,
  sorts,
  toApiParameters,
  toFeedParameters,
  toListQuery,
  toSearchParameters,
  without,
  withoutChosen,
} from '../search/search-query.ts'
import { findSeries, isNamedLike, type NamedSeries } from '../search/series.tsx'
import { findBrowsing, findNames, findTries, NoResults, Tries, type Try } from '../search/try-instead.tsx'
import {
  type AbsentSpeaker,
  findAbsentSpeaker,
  findCorrection,
  findNamedYear,
  type MissingEdition,
  NoEdition,
  NoTalkThere,
  toCorrection,
  toMissingEdition,
  Understood,
} from '../search/understood.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { findTalks } from '../talk/talk.ts'

const pageSize = 20
/** A hundred values per facet would be most of the page. */
const maxFacetNames = 40
const shownFacets: readonly CountedFacet[] = ['category', 'speaker', 'year', 'tag', 'language', 'length', 'download']

/** `/search`: the talks that match; without words, all talks. */
export async function showSearch(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const query = parseSearchQuery(call.query())
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok === false) return refuseLong(call, site, deps, query)
  const { page, search } = await findPage(call, deps, query, parsed?.search ?? null)
  const records = page.records ?? []
  if (records.length === 0 && query.page > 1) throw new Refused({ code: 'no_such_page' })
  const feed = toFeed(site, query, page)
  const text = toCorrection(query.q, page.corrected)?.corrected ?? query.q
  const [named, series, talks, chips] = await Promise.all([
    findNamedEntries({ store: deps.store, site }, { query, page, text }),
    findSeries(deps.store, query, text),
    findTalks(deps.store, records),
    findChips(deps.store, query, page, toHref(site)),
  ])
  const year = query.q === '' ? null : await findNamedYear(deps.store, text)
  const speaker = named.entries.find(({ entry }) => entry.kind === 'speaker')?.entry
  const found = {
    ...{ site, query, page, feed, chips, series },
    named: named.entries.filter(({ entry }) => series === null || !isNamedLike(series, entry.text)),
    results: toResults(talks, search, page.hits),
    tries: await findNextSteps({ store: deps.store, site }, query, page, chips),
    missing: toMissingEdition(year),
    absent:
      year === null || speaker?.kind !== 'speaker'
        ? null
        : await findAbsentSpeaker({ store: deps.store, site }, year, speaker),
    others: records.length === 0 ? {} : await findOtherValues(deps, query, search),
    said: search === null ? null : await findMomentsBelow(deps.store, query, search),
    longer: search === null ? [] : await findLonger(deps.store, query, search, page),
    browsing: records.length === 0 ? await findBrowsing(deps.store, site) : null,
  }
  const isPartial =
    page.countIs === 'at_least' || page.isProvisional === true || named.isPartial || found.said?.countIs === 'at_least'
  const html = renderPage(
    site,
    { ...toHead(site, query, chips), feed, ...toSkip(talks.length) },
    <SearchPage {...found} />,
  )
  return respondText(call, { text: html, type: contentTypes.html, caching: isPartial ? 'never' : 'revalidate' })
}

/** The results; those of the right spelling of a misspelled name. `search` is what was searched for. */
async function findPage(
  call: Call,
  { store }: SiteDeps,
  query: SearchQuery,
  search: Search | null,
): Promise<{ readonly page: ListPage; readonly search: Search | null }> {
  const counted = { facets: countedFacets, maxFacetNames, hasFileKinds: true } as const
  const page = requireRead(await store.list({ ...toListQuery(query, search), ...counted }, call.signal))
  const corrected = search === null ? null : await findCorrection(store, query.q, page)
  const correction = toCorrection(query.q, corrected ?? {})
  const parsed = correction === null ? null : parseSearch(correction.corrected)
  if (corrected === null || parsed?.ok !== true) return { page, search }
  const read = { ...toListQuery(query, parsed.search), ...counted }
  return { page: { ...requireRead(await store.list(read, call.signal)), corrected }, search: parsed.search }
}

/** Counts the values of each facet in which one is chosen, without that choice. */
async function findOtherValues({ store }: SiteDeps, query: SearchQuery, search: Search | null): Promise<OtherValues> {
  const facets = shownFacets.filter((facet) => facet !== 'download' && query.chosen[facet].length > 0)
  const found = facets.map(async (facet) => {
    const read = { ...toListQuery(without(query, facet), search), facets: [facet], maxFacetNames, pageSize: 1 }
    return requireRead(await store.list({ ...read, hasHighlight: false })).facets ?? {}
  })
  return Object.assign({}, ...(await Promise.all(found)))
}

/** With fewer results within filters, talks with longer words follow. */
const [fewResults, maxLonger] = [5, 8]

/** Talks within the filters whose words begin with the typed ones, as suggestions below the box have them. */
async function findLonger(
  store: ReadStore,
  query: SearchQuery,
  search: Search,
  { count, records }: ListPage,
): Promise<SearchResult[]> {
  if (!hasChosen(query) || count >= fewResults || query.page > 1) return []
  const read = { ...toListQuery(query, search), match: 'all', order: null, pageSize: maxLonger } as const
  const found = requireRead(await store.list({ ...read, hasHighlight: false })).records ?? []
  const others = found.filter((each) => records?.includes(each) !== true)
  return toResults(await findTalks(store, others), search, undefined)
}

/** Other searches where none of the talks has all words, and names where there are no talks. */
async function findNextSteps(
  { store, site }: { readonly store: ReadStore; readonly site: Site },
  query: SearchQuery,
  { count, matchIs }: ListPage,
  chips: readonly FilterChip[],
): Promise<readonly Try[]> {
  if (query.page > 1 || (count > 0 && matchIs === undefined)) return []
  const tries = await findTries(store, site, query, chips)
  return count > 0 ? tries : [...tries, ...(await findNames(store, site, query))]
}

const toHref =
  ({ urls }: Site) =>
  (query: SearchQuery) =>
    urls.search(toSearchParameters(query))

const toSkip = (results: number) => (results === 0 ? {} : { skipTo: { id: 'results', text: 'Skip to results' } })

function toHead({ urls }: Site, query: SearchQuery, chips: readonly FilterChip[]): PageHead {
  const scope = toScope(chips)
  const title =
    query.q !== '' ? `Search: ${query.q} ${scope}`.trim() : scope === '' ? 'All talks' : `Search: talks ${scope}`
  return {
    chips,
    title,
    page: query.page,
    canonical: urls.search(toSearchParameters(query)),
    isIndexed: false,
    q: query.q,
    json: urls.api('video', toApiParameters(query)),
  }
}

function toFeed({ urls }: Site, query: SearchQuery, { fileKinds: kinds }: ListPage): Subscription {
  const title = query.q === '' ? 'New talks' : `Talks found for “${query.q}”`
  return toSubscription({ title, stem: urls.path('/search'), parameters: toFeedParameters(query), kinds })
}

/** The search box keeps the text, so that it can be shortened. */
async function refuseLong(call: Call, site: Site, { store }: SiteDeps, query: SearchQuery): Promise<TextAnswer> {
  const title = 'Search too long'
  const chips = await findChips(store, query, { facets: null }, toHref(site))
  const head = { title, canonical: null, isIndexed: false, q: query.q, chips }
  const body = (
    <div class="page-head">
      <h1>{title}</h1>
      <p>Please use at most 16 words and 200 characters.</p>
    </div>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html, status: 400 })
}

interface SearchPageProps {
  readonly site: Site
  readonly query: SearchQuery
  readonly page: ListPage
  readonly results: readonly SearchResult[]
  readonly chips: readonly FilterChip[]
  readonly named: readonly NamedEntry[]
  readonly series: NamedSeries | null
  readonly others: OtherValues
  readonly tries: readonly Try[]
  readonly feed: Subscription
  readonly missing: MissingEdition | null
  readonly absent: AbsentSpeaker | null
  /** More results, with longer words. */
  readonly longer: readonly SearchResult[]
  readonly said: SaidPage | null
  /** Null if there are results. */
  readonly browsing: Awaited<ReturnType<typeof findBrowsing>> | null
}

function SearchPage({ browsing, ...props }: SearchPageProps) {
  const { site, query, page, results, chips, named, series, others, tries, feed, missing, absent, longer, said } = props
  const toUrl = toHref(site)
  const groups = toFacetGroups({ query, page, others, shown: shownFacets, toHref: toUrl })
  const last = Math.ceil(page.count / pageSize)
  const isOpen = page.countIs === 'at_least'
  return (
    <div class="search-page">
      <div class="page-head">
        <Heading query={query} isEmpty={page.count === 0 && said === null} page={page} chips={chips} />
        {page.isProvisional === true && (
          <p class="widened">
            The search is still being prepared, so results are incomplete. Please reload the page in a moment.
          </p>
        )}
        <NoEdition site={site} missing={missing} />
        <NoTalkThere absent={absent} />
        {results.length > 0 && (
          <Understood
            {...{ site, query, page, missing }}
            isSeries={series !== null}
            records={results.map(({ talk }) => talk.record)}
          />
        )}
        {results.length > 0 && tries.length > 0 && (
          <div class="instead">
            <p>Try instead:</p>
            <Tries tries={tries} />
          </div>
        )}
        {results.length > 0 && chips.length > 0 && (
          <p>
            <a class="everywhere" href={toUrl(withoutChosen(query))} rel="nofollow">
              Search all talks
            </a>
          </p>
        )}
      </div>
      <NamedCards site={site} entries={named} series={series} />
      {results.length === 0 && <Longer site={site} query={query} longer={longer} />}
      {results.length === 0 && <MomentsBelow site={site} query={query} said={said} />}
      {results.length === 0 ? (
        browsing !== null && (
          <NoResults {...{ site, query, tries, ...browsing }} unknown={page.unknown ?? []} hasMoments={said !== null} />
        )
      ) : (
        <div class={groups.length === 0 ? undefined : 'columns'}>
          {groups.length > 0 && (
            <aside aria-label="Filters">
              <a class="skip-filters" href="#results">
                Skip filters
              </a>
              <FacetList groups={groups} chosenCount={chips.length} />
            </aside>
          )}
          <section id="results" tabindex="-1">
            <div class="results-head">
              <p>{isOpen ? `At least ${toCounted(page.count, 'talk')}` : toCounted(page.count, 'talk')}</p>
              <div class="results-tools">
                <Subscribe site={site} feed={feed} of="this search" />
                <SortMenu query={query} toHref={toUrl} />
              </div>
            </div>
            {page.matchIs === 'some' && <MomentsBelow site={site} query={query} said={said} />}
            <ResultList site={site} results={results} start={(query.page - 1) * pageSize + 1} />
            <Longer site={site} query={query} longer={longer} />
            {page.matchIs === undefined && <MomentsBelow site={site} query={query} said={said} />}
            <Pager page={query.page} last={last} isOpen={isOpen} toHref={(to) => toUrl({ ...query, page: to })} />
            <Machines site={site} query={query} />
          </section>
        </div>
      )}
    </div>
  )
}

function Longer({ site, query: { q }, longer }: Pick<SearchPageProps, 'site' | 'query' | 'longer'>) {
  if (longer.length === 0) return null
  return (
    <section class="longer">
      <h2>
        Talks with words like “<bdi>{q}…</bdi>”
      </h2>
      <ResultList site={site} results={longer} level={3} />
    </section>
  )
}

interface HeadingProps extends Pick<SearchPageProps, 'query' | 'page' | 'chips'> {
  readonly isEmpty: boolean
}

function Heading({ query: { q }, isEmpty, page, chips }: HeadingProps) {
  const scope = toScope(chips)
  if (q === '' && scope === '') return <h1>{isEmpty ? 'No talks found' : 'All talks'}</h1>
  if (q === '') return <h1 dir="auto">{`${isEmpty ? 'No talks found' : 'Talks'} ${scope}`}</h1>
  const [open, close] = q.includes('"') ? ['', ''] : ['“', '”']
  return (
    <h1>
      {isEmpty ? 'No talks found for' : 'Results for'} {open}
      <bdi>{toCorrection(q, page.corrected)?.corrected ?? q}</bdi>
      {close}
      {scope !== '' && ` ${scope}`}
    </h1>
  )
}

function Machines({ site: { urls }, query }: Pick<SearchPageProps, 'site' | 'query'>) {
  return (
    <p class="machines">
      <a href={urls.api('video', toApiParameters(query))} rel="nofollow">
        JSON
      </a>
    </p>
  )
}

interface SortMenuProps {
  readonly query: SearchQuery
  toHref(query: SearchQuery): string
}

const sortNames: { readonly [sort in Sort]: string } = {
  best: 'Best match',
  newest: 'Newest',
  oldest: 'Oldest',
  longest: 'Longest',
  shortest: 'Shortest',
  title: 'Title',
}

/** Links to the same list in other orders. */
function SortMenu({ query, toHref }: SortMenuProps) {
  const offered: readonly Sort[] = query.q === '' ? sorts.filter((sort) => sort !== 'best') : sorts
  return (
    <details class="menu-button sort">
      <summary>
        <span class="muted">Sort by</span> {sortNames[query.sort]}
      </summary>
      <ul class="options">
        {offered.map((sort) => (
          <li key={sort}>
            <a
              href={toHref({ ...query, sort, page: 1 })}
              rel="nofollow"
              aria-current={sort === query.sort ? 'true' : undefined}
            >
              {sortNames[sort]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
