import { type CompanionTrait, companionTraits, isCompanionTrait, type ListedTrait } from '../companion/kinds.ts'
import { isLonger } from '../field-kind.ts'
import { type FieldName, isFieldName, type MediaKind, mediaKinds } from '../fields.ts'
import { type LinkState, troubledStates } from '../link/link.ts'
import { type FindingCode, isMissing, type Missing, toMissingCode } from '../quality/finding-codes.ts'
import type { Visibility } from '../state.ts'
import { toFolded } from '../text/fold.ts'
import { parseLanguageName, parseLanguageTag } from '../text/language.ts'
import { parseSearch, type Search } from '../text/search-text.ts'
import type { Timestamp } from '../timestamp.ts'
import { origins } from '../transcript/transcript.ts'
import { type Cursor, defaultOrder, type OrderStep, parseCursor, parseOrdering } from './ordering.ts'
import {
  createParameterReader,
  isIdText,
  type ParameterReader,
  type Parse,
  parseDay,
  parseFindings,
  parseFlag,
  parseIds,
  parseMissing,
  parseNames,
  parseSeconds,
  parseSince,
  parseSourceHost,
  parseUntil,
  type Read,
  toRead,
} from './parameter.ts'
import { vocabularyKinds } from './vocabulary.ts'

/** Conditions on records; all of them must hold. */
export interface Filters {
  readonly visibility: Visibility
  readonly state?: number
  /** A slug, or an exact title. */
  readonly category?: string
  /** Folded parts of names; for each, a record must have a name that contains it. */
  readonly speakers: readonly string[]
  readonly tags: readonly string[]
  /** Ids of names; a record must have each. */
  readonly speakerIds?: readonly number[]
  readonly tagIds?: readonly number[]
  readonly language?: string
  readonly recordedAfter?: string
  readonly recordedBefore?: string
  readonly durationMin?: number
  readonly durationMax?: number
  /** A record must have each of these. */
  readonly has: readonly MediaKind[]
  /** What its companions must have, and what they may not have (decision 91). */
  readonly traits?: readonly ListedTrait[]
  readonly withoutTraits?: readonly ListedTrait[]
  /** A record must have at least one of these. */
  readonly hasAny?: readonly MediaKind[]
  readonly sourceUrl?: string
  readonly ids?: readonly number[]
  /** A record must have each. */
  readonly findings?: readonly FindingCode[]
  /** It must have an address in this state. */
  readonly link?: LinkState
  /** Whether it has a recording that is not known to be dead. */
  readonly isWatchable?: boolean
  readonly whiteboard?: boolean
  /** Whether a time is set at which the draft becomes live. */
  readonly isScheduled?: true
  /** Whether it is a merged draft, or its whiteboard has the mark of parked drafts (decision 60). */
  readonly parked?: boolean
  /** Of the source URL, as `toHost` gives it. */
  readonly host?: string
  readonly addedAfter?: Timestamp
  readonly addedBefore?: Timestamp
  readonly updatedAfter?: Timestamp
  readonly updatedBefore?: Timestamp
  /** The author of the newest version. */
  readonly by?: string
  readonly search?: Search
}

export const matches = ['all', 'best'] as const
/** `all`: every word must occur. `best`: the same as understood, or else some of the words; the best first. */
export type Match = (typeof matches)[number]

/** A parsed list request. */
export interface ListQuery {
  readonly filters: Filters
  /** Has no effect without a search. */
  readonly match: Match
  /** Null: by relevance if there is a search, else the default order. */
  readonly order: readonly OrderStep[] | null
  readonly page: number | 'last' | Cursor
  readonly pageSize: number
  readonly fields: readonly FieldName[] | null
  readonly facets: readonly CountedFacet[]
  /** Limits the categories, speakers and tags of a facet: looking up a hundred names takes longer than counting them. */
  readonly maxFacetNames?: number
  /** Whether each result says where the search matches. */
  readonly hasHighlight: boolean
  /** Whether the page names the kinds of files that the records have. */
  readonly hasFileKinds?: boolean
}

export type FileKind = (typeof fileKinds)[number]

export const defaultPageSize = 20

/** Reports every invalid parameter. Ignores unknown ones, which old clients send, and empty ones. */
export function parseListQuery(parameters: URLSearchParams, visibility: Visibility): ParsedQuery {
  const reader = createParameterReader(parameters)
  const filters = readListFilters(reader, visibility)
  const match = reader.read('match', (text) => toRead(matches.find((each) => each === text) ?? null, 'all or best'))
  const hasHighlight = reader.read('highlight', parseFlag) ?? false
  const order = reader.read('ordering', (text) => ({ value: parseOrdering(text) })) ?? null
  const fields = reader.read('fields', (text) => parseNames(text, isFieldName, 'field names separated by commas'))
  const facets = reader.read('facets', (text) => parseNames(text, isFacetName, `some of ${facetNames.join(', ')}`))
  const pageSize =
    reader.readEvenEmpty('page_size', (text) => toRead(parsePageSize(text), expectedPageSize)) ?? defaultPageSize
  const cursor = reader.readEvenEmpty('cursor', (text) => {
    return toRead(parseCursor(text, order ?? defaultOrder), 'a cursor from "next" of the same list')
  })
  if (reader.errors.size > 0) return { ok: false, problem: 'bad_parameter', errors: reader.errors }
  const page = cursor ?? parsePage(parameters.get('page'))
  if (page === null) return { ok: false, problem: 'no_such_page' }
  const cut = { fields: fields ?? null, facets: facets ?? [], hasHighlight }
  return { ok: true, query: { filters, match: match ?? 'all', order, page, pageSize, ...cut } }
}

