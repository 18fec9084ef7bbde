import type { Site } from '../site.ts'
import { hasChosen, type SearchQuery, toSearchParameters, withoutChosen } from './search-query.ts'

interface NoResultsProps {
  readonly site: Site
  readonly query: SearchQuery
}

/** What to do when nothing was found. */
export function NoResults({ site: { urls }, query }: NoResultsProps) {
  const toHref = (other: SearchQuery) => urls.search(toSearchParameters({ ...other, page: 1 }))
  const isQuoted = query.q.includes('"')
  const isFiltered = hasChosen(query)
  return (
    <div class="no-results">
      {query.q !== '' && <p>Try fewer or other words.</p>}
      <h2>You could</h2>
      <ul>
        {isFiltered && <Step href={toHref(withoutChosen(query))} text="Search without filters" />}
        {isQuoted && (
          <Step href={toHref({ ...query, q: query.q.replaceAll('"', ' ').trim() })} text="Search without quotes" />
        )}
        <Step href={urls.search()} text="See all talks" />
        <Step href={urls.categories} text="Browse events" />
        <Step href={urls.speakers} text="Browse speakers" />
        <Step href={urls.tags} text="Browse tags" />
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
