import { defaultOrder } from '../../record/query/ordering.ts'
import { type BadQuery, type ListQuery, parseFilters, parseListQuery } from '../../record/query/query.ts'

/** A work list always has an order by values, so that its next record is known even if this one leaves it (decision 60). */
export type WorkQuery = ListQuery & { readonly order: NonNullable<ListQuery['order']> }

export type ParsedWorkList = { readonly ok: true; readonly query: WorkQuery } | BadQuery

/** The filters of a list, by which it is known whatever its order. */
export function toListFilters(parameters: URLSearchParams): URLSearchParams {
  const filters = new URLSearchParams(toListName(parameters))
  filters.delete('ordering')
  return filters
}

/** As `parseWorkList`; a parameter that is no filter is an error: ignored, it would leave a longer list than meant. */
export function parseNamedList(parameters: URLSearchParams): ParsedWorkList {
  const parsed = parseWorkList(parameters)
  if (!parsed.ok && parsed.problem === 'no_such_page') return parsed
  const filters = toListFilters(parameters)
  const strict = filters.size === 0 ? null : parseFilters(filters, 'all')
  const errors = new Map([...(strict?.ok === false ? strict.errors : []), ...(parsed.ok ? [] : parsed.errors)])
  return parsed.ok && errors.size === 0 ? parsed : { ok: false, problem: 'bad_parameter', errors }
}

/** Talks per page. */
export const sizes = [20, 50, 100] as const
export const defaultSize = 50

/** Parses the parameters of the API's list. A search is not ranked: all matches are to be worked through. */
export function parseWorkList(parameters: URLSearchParams): ParsedWorkList {
  const parsed = parseListQuery(parameters, 'all')
  if (!parsed.ok) return parsed
  const { filters, order, page, pageSize } = parsed.query
  const shape = { match: 'all', fields: null, facets: [], hasHighlight: false } as const
  return { ok: true, query: { filters, order: order ?? defaultOrder, page, pageSize, ...shape } }
}

/** Parameters of paging and shape, and results of actions, which are no part of a list's name. */
const unnamed = [
  ...['page', 'page_size', 'cursor', 'fields', 'facets', 'highlight', 'match', 'format'],
  ...['done', 'count', 'left'],
]

/** What the editor and bulk changes know a list by. `""` names all records. */
export function toListName(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name, value]) => value !== '' && !unnamed.includes(name))
  return new URLSearchParams(kept).toString()
}
