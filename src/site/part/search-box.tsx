import type { Site } from '../site.ts'

interface SearchBoxProps {
  readonly site: Site
  readonly q: string
  readonly isLarge?: boolean
}

/** Works as a plain form; the script adds suggestions while typing. */
export function SearchBox({ site, q, isLarge = false }: SearchBoxProps) {
  const { urls } = site
  return (
    <search class={isLarge ? 'search-box large' : 'search-box'}>
      <form action={urls.search()} method="get" data-suggest={urls.suggest}>
        <input
          type="search"
          name="q"
          value={q}
          dir="auto"
          maxlength="200"
          aria-label="Search talks, speakers, events"
          placeholder="Search talks, speakers, events …"
          autocomplete="off"
          spellcheck="false"
        />
        <button type="submit" aria-label="Search">
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path
              d="M8.500 3a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM12.700 12.700 17 17"
              fill="none"
              stroke="currentColor"
              stroke-width="1.800"
              stroke-linecap="round"
            />
          </svg>
        </button>
      </form>
    </search>
  )
}
