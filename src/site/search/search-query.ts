import { shortestPlausible } from '../../record/quality/finding-codes.ts'
import { defaultOrder, type OrderStep, parseOrdering, toOrderText } from '../../record/query/ordering.ts'
import {
  type CountedFacet,
  countedFacets,
  type Filters,
  fileKinds,
  type ListQuery,
  lengthRanges,
  parsePage,
} from '../../record/query/query.ts'
import { parseRecordId } from '../../record/record.ts'
import { parseLanguageCode, toLanguageCode } from '../../record/text/language.ts'
import type { Search } from '../../record/text/search-text.ts'
import type { UrlParameters } from '../urls.ts'

/** The parameters of `/search` and its feed, in the order of links, and those of its suggestions. Each facet is one. */
export const scopeParameters = ['q', ...countedFacets] as const
export const searchParameters = [...scopeParameters, 'sort', 'page'] as const

export const sorts = ['best', 'newest', 'oldest', 'longest', 'shortest', 'title'] as const
export type Sort = (typeof sorts)[number]

/** Chosen values by facet: a slug, ids, the code of a language, a year, a range of lengths, or `yes`. */
type Chosen = { readonly [F in CountedFacet]: readonly string[] }

/** A parsed request for a search page. */
export interface SearchQuery {
  readonly q: string
  readonly chosen: Chosen
  readonly sort: Sort
  readonly page: number
}

/** The number of ids that the store accepts. In any other facet, a record has one value. */
const maxValues: { readonly [F in CountedFacet]?: number } = { speaker: 4, tag: 4 }
const maxSlugLength = 255

const parsers: { readonly [F in CountedFacet]: (text: string) => string | null } = {
  category: (text) => (text === '' || text.length > maxSlugLength ? null : text),
  speaker: parseId,
  tag: parseId,
  language: (text) => toLanguageCode(parseLanguageCode(text.trim()) ?? ''),
  year: (text) => (/^\d{4}$/.test(text) ? text : null),
  length: (text) => (toLengthRange(text) === null ? null : text),
  download: (text) => (text === 'yes' ? text : null),
}

/** Ignores invalid values: a truncated or edited link should still find something. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const q = (parameters.get('q') ?? '').trim()
  const page = parsePage(parameters.get('page'))
  const sort = sorts.find((each) => each === parameters.get('sort')) ?? null
  return {
    q,
    chosen: toChosen((facet) => parseValues(facet, parameters.getAll(facet))),
    sort: sort === null || (sort === 'best' && q === '') ? toDefaultSort(q) : sort,
    page: page === null || page === 'last' ? 1 : page,
  }
}

/** The parameters of a link to this search; defaults are left out. */
export function toSearchParameters({ q, chosen, sort, page }: SearchQuery): UrlParameters {
  return {
    q,
    ...chosen,
    sort: sort === toDefaultSort(q) ? null : sort,
    page: page === 1 ? null : page,
  }
}

/** A feed has its own order. */
export function toFeedParameters({ q, chosen }: SearchQuery): UrlParameters {
  return { q, ...chosen }
}

export const isChosen = ({ chosen }: SearchQuery, facet: CountedFacet, value: string) => chosen[facet].includes(value)
export const hasChosen = ({ chosen }: SearchQuery) => countedFacets.some((facet) => chosen[facet].length > 0)

/** Adds a value to the chosen ones, or removes it. */
export function toggleValue(query: SearchQuery, facet: CountedFacet, value: string): SearchQuery {
  const others = query.chosen[facet].filter((each) => each !== value)
  const isOff = others.length < query.chosen[facet].length
  const values = isOff ? others : [...others, value].slice(-(maxValues[facet] ?? 1))
  return { ...query, chosen: { ...query.chosen, [facet]: values }, page: 1 }
}

/** Whether several values can be chosen. */
export const canAdd = (facet: CountedFacet) => maxValues[facet] !== undefined

export function without(query: SearchQuery, facet: CountedFacet): SearchQuery {
  return { ...query, chosen: { ...query.chosen, [facet]: [] }, page: 1 }
}

export function withoutChosen(query: SearchQuery): SearchQuery {
  return { ...query, chosen: toChosen(() => []), page: 1 }
}

/** The query to the store, without facets. */
export function toListQuery(query: SearchQuery, search: Search | null): ListQuery {
  const isDefault = query.sort === toDefaultSort(query.q)
  return toPageQuery({
    filters: { ...toFilters(query), ...(search === null ? {} : { search }) },
    order: isDefault ? null : orders[query.sort],
    page: query.page,
    hasHighlight: search !== null,
  })
}

