import type { Logger } from '../http/logger.ts'
import { Refused, refuseMissing, requireRead, toParameterProblem, toQueryProblem } from '../http/problem.ts'
import type { Answer, Call, HttpCall, TextAnswer } from '../http/route.ts'
import { type JsonObject, toAsciiJson } from '../record/json.ts'
import { type Completion, type Completions, maxCompletionLength } from '../record/query/completion.ts'
import { isIdText } from '../record/query/parameter.ts'
import { type ListQuery, maxPageSize, parseListQuery } from '../record/query/query.ts'
import { fromBodyText, parseFields, toPartText } from '../record/record.ts'
import { live, type Visibility } from '../record/state.ts'
import { toFolded } from '../record/text/fold.ts'
import { createHighlighter, toHits } from '../record/text/highlight.ts'
import type { ListPage, MomentPage, MomentQuery, MomentResult } from '../store/list-reads.ts'
import type { ReadStore, Store } from '../store/store.ts'
import {
  createPageUrls,
  listCutSize,
  nameIgnored,
  nameUnknown,
  type ReadDeps,
  toEnvelope,
  toListAnswer,
  toListUrl,
  toVisibility,
  type UnknownValue,
} from './envelope.ts'
import { executeOnRecord, readPosted, requireAuthor, toStoredAnswer } from './write.ts'

export interface CollectionDeps extends ReadDeps {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
}

const tooLarge = new Map([
  ['page_size', ['The records of this page are too large for one response. Request fewer with page_size.']],
])

export async function listRecords(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const visibility = toVisibility(call)
  const parameters = call.query()
  const parsed = parseListQuery(parameters, visibility)
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const { query } = parsed
  // Passages come from whole records, which are cut afterwards.
  const page = requireRead(await store.list(query.hasHighlight ? { ...query, fields: null } : query, call.signal))
  const { records } = page
  if (records === null) throw new Refused(toParameterProblem(tooLarge))
  if (isMissing(query, page, records.length)) throw new Refused({ code: 'no_such_page' })
  const body = toListBody({ ...page, records }, query, toListUrl(call, baseUrl), parameters)
  const isPartial = page.countIs === 'at_least' || page.isProvisional === true
  const answer = toListAnswer(call, body, visibility, isPartial)
  const unknown = page.count === 0 ? await listUnknown(store, query, parameters) : []
  nameUnknown(answer, [...unknown, ...listCutSize(parameters, query.pageSize)])
  return nameIgnored(answer, parameters.listIgnored())
}

export async function createRecord(call: HttpCall, deps: CollectionDeps): Promise<Answer> {
  const author = requireAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseFields(body, 'whole', null)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create', author, changes: parsed.changes, ...options } as const
  return executeOnRecord(deps, call, command, (stored) => {
    return toStoredAnswer(call, stored, `${deps.baseUrl(call)}/api/v2/video/${stored.id}`, 201)
  })
}

type ReadPage = ListPage & { readonly records: readonly string[] }

const tooLong = new Map([['q', [`q can have at most ${maxCompletionLength} characters.`]]])
const none: Completions = { results: [], isPartial: false }

export interface PageLinkDeps extends ReadDeps {
  /** The path of a page below the base URL; null without the site. */
  readonly toPagePath: ((completion: Completion) => string) | null
}

/** Completions of what a caller has typed so far. They link to pages; without the site, to the API. */
export async function listCompletions(call: Call, deps: PageLinkDeps): Promise<TextAnswer> {
  const { store, baseUrl, toPagePath } = deps
  const visibility = toVisibility(call)
  const parameters = call.query()
  const text = (parameters.get('q') ?? '').trim()
  if ([...text].length > maxCompletionLength) throw new Refused(toParameterProblem(tooLong))
  const found = text === '' ? none : requireRead(await store.suggest({ text, visibility }, call.signal))
  const toPath = toPagePath ?? toApiPath
  const results = found.results.map((each) => {
    return { kind: each.kind, text: each.text, url: `${baseUrl(call)}${toPath(each)}`, count: each.count }
  })
  const answer = toListAnswer(call, [toAsciiJson({ results })], visibility, found.isPartial)
  return nameIgnored(answer, parameters.listIgnored())
}

