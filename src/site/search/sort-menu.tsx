import { texts } from '../texts.ts'
import { type SearchQuery, type Sort, sorts } from './search-query.ts'

interface SortMenuProps {
  readonly query: SearchQuery
  toHref(query: SearchQuery): string
}

/** Links to the same list in other orders. */
export function SortMenu({ query, toHref }: SortMenuProps) {
  const { sorts: names, sortLabel } = texts.results
  const offered: readonly Sort[] = query.q === '' ? sorts.filter((sort) => sort !== 'best') : sorts
  return (
    <details class="menu-button sort">
      <summary>
        <span class="muted">{sortLabel}</span> {names[query.sort]}
      </summary>
      <ul class="options">
        {offered.map((sort) => (
          <li key={sort}>
            <a
              href={toHref({ ...query, sort, page: 1 })}
              rel="nofollow"
              aria-current={sort === query.sort ? 'true' : undefined}
            >
              {names[sort]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
