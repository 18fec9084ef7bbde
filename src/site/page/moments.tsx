import { Refused } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toCounted } from '../../record/text/counted.ts'
import { parseSearch, type Search } from '../../record/text/search-text.ts'
import { Chips, maxQueryLength, renderPage } from '../part/layout.tsx'
import { FindBox, Pager } from '../part/list-controls.tsx'
import { type FilterChip, findChips } from '../search/filters.tsx'
import { findMoments, MomentList, type SaidPage, toMomentParameters } from '../search/moment-list.tsx'
import { parseSearchQuery, type SearchQuery, toApiParameters, toSearchParameters } from '../search/search-query.ts'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'

const pageSize = 20
const nothing: Search = { all: [], none: [] }

/** `/moments`: the talks in which the words of a search are said, with the lines and their times. */
export async function showMoments(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const query = parseSearchQuery(call.query())
  const parsed = parseSearch(query.q)
  const said = await findMoments(deps.store, query, parsed.ok ? parsed.search : nothing, pageSize)
  if (query.page > 1 && (query.page - 1) * pageSize >= said.count) throw new Refused({ code: 'no_such_page' })
  const toHref = (other: SearchQuery) => site.urls.moments(toMomentParameters(other))
  const chips = await findChips(deps.store, query, { facets: null }, toHref)
  const { match: _match, highlight: _highlight, ordering: _ordering, ...parameters } = toApiParameters(query)
  const head = {
    title: query.q === '' ? 'In what was said' : `In what was said: ${query.q}`,
    page: query.page,
    canonical: site.urls.moments(toMomentParameters(query)),
    isIndexed: false,
    json: site.urls.api('moments', parameters),
  }
  const html = renderPage(site, head, <MomentsPage {...{ site, query, chips, said }} />)
  const caching = said.countIs === undefined ? 'revalidate' : 'never'
  return respondText(call, { text: html, type: contentTypes.html, caching, status: parsed.ok ? 200 : 400 })
}

interface MomentsPageProps {
  readonly site: Site
  readonly query: SearchQuery
  readonly chips: readonly FilterChip[]
  readonly said: SaidPage
}

function MomentsPage({ site, query, chips, said: { count, countIs, results } }: MomentsPageProps) {
  const { urls } = site
  const isOpen = countIs === 'at_least'
  return (
    <div class="search-page">
      <div class="page-head">
        <h1>In what was said</h1>
        <FindBox
          action={urls.moments({})}
          q={query.q}
          label="Search what was said"
          maxLength={maxQueryLength}
          kept={chips}
        />
        <Chips chips={chips} />
        <p>
          {toAnswer(query.q, count, isOpen)}{' '}
          <a class="everywhere" href={urls.search(toSearchParameters({ ...query, page: 1 }))} rel="nofollow">
            Search titles and descriptions
          </a>
        </p>
      </div>
      <MomentList site={site} results={results} level={2} start={(query.page - 1) * pageSize + 1} />
      <Pager
        page={query.page}
        last={Math.ceil(count / pageSize)}
        isOpen={isOpen}
        toHref={(page) => urls.moments(toMomentParameters({ ...query, page }))}
      />
    </div>
  )
}

function toAnswer(q: string, count: number, isOpen: boolean): string {
  if (q === '') return 'Type words or a sentence that you remember from a talk.'
  if (count === 0) return `Nobody says “${q}” in a talk with a transcript.`
  return `${isOpen ? 'At least ' : ''}${toCounted(count, 'talk')} in which “${q}” is said.`
}
