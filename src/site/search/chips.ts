import { requireRead } from '../../http/problem.ts'
import { type CountedFacet, countedFacets } from '../../record/query/query.ts'
import { parseLanguageCode } from '../../record/text/language.ts'
import type { ListPage, ReadStore } from '../../store/store.ts'
import { type Chip, toFacetText, toParameter } from './facet-list.tsx'
import { type SearchQuery, toggle } from './search-query.ts'

/** The chosen filters with their names, as links that take them off. */
export async function findChips(
  store: ReadStore,
  query: SearchQuery,
  page: Pick<ListPage, 'facets'>,
  toHref: (query: SearchQuery) => string,
): Promise<Chip[]> {
  const chips: Chip[] = []
  for (const facet of countedFacets) {
    for (const value of query.chosen[facet]) {
      // All results have the chosen values, so the facets know their names, unless nothing was found.
      const known = page.facets?.[facet]?.find((each) => toParameter(facet, each) === value)?.value
      const name = known ?? (await findName(store, facet, value))
      chips.push({ text: toFacetText(facet, name), href: toHref(toggle(query, facet, value)) })
    }
  }
  return chips
}

async function findName(store: ReadStore, facet: CountedFacet, value: string): Promise<string> {
  switch (facet) {
    case 'category': {
      const found = requireRead(await store.findCategory({ slug: value, visibility: 'live' }))
      return found?.row.title ?? 'Unknown event'
    }
    case 'speaker':
    case 'tag': {
      const found = requireRead(await store.findName({ kind: facet, id: Number(value), visibility: 'live' }))
      return found?.name ?? `Unknown ${facet}`
    }
    case 'language':
      return parseLanguageCode(value) ?? value
    default:
      return value
  }
}
