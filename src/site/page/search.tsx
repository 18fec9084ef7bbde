import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { type CountedFacet, countedFacets } from '../../record/query/query.ts'
import { toCounted } from '../../record/text/counted.ts'
import { parseSearch, type Search } from '../../record/text/search-text.ts'
import type { ListPage, ReadStore } from '../../store/store.ts'
import { type PageHead, renderPage } from '../part/layout.tsx'
import { Pager } from '../part/pager.tsx'
import { Subscribe, type Subscription, toSubscription } from '../part/subscribe.tsx'
import { FacetList, type FilterChip, findChips, toFacetGroups } from '../search/filters.tsx'
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
  toggleValue,
  toListQuery,
  toSearchParameters,
  withoutChosen,
} from '../search/search-query.ts'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { findTalks } from '../talk/talk.ts'

const pageSize = 20
/** Filters that a page without results tries to remove. */
const maxWider = 6
/** A hundred values per facet would be most of the page. */
const maxFacetNames = 40
const shownFacets: readonly CountedFacet[] = ['category', 'speaker', 'year', 'tag', 'language', 'length', 'download']

/** `/search`: the talks that match; without words, all talks. */
export async function showSearch(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const query = parseSearchQuery(call.query())
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok === false) return refuseLong(call, site, deps, query)
  const search = parsed?.search ?? null
  const read = { ...toListQuery(query, search), facets: countedFacets, maxFacetNames, hasFileKinds: true }
  const page = requireRead(await deps.store.list(read, call.signal))
  const records = page.records ?? []
  if (records.length === 0 && query.page > 1) throw new Refused({ code: 'no_such_page' })
  const feed = toFeed(site, query, page)
  const text = toCorrection(query.q, page.corrected)?.corrected ?? query.q
  const [named, talks, chips] = await Promise.all([
    findNamedEntries({ store: deps.store, site }, { query, page, text }),
    findTalks(deps.store, records),
    findChips(deps.store, query, page, toHref(site)),
  ])
  const found = {
    ...{ site, query, page, feed, chips, named: named.entries },
    results: toResults(talks, search, page.hits),
    wider: records.length > 0 ? [] : await findWider(deps.store, query, search, chips),
  }
  const isPartial = page.countIs === 'at_least' || page.isProvisional === true || named.isPartial
  const html = renderPage(site, { ...toHead(site, query), chips, feed }, <SearchPage {...found} />)
  return respondText(call, { text: html, type: contentTypes.html, caching: isPartial ? 'never' : 'revalidate' })
}

/** A search that finds talks, with fewer filters than one that does not. */
interface WiderSearch {
  readonly query: SearchQuery
  readonly text: string
  readonly count: number
}

/** The searches without one of the filters, those that find most first, and the one without any. */
async function findWider(
  store: ReadStore,
  query: SearchQuery,
  search: Search | null,
  chips: readonly FilterChip[],
): Promise<readonly WiderSearch[]> {
  const count = async (wider: SearchQuery) =>
    requireRead(await store.list({ ...toListQuery(wider, search), pageSize: 1, hasHighlight: false })).count
  const found: WiderSearch[] = []
  for (const { name, value, text } of chips.length > 1 ? chips.slice(0, maxWider) : []) {
    const wider = toggleValue(query, name, value)
    found.push({ query: wider, text: `Remove “${text}”`, count: await count(wider) })
  }
  found.sort((a, b) => b.count - a.count)
  const all = withoutChosen(query)
  if (chips.length > 0) found.push({ query: all, text: 'Search all talks', count: await count(all) })
  return found.filter((wider) => wider.count > 0)
}

const toHref =
  ({ urls }: Site) =>
  (query: SearchQuery) =>
    urls.search(toSearchParameters(query))

/** A search with misspelled words replaced by words of the archive. */
interface Correction {
  /** The search with the replacements. */
  readonly corrected: string
  /** The search as typed, with the replaced words in quotes. */
  readonly strict: string
}

/** Null if nothing was corrected. */
export function toCorrection(
  q: string,
  words: { readonly [typed: string]: readonly string[] } = {},
): Correction | null {
  const replaced = Object.entries(words).flatMap(([typed, [first]]) => (first === undefined ? [] : [{ typed, first }]))
  if (replaced.length === 0) return null
  const chunks = q.split(/\s+/)
  const strict = chunks.map((chunk) => (replaced.some(({ typed }) => isIn(chunk, typed)) ? `"${chunk}"` : chunk))
  const corrected = chunks.map((chunk) => {
    const found = replaced.find(({ typed }) => isIn(chunk, typed))
    return found === undefined ? chunk : chunk.replace(found.typed, () => found.first)
  })
  return { corrected: corrected.join(' '), strict: strict.join(' ') }
}