export const maxPageSize = 100

export interface Paging {
  readonly page: number | 'last'
  readonly pageSize: number
}

/** Why a query is refused: a page that cannot exist, or invalid parameters with their errors. */
export type BadQuery =
  | { readonly ok: false; readonly problem: 'no_such_page' }
  | { readonly ok: false; readonly problem: 'bad_parameter'; readonly errors: ReadonlyMap<string, readonly string[]> }

/** Parses `page` and `page_size` of any list. */
export function parsePaging(parameters: URLSearchParams, defaultSize: number): ParsedPaging {
  const size = parameters.get('page_size')
  const pageSize = size === null ? defaultSize : parsePageSize(size)
  if (pageSize === null) {
    const errors = new Map([['page_size', [`page_size must be ${expectedPageSize}.`]]])
    return { ok: false, problem: 'bad_parameter', errors }
  }
  const page = parsePage(parameters.get('page'))
  return page === null ? { ok: false, problem: 'no_such_page' } : { ok: true, paging: { page, pageSize } }
}

export function parsePage(text: string | null): number | 'last' | null {
  if (text === null) return 1
  if (text === 'last') return 'last'
  return isIdText(text) ? Number(text) : null
}

/** As `parseListQuery`, for filters alone. An unknown, empty or needlessly repeated parameter is an error. */
export function parseFilters(parameters: URLSearchParams, visibility: Visibility): ParsedFilters {
  const reader = createParameterReader(parameters)
  const filters = readListFilters(reader, visibility)
  for (const [name, value] of parameters) {
    const times = reader.asked.get(name)
    if (times === undefined) reader.fail(name, `${JSON.stringify(name)} is not a filter. Leave it out.`)
    else if (value.trim() === '') reader.fail(name, `${name} is empty. Give it a value, or leave it out.`)
    else if (times === 'once' && parameters.getAll(name).length > 1)
      reader.fail(name, `${name} can be given only once.`)
  }
  if (parameters.size === 0) reader.fail('', 'Must have at least one filter.')
  return reader.errors.size > 0 ? { ok: false, errors: reader.errors } : { ok: true, filters }
}

/** Facets of the API. */
export const facetNames = [...vocabularyKinds, 'year'] as const
export type FacetName = (typeof facetNames)[number]
/** The facets that the store counts. The last two are for pages only: `facets` of the API does not accept them. */
export const countedFacets = [...facetNames, 'length', 'download'] as const
export type CountedFacet = (typeof countedFacets)[number]

/** Values of the facet `length`, with the filters that select them; in seconds, both inclusive. */
export const lengthRanges = [
  { value: '0-10', durationMin: 0, durationMax: 599 },
  { value: '10-30', durationMin: 600, durationMax: 1_799 },
  { value: '30-60', durationMin: 1_800, durationMax: 3_599 },
  { value: '60+', durationMin: 3_600, durationMax: null },
] as const

/** Kinds of files that can be downloaded: `hasAny` of these selects what the facet `download` counts as `yes`. */
export const fileKinds = ['mp4', 'webm', 'ogv', 'flv'] as const satisfies readonly MediaKind[]

/** For each parameter. Each part of a name is looked up among all names of the archive. */
const maxNames = 4
/** The length of the longest name. */
const maxNamePartLength = 255

type ParsedQuery = { readonly ok: true; readonly query: ListQuery } | BadQuery