export function toFilters({ chosen }: SearchQuery): Partial<Filters> {
  const [category, language, year, length] = [chosen.category[0], chosen.language[0], chosen.year[0], chosen.length[0]]
  const range = toLengthRange(length)
  return {
    ...(category === undefined ? {} : { category }),
    ...(chosen.speaker.length === 0 ? {} : { speakerIds: chosen.speaker.map(Number) }),
    ...(chosen.tag.length === 0 ? {} : { tagIds: chosen.tag.map(Number) }),
    ...(language === undefined ? {} : { language: parseLanguageCode(language) ?? '' }),
    ...(year === undefined ? {} : toYearFilter(year)),
    ...(range === null ? {} : { durationMin: range.durationMin }),
    ...(range === null || range.durationMax === null ? {} : { durationMax: range.durationMax }),
    ...(chosen.download.length === 0 ? {} : { hasAny: fileKinds }),
  }
}

export const toYearFilter = (year: string) => ({ recordedAfter: `${year}-01-01`, recordedBefore: `${year}-12-31` })

/** The parameters of the API list with the same records in the same order. */
export function toApiParameters(query: SearchQuery): UrlParameters {
  const { q, chosen, sort, page } = query
  const { language, recordedAfter, recordedBefore, durationMin, durationMax, hasAny } = toFilters(query)
  const order = sort === toDefaultSort(q) ? null : orders[sort]
  return {
    ...(q === '' ? {} : { q, match: 'best', highlight: 1 }),
    category: chosen.category,
    speaker_id: chosen.speaker,
    tag_id: chosen.tag,
    language,
    recorded_after: recordedAfter,
    recorded_before: recordedBefore,
    duration_min: durationMin,
    duration_max: durationMax,
    has_any: hasAny?.join(','),
    ordering: order === null ? null : toOrderText(order),
    page: page === 1 ? null : page,
  }
}

/** A store query for pages, which show live records only. */
export function toPageQuery({ filters, ...query }: PageQuery): ListQuery {
  return {
    match: 'best',
    order: null,
    page: 1,
    pageSize: 20,
    fields: null,
    facets: [],
    hasHighlight: false,
    ...query,
    filters: { speakers: [], tags: [], has: [], ...filters, visibility: 'live' },
  }
}

/** One of the ranges of the facet, or any other in whole minutes, such as `25-30`, which leaves 30 out. */
function toLengthRange(text = ''): { readonly durationMin: number; readonly durationMax: number | null } | null {
  const known = lengthRanges.find(({ value }) => value === text)
  const [, from, to] = /^(\d{1,3})-(\d{1,3})$/.exec(text) ?? []
  if (known !== undefined || from === undefined || Number(from) >= Number(to)) return known ?? null
  return { durationMin: Math.max(shortestPlausible, 60 * Number(from)), durationMax: 60 * Number(to) - 1 }
}

function parseId(text: string): string | null {
  return parseRecordId(text) === null ? null : text
}

function toChosen(toValues: (facet: CountedFacet) => readonly string[]): Chosen {
  return {
    category: toValues('category'),
    speaker: toValues('speaker'),
    tag: toValues('tag'),
    language: toValues('language'),
    year: toValues('year'),
    length: toValues('length'),
    download: toValues('download'),
  }
}

function parseValues(facet: CountedFacet, texts: readonly string[]): string[] {
  const values = texts.map(parsers[facet]).filter((value) => value !== null)
  return [...new Set(values)].slice(0, maxValues[facet] ?? 1)
}

const toDefaultSort = (q: string): Sort => (q === '' ? 'newest' : 'best')

/** Null: by relevance, or the default order without a search. */
const orders: { readonly [S in Sort]: readonly OrderStep[] | null } = {
  best: null,
  newest: defaultOrder,
  oldest: parseOrdering('recorded'),
  longest: parseOrdering('-duration'),
  shortest: parseOrdering('duration'),
  title: parseOrdering('title'),
}

type PageQuery = Partial<Omit<ListQuery, 'filters'>> & { readonly filters?: Partial<Filters> }

/** The words and phrases of a search as they were typed, with their signs. */
export const toTypedParts = (q: string) => q.match(/-?"[^"]*"?|[^\s"]+/g) ?? []

/** Whether it is neither excluded nor a phrase. */
export const isPlain = (chunk: string) => !/^-|"/.test(chunk)

export const yearPattern = /^(?:19|20)\d\d$/

export const toCaseOf = (typed: string, name: string) => (typed === typed.toLowerCase() ? name.toLowerCase() : name)