const [usualMoments, maxMoments] = [3, 20]

/** Talks in which all words of `q` are said within about 45 seconds, and where. */
export async function listMoments(call: Call, deps: PageLinkDeps): Promise<TextAnswer> {
  const parsed = parseListQuery(call.query(), toVisibility(call))
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const { filters, page, pageSize } = parsed.query
  const answer = await answerMoments(call, deps, { filters, page, pageSize, moments: readMoments(call, usualMoments) })
  return nameUnknown(answer, listCutSize(call.query(), pageSize))
}

/** The same for one talk. */
export async function listRecordMoments(call: Call<'id'>, deps: PageLinkDeps): Promise<TextAnswer> {
  const { store } = deps
  const id = Number(call.params.id)
  const visibility = toVisibility(call)
  const stored = await store.read(id)
  if (stored === null) return refuseMissing(store, id)
  if (stored.state !== live && visibility !== 'all') throw new Refused({ code: 'not_found' })
  const [q, language] = ['q', 'transcript_language'].map((name) => call.query().get(name))
  const asked = { q: q ?? '', ...(language == null ? {} : { transcript_language: language }) }
  const parsed = parseListQuery(new URLSearchParams(asked), visibility)
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const { filters, page, pageSize } = parsed.query
  const moments = readMoments(call, maxMoments)
  return answerMoments(call, deps, { filters: { ...filters, ids: [id] }, page, pageSize, moments })
}

function readMoments(call: Call, usual: number): number {
  const text = call.query().get('moments')
  if (text === null || text === '') return usual
  if (!isIdText(text)) throw new Refused(toParameterProblem(badMoments))
  return Math.min(Number(text), maxMoments)
}

const badMoments = new Map([['moments', [`moments must be a whole number from 1 to ${maxMoments}.`]]])

async function answerMoments(call: Call, deps: PageLinkDeps, query: MomentQuery): Promise<TextAnswer> {
  const found = requireRead(await deps.store.listMoments(query, call.signal))
  const { count, countIs, page, results } = found
  const isCut = query.page === 'last' && countIs === 'at_least'
  if (isCut || (results.length === 0 && page !== null && page > 1)) throw new Refused({ code: 'no_such_page' })
  const parameters = call.query()
  const urls = createPageUrls(toListUrl(call, deps.baseUrl), parameters)
  const body = toEnvelope({
    count,
    next: toNext(found, query.pageSize, urls),
    previous: page === null ? null : urls.toPrevious(page),
    results: results.map((result) => toMomentText(result, toMomentUrl(call, deps, result))).join(','),
    more: countIs === undefined ? '' : `,"count_is":"${countIs}"`,
  })
  const answer = toListAnswer(call, body, query.filters.visibility, countIs !== undefined)
  return nameIgnored(answer, parameters.listIgnored())
}

function toMomentText({ record, language, hits, moments }: MomentResult, toUrl: (start: number) => string): string {
  const shown = moments.map((moment) => ({ language, ...moment, url: toUrl(moment.start) }))
  return `{"record":${record},"hits":${hits},"moments":${toAsciiJson(shown)}}`
}

/** The page of the talk; without the site, its record. */
function toMomentUrl(call: Call, { baseUrl, toPagePath }: PageLinkDeps, result: MomentResult) {
  const { id, record, language, isOnly } = result
  const { slug, title } = JSON.parse(record)
  const path = (toPagePath ?? toApiPath)({ kind: 'video', id, slug, text: title, count: 1 })
  const chosen = isOnly ? '' : `&transcript=${language}`
  return (start: number) => `${baseUrl(call)}${path}?t=${Math.floor(start)}${chosen}`
}