function readListFilters(reader: ParameterReader, visibility: Visibility): Filters {
  const has = reader.read('has', parseHas) ?? []
  const missing = reader.read('missing', parseMissing) ?? []
  const transcript = reader.read('transcript', parseTranscript)
  const transcriptLanguage = reader.read('transcript_language', parseTranscriptLanguage)
  const given = {
    state: reader.read('state', (text) => (text === '1' || text === '2' ? { value: Number(text) } : '1 or 2')),
    category: reader.read('category', (text) => ({ value: text })),
    language: reader.read('language', parseLanguage),
    recordedAfter: reader.read('recorded_after', parseDay),
    recordedBefore: reader.read('recorded_before', parseDay),
    durationMin: reader.read('duration_min', parseSeconds),
    durationMax: reader.read('duration_max', parseSeconds),
    sourceUrl: reader.read('source_url', (text) => ({ value: text })),
    ids: reader.read('id', parseIds),
    speakerIds: readNameIds(reader, 'speaker_id'),
    tagIds: readNameIds(reader, 'tag_id'),
    hasAny: reader.read('has_any', parseMedia),
    traits: toSome([...has.filter(isCompanionTrait), ...[transcript ?? [], transcriptLanguage ?? []].flat()]),
    withoutTraits: toSome([...missing.filter(isCompanionTrait), ...(transcript === null ? lackingTranscript : [])]),
    findings: readFindings(reader, missing.filter(isMissing)),
    link: reader.read('link', parseLinkState),
    isWatchable: reader.read('watchable', parseFlag),
    whiteboard: reader.read('whiteboard', parseFlag),
    isScheduled: reader.read('scheduled', (text) => toRead(text === '1' ? true : null, '1')),
    parked: reader.read('parked', parseFlag),
    host: reader.read('host', parseSourceHost),
    addedAfter: reader.read('added_after', parseSince),
    addedBefore: reader.read('added_before', parseUntil),
    updatedAfter: reader.read('updated_after', parseSince),
    updatedBefore: reader.read('updated_before', parseUntil),
    by: reader.read('by', (text) => ({ value: text })),
    search: readSearch(reader),
  }
  // Unused filters are absent, so that equal queries are equal as JSON.
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const speakers = readNameParts(reader, 'speaker')
  const tags = readNameParts(reader, 'tag')
  return { visibility, speakers, tags, has: has.filter(isMediaKind), ...present }
}

function readNameParts(reader: ParameterReader, name: string): string[] {
  const given = reader.readAll(name)
  if (given.some((part) => isLonger(part, maxNamePartLength))) {
    reader.fail(name, `${name} can have at most ${maxNamePartLength} characters.`)
    return []
  }
  const parts = [...new Set(given.map(toFolded))]
  if (parts.length > maxNames) reader.fail(name, tooMany(name))
  return parts
}

/** Undefined if there are none. */
function readNameIds(reader: ParameterReader, name: string): number[] | undefined {
  const given = reader.readAll(name)
  if (!given.every(isIdText)) reader.fail(name, `${name} must be an id.`)
  const ids = [...new Set(given.map(Number))]
  if (ids.length > maxNames) reader.fail(name, tooMany(name))
  return ids.length === 0 ? undefined : ids
}

/** A missing field is a finding too. Undefined if there are none. */
function readFindings(reader: ParameterReader, missing: readonly Missing[]): FindingCode[] | undefined {
  const found = [...new Set([...missing.map(toMissingCode), ...(reader.read('finding', parseFindings) ?? [])])]
  return found.length === 0 ? undefined : found
}

const toSome = <Name>(names: readonly Name[]) => (names.length === 0 ? undefined : names)

const tooMany = (name: string) => `${name} can have at most ${maxNames} different values.`

function readSearch(reader: ParameterReader): Search | undefined {
  const text = reader.readAll('q').join(' ')
  if (text.trim() === '') return undefined
  const parsed = parseSearch(text)
  if (parsed.ok) return parsed.search
  reader.fail('q', parsed.problem)
  return undefined
}

const parseLinkState: Parse<LinkState> = (text) =>
  toRead(troubledStates.find((state) => state === text) ?? null, `one of ${troubledStates.join(', ')}`)

const isMediaKind = (text: string): text is MediaKind => mediaKinds.some((kind) => kind === text)
const isFacetName = (text: string): text is FacetName => facetNames.some((name) => name === text)

function parseLanguage(text: string): Read<string> {
  const name = parseLanguageName(text.trim())
  return name === null ? 'the English name or code of a language' : { value: name }
}

const isKept = (text: string): text is MediaKind | CompanionTrait => isMediaKind(text) || isCompanionTrait(text)
const keptKinds = [...mediaKinds, ...companionTraits].join(', ')
const parseHas: Parse<(MediaKind | CompanionTrait)[]> = (text) => parseNames(text, isKept, `some of ${keptKinds}`)
const parseMedia: Parse<MediaKind[]> = (text) => parseNames(text, isMediaKind, `some of ${mediaKinds.join(', ')}`)

const lackingTranscript = ['transcript'] as const

/** Null: without any. */
const parseTranscript: Parse<ListedTrait | null> = (text) => {
  const origin = origins.find((each) => each === text)
  if (origin !== undefined) return { value: `transcript:${origin}` }
  if (text === '0' || text === '1') return { value: text === '1' ? 'transcript' : null }
  return `0, 1, ${origins.slice(0, -1).join(', ')} or ${origins.at(-1)}`
}

const parseTranscriptLanguage: Parse<ListedTrait> = (text) => {
  const language = parseLanguageTag(text.trim())
  return language === null ? 'a language tag such as en or pt-BR' : { value: `transcript_language:${language}` }
}

type ParsedPaging = { readonly ok: true; readonly paging: Paging } | BadQuery

const expectedPageSize = `an integer of at least 1; values above ${maxPageSize} mean ${maxPageSize}`

function parsePageSize(text: string): number | null {
  return /^\d+$/.test(text) && Number(text) > 0 ? Math.min(Number(text), maxPageSize) : null
}

type ParsedFilters =
  | { readonly ok: true; readonly filters: Filters }
  | { readonly ok: false; readonly errors: ReadonlyMap<string, readonly string[]> }
