import type { Caller } from '../../http/route.ts'
import { type LinkFilters, parseLinkFilters } from '../../record/query/links.ts'
import type { Site } from '../../site/site.ts'

/** What all parts of the page are given. */
export interface LinksPage {
  readonly site: Site
  readonly caller: Caller
  readonly filters: LinkFilters
}

/** An unknown filter is left out: a page must not fail because of an old link. */
export function readFilters(parameters: URLSearchParams): LinkFilters {
  const parsed = parseLinkFilters(parameters)
  return parsed.ok ? parsed.filters : {}
}

export const toParameters = ({ states, host, category }: LinkFilters) => ({
  category: category ?? null,
  host: host ?? null,
  state: states?.join(',') ?? null,
})