/** Filters of an empty list that no record can meet, as far as the caller sees: a category or a language without any. */
async function listUnknown(store: ReadStore, { filters }: ListQuery, parameters: URLSearchParams) {
  const { category, language, visibility } = filters
  const unknown: UnknownValue[] = []
  if (category !== undefined && !(await hasCategory(store, category, visibility))) {
    unknown.push(['category', category])
  }
  if (language !== undefined && !(await hasLanguage(store, language, visibility))) {
    unknown.push(['language', parameters.get('language') ?? language])
  }
  return unknown
}

/** `named` is a slug or a title. */
async function hasCategory(store: ReadStore, named: string, visibility: Visibility): Promise<boolean> {
  const ofTitle = requireRead(await store.findCategorySlugs([named])).get(named)
  // The same reads whether a hidden category has this title or none.
  for (const slug of [named, ofTitle ?? named]) {
    if (requireRead(await store.findCategory({ slug, visibility })) !== null) return true
  }
  return false
}

async function hasLanguage(store: ReadStore, language: string, visibility: Visibility): Promise<boolean> {
  const query = { kind: 'language', visibility, prefix: toFolded(language), page: 1, pageSize: maxPageSize } as const
  const { rows } = requireRead(await store.listVocabulary(query))
  return rows.some((row) => 'name' in row && row.name === language)
}

/** A page past the end, or the last page of a list that was not counted to its end. */
function isMissing(query: ListQuery, page: ListPage, length: number): boolean {
  if (query.page === 'last' && page.countIs === 'at_least') return true
  return length === 0 && page.page !== null && page.page > 1
}

/** The body of a list of records, in pieces; `listUrl` has no query. */
function toListBody(page: ReadPage, query: ListQuery, listUrl: string, parameters: URLSearchParams): readonly string[] {
  const urls = createPageUrls(listUrl, parameters)
  const results = query.hasHighlight ? toHighlightedResults(page, query) : page.records
  return toEnvelope({
    count: page.count,
    next: toNext(page, query.pageSize, urls),
    previous: page.page === null ? null : urls.toPrevious(page.page),
    results: results.join(','),
    more: toMoreMembers(page),
  })
}

function toNext(page: ListPage | MomentPage, pageSize: number, urls: ReturnType<typeof createPageUrls>): string | null {
  if (page.page !== null) return urls.toNext(page.page, pageSize, page.count)
  return page.nextCursor === null ? null : urls.toCursor(page.nextCursor)
}

/** Members that only some lists have, as JSON text that begins with a comma. */
function toMoreMembers({ facets, corrected = {}, matchIs, unknown, countIs }: ListPage): string {
  const members = {
    ...(facets === null ? {} : { facets: toFacets(facets) }),
    ...(Object.keys(corrected).length === 0 ? {} : { corrected }),
    ...(matchIs === undefined ? {} : { match_is: matchIs }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(countIs === undefined ? {} : { count_is: countIs }),
  }
  return Object.entries(members)
    .map(([name, value]) => `,"${name}":${toAsciiJson(value)}`)
    .join('')
}

/** Only values and counts: pages use the rest. */
function toFacets(facets: NonNullable<ListPage['facets']>): JsonObject {
  const shown = Object.entries(facets).map(([name, values]) => {
    return [name, values.map(({ value, count }) => ({ value, count }))] as const
  })
  return Object.fromEntries(shown)
}

/** `{"record", "highlight"}` for each record, as JSON. Cuts records to the requested fields last. */
function toHighlightedResults({ records, hits }: ReadPage, { filters, fields }: ListQuery): string[] {
  const { all = [], none = [] } = filters.search ?? {}
  const highlight =
    hits === undefined ? createHighlighter(toHits({ all, none }), 'all') : createHighlighter(hits, 'best')
  return records.map((text) => {
    const record = fromBodyText(text)
    const shown = fields === null ? text : toPartText(record, fields)
    return `{"record":${shown},"highlight":${toAsciiJson(highlight(record))}}`
  })
}

function toApiPath(completion: Completion): string {
  const { kind, slug } = completion
  return `/api/v2/${kind}/${kind === 'category' ? slug : completion.id}`
}
