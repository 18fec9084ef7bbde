import type { Site } from '../site.ts'
import { texts } from '../texts.ts'
import { hasChosen, type SearchQuery, toSearchParameters, withoutChosen } from './search-query.ts'

interface NoResultsProps {
  readonly site: Site
  readonly query: SearchQuery
}

/** What to do when nothing was found. */
export function NoResults({ site: { urls }, query }: NoResultsProps) {
  const { next } = texts.results
  const toHref = (other: SearchQuery) => urls.search(toSearchParameters({ ...other, page: 1 }))
  const isQuoted = query.q.includes('"')
  const isFiltered = hasChosen(query)
  return (
    <div class="no-results">
      {query.q !== '' && <p>{next.fewer}</p>}
      <h2>{next.title}</h2>
      <ul>
        {isFiltered && <Step href={toHref(withoutChosen(query))} text={next.filters} />}
        {isQuoted && <Step href={toHref({ ...query, q: query.q.replaceAll('"', ' ').trim() })} text={next.quotes} />}
        <Step href={urls.search()} text={next.all} />
        <Step href={urls.categories} text={next.events} />
        <Step href={urls.speakers} text={next.speakers} />
        <Step href={urls.tags} text={next.tags} />
      </ul>
    </div>
  )
}

function Step({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <li>
      <a href={href}>{text}</a>
    </li>
  )
}
