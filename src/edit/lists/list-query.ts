import { Refused } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { isCompanionTrait } from '../../record/companion/kinds.ts'
import { type FindingCode, isFindingCode, isMissing, toMissingCode } from '../../record/quality/finding-codes.ts'
import { defaultOrder } from '../../record/query/ordering.ts'
import { type BadQuery, type ListQuery, parseFilters, parseListQuery, parsePage } from '../../record/query/query.ts'
import type { UrlParameters, Urls } from '../../site/urls.ts'

/** A work list always has an order by values, so that its next record is known even if this one leaves it (decision 60). */
export type WorkQuery = ListQuery & { readonly order: NonNullable<ListQuery['order']> }

type ParsedWorkList = { readonly ok: true; readonly query: WorkQuery } | BadQuery

/** The filters that identify a list. */
export function toListFilters(parameters: URLSearchParams): URLSearchParams {
  const filters = new URLSearchParams(toListName(parameters))
  filters.delete('ordering')
  return filters
}

/** As `parseWorkList`, but an unknown parameter is an error: ignoring a mistyped filter would give a longer list. */
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

/** Parses the parameters of the API's list. A search is not ranked: a curator works through all matches. */
export function parseWorkList(parameters: URLSearchParams): ParsedWorkList {
  const parsed = parseListQuery(parameters, 'all')
  if (!parsed.ok) return parsed
  const { filters, order, page, pageSize } = parsed.query
  const shape = { match: 'all', fields: null, facets: [], hasHighlight: false } as const
  return { ok: true, query: { filters, order: order ?? defaultOrder, page, pageSize, ...shape } }
}

/** Parameters that are not part of the name of a list: paging, shape, and the results of actions. */
const unnamed = [
  ...['page', 'page_size', 'cursor', 'fields', 'facets', 'highlight', 'match', 'format'],
  ...['done', 'count', 'left', 'code', 'at'],
]

/** The name of a list for the editor and bulk changes: its parameters. `""` names all records. */
export function toListName(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name, value]) => value !== '' && !unnamed.includes(name))
  return new URLSearchParams(kept).toString()
}

/** Drops the empty parameters that forms send, and turns `missing` into findings; companions have none. */
export function toCleanParameters(parameters: URLSearchParams): URLSearchParams {
  const clean = new URLSearchParams([...parameters].filter(([, value]) => value !== ''))
  const missing = splitCodes(clean.get('missing'))
  const [fields, others] = [missing.filter(isMissing), missing.filter((word) => !isMissing(word))]
  // An unknown value stays, for the error message.
  if (fields.length === 0 || !others.every(isCompanionTrait)) return clean
  const codes = [...fields.map(toMissingCode), ...splitCodes(clean.get('finding'))]
  if (others.length === 0) clean.delete('missing')
  else clean.set('missing', others.join(','))
  clean.set('finding', [...new Set(codes)].join(','))
  return clean
}

/** The findings that a list is narrowed to. */
export function readFindingFilter(parameters: URLSearchParams): FindingCode[] {
  return splitCodes(parameters.get('finding')).filter(isFindingCode)
}

/** Null removes a parameter. */
type ParameterChanges = { readonly [name: string]: string | null }

/** Parameters of one view of a list. */
const viewParameters: ParameterChanges = { page: null, done: null, count: null, left: null, code: null, at: null }

/** The URL of the same list with other parameters; from its first page, unless `changes` has a page. */
export function toListHref(urls: Urls, parameters: URLSearchParams, changes: ParameterChanges = {}): string {
  return urls.workList(changeParameters(parameters, { ...viewParameters, ...changes }))
}

/** The URL of a list, with the notice that nothing was ticked in it. */
export function toUntickedHref(urls: Urls, list: string): string {
  return toListHref(urls, new URLSearchParams(toListName(new URLSearchParams(list))), { done: 'unticked' })
}

/** The URL of the list as a CSV file. */
export function toCsvHref(urls: Urls, parameters: URLSearchParams): string {
  return urls.workListCsv(changeParameters(new URLSearchParams(toListName(parameters)), {}))
}

export function changeParameters(parameters: URLSearchParams, changes: ParameterChanges): UrlParameters {
  const changed = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  return Object.fromEntries([...new Set(changed.keys())].map((name) => [name, changed.getAll(name)]))
}

/** The URL of the same list without this value of a parameter that can be repeated. */
export function toHrefWithout(urls: Urls, parameters: URLSearchParams, name: string, value: string): string {
  const rest = [...parameters].filter((pair) => pair[0] !== name || pair[1] !== value)
  return toListHref(urls, new URLSearchParams(rest))
}

/** The page that the URL asks for. */
export function requirePage(call: Call): number | 'last' {
  const page = parsePage(call.query().get('page'))
  if (page === null) throw new Refused({ code: 'no_such_page' })
  return page
}

function splitCodes(text: string | null): string[] {
  return (text ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
}