/** Words in quotes are never corrected. */
const isIn = (chunk: string, typed: string) => chunk.includes(typed) && !chunk.includes('"')

function toHead({ urls }: Site, query: SearchQuery): PageHead {
  const title = query.q === '' ? 'All talks' : `Search: ${query.q}`
  return {
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
  readonly wider: readonly WiderSearch[]
  readonly feed: Subscription
}

function SearchPage({ site, query, page, results, chips, named, wider, feed }: SearchPageProps) {
  const toUrl = toHref(site)
  const groups = toFacetGroups({ query, page, shown: shownFacets, toHref: toUrl })
  const last = Math.ceil(page.count / pageSize)
  const isOpen = page.countIs === 'at_least'
  return (
    <div class="search-page">
      <div class="page-head">
        <Heading query={query} page={page} />
        {results.length > 0 && <Corrected site={site} query={query} page={page} />}
        {results.length > 0 && chips.length > 0 && (
          <p>
            <a class="everywhere" href={toUrl(withoutChosen(query))} rel="nofollow">
              Search all talks
            </a>
          </p>
        )}
      </div>
      <NamedCards site={site} entries={named} />
      {results.length === 0 ? (
        <NoResults site={site} query={query} wider={wider} />
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
            <ResultList site={site} results={results} start={(query.page - 1) * pageSize + 1} />
            <Pager page={query.page} last={last} isOpen={isOpen} toHref={(to) => toUrl({ ...query, page: to })} />
            <Machines site={site} query={query} />
          </section>
        </div>
      )}
    </div>
  )
}

function Heading({ query, page: { count, corrected } }: Pick<SearchPageProps, 'query' | 'page'>) {
  const { q } = query
  if (q === '') return <h1>{count === 0 ? 'No talks found' : hasChosen(query) ? 'Talks' : 'All talks'}</h1>
  return (
    <h1>
      {count === 0 ? 'No talks found for' : 'Results for'} “<bdi>{toCorrection(q, corrected)?.corrected ?? q}</bdi>”
    </h1>
  )
}

/** The corrected search, with a link to the search as typed. */
function Corrected({ site, query, page }: Pick<SearchPageProps, 'site' | 'query' | 'page'>) {
  const correction = toCorrection(query.q, page.corrected)
  if (correction === null) return null
  const toHref = (q: string) => site.urls.search(toSearchParameters({ ...query, q, page: 1 }))
  return (
    <p class="corrected">
      Showing results for{' '}
      <a href={toHref(correction.corrected)}>
        <b dir="auto">{correction.corrected}</b>
      </a>
      <span aria-hidden="true"> · </span>
      Search instead for{' '}
      <a href={toHref(correction.strict)} rel="nofollow">
        <bdi>{query.q}</bdi>
      </a>
    </p>
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

/** Next steps after a search without results. */
function NoResults({ site, query, wider }: Pick<SearchPageProps, 'site' | 'query' | 'wider'>) {
  const { urls } = site
  const toUrl = toHref(site)
  const isQuoted = query.q.includes('"')
  return (
    <div class="no-results">
      {wider.length > 0 && <p>There are talks with fewer filters.</p>}
      {wider.length === 0 && query.q !== '' && <p>Try fewer or different words.</p>}
      <h2>You could</h2>
      <ul>
        {wider.map(({ query: other, text, count }) => (
          <Step key={text} href={toUrl(other)} text={text} note={`: ${toCounted(count, 'talk')}`} />
        ))}
        {isQuoted && (
          <Step href={toUrl({ ...query, q: query.q.replaceAll('"', ' ').trim() })} text="Search without quotes" />
        )}
        <Step href={urls.search()} text="See all talks" />
        <Step href={urls.categories} text="Browse events" />
        <Step href={urls.speakers} text="Browse speakers" />
        <Step href={urls.tags} text="Browse tags" />
      </ul>
    </div>
  )
}

function Step({ href, text, note }: { readonly href: string; readonly text: string; readonly note?: string }) {
  return (
    <li>
      <a href={href} rel="nofollow">
        {text}
      </a>
      {note}
    </li>
  )
}
