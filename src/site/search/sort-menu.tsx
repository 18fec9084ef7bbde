import { type SearchQuery, type Sort, sorts } from './search-query.ts'

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
export function SortMenu({ query, toHref }: SortMenuProps) {
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
