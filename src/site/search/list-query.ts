import type { Filters, ListQuery } from '../../record/query/query.ts'

type Given = Partial<Omit<ListQuery, 'filters'>> & { readonly filters?: Partial<Filters> }

/** A query of pages, which show live records only. */
export function toPageQuery({ filters, ...given }: Given): ListQuery {
  return {
    match: 'best',
    order: null,
    page: 1,
    pageSize: 20,
    fields: null,
    facets: [],
    hasHighlight: false,
    ...given,
    filters: { speakers: [], tags: [], has: [], ...filters, visibility: 'live' },
  }
}
