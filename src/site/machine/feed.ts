import { Refused, requireRead, toParameterProblem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import type { CompanionTrait } from '../../record/companion/kinds.ts'
import { withoutDead } from '../../record/link/watch.ts'
import { type FileFormat, fileFormats, fileTypes, findFileBytes } from '../../record/player/player-source.ts'
import type { Filters } from '../../record/query/query.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { toTranscriptLanguage } from '../../record/transcript/transcript-kind.ts'
import type { FirstCategory } from '../../store/site-reads.ts'
import { recentPerEvent } from '../page/home.tsx'
import { parseListIds } from '../page/list.tsx'
import { findNameByPath, toFeedTitle } from '../page/name.tsx'
import {
  parseSearchQuery,
  toApiParameters,
  toFeedParameters,
  toFilters,
  toPageQuery,
  toSearchParameters,
} from '../search/search-query.ts'
import type { Site, SiteDeps } from '../site.ts'
import { findTalks, listSpoken, type Talk } from '../talk/talk.ts'
import type { UrlParameters } from '../urls.ts'

const maxEntries = 50

/** A feed with the data of all its formats. */
export interface Feed {
  readonly subject: FeedSubject
  readonly uuid: string
  /** Its own path. */
  readonly self: string
  /** Whether it may change without a write, because some words are not loaded yet. */
  readonly isProvisional: boolean
  /** The latest to become live come first, unless it is a list. */
  readonly entries: readonly FeedItem[]
  /** The talks that it shows in a browser: as the home page does, or its entries. */
  readonly shown: readonly Talk[]
}

export interface FeedItem {
  readonly talk: Talk
  /** When the talk became live. */
  readonly liveAt: Timestamp
}

interface FeedPlan {
  readonly self: string
  readonly key: string
  readonly filters?: Partial<Filters>
}

/** Reads the newest talks of a subject. */
export async function readFeed(
  { store }: SiteDeps,
  subject: FeedSubject,
  { self, key, filters }: FeedPlan,
): Promise<Feed> {
  const query = toPageQuery({ filters: { ...subject.filters, ...filters } })
  const newest = { filters: query.filters, match: query.match, limit: subject.ids?.length ?? maxEntries, offset: 0 }
  const { records, liveAt, isProvisional = false } = requireRead(await store.listNewest(newest))
  const archive = requireRead(await store.findFirstCategory())
  const talks = (await findTalks(store, records)).map(leaveOutDead)
  const entries = talks.map((talk, i) => ({ talk, liveAt: liveAt[i] ?? talk.record.added }))
  const ordered = inOrder(entries, subject.ids)
  const isWhole = subject.key === '' && filters === undefined
  const shown = isWhole ? await findRecent(store) : ordered.map(({ talk }) => talk)
  return { subject, self, uuid: toFeedUuid(archive, key), isProvisional, entries: ordered, shown }
}

/** Removes dead files. */
const leaveOutDead = (talk: Talk): Talk => ({ ...talk, record: withoutDead(talk.record, talk.dead?.urls ?? []) })

const findRecent = async (store: SiteDeps['store']) =>
  findTalks(store, requireRead(await store.listRecent({ limit: maxEntries, perCategory: recentPerEvent })))

/** Companions of the talks in a feed, by id. */
export interface FeedCompanions {
  readonly chaptered: ReadonlySet<number>
  /** The languages of their transcripts. */
  readonly spoken: ReadonlyMap<number, readonly string[]>
}

export async function findCompanions({ store }: SiteDeps, { entries }: Feed): Promise<FeedCompanions> {
  const ids = entries.map(({ talk }) => talk.record.id)
  const spoken = new Map<number, readonly string[]>()
  for (const id of await findHaving(store, ids, 'transcript'))
    spoken.set(id, (await listSpoken(store, id)).map(toTranscriptLanguage))
  return { chaptered: await findHaving(store, ids, 'chapters'), spoken }
}

async function findHaving(
  store: SiteDeps['store'],
  ids: readonly number[],
  trait: CompanionTrait,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const { filters, match } = toPageQuery({ filters: { ids, traits: [trait] } })
  const found = requireRead(await store.listNewest({ filters, match, limit: ids.length, offset: 0 }))
  return new Set(found.records.map((text) => fromBodyText(text).id))
}

/** A list has its own order. */
function inOrder(entries: readonly FeedItem[], ids: readonly number[] | undefined): readonly FeedItem[] {
  if (ids === undefined) return entries
  return entries.toSorted((a, b) => ids.indexOf(a.talk.record.id) - ids.indexOf(b.talk.record.id))
}

/** The talks that a feed is about. */
interface FeedSubject {
  /** Permanent, and unique within the archive. */
  readonly key: string
  readonly title: string
  readonly description: string
  /** The path of the page with the same talks, and of the list of the API. */
  readonly page: string
  readonly json: string
  /** The path of the feed without its ending, and its parameters. */
  readonly stem: string
  readonly parameters: UrlParameters
  readonly filters: Partial<Filters>
  /** The ids in the order of the entries; otherwise the latest to become live come first, at most 50. */
  readonly ids?: readonly number[]
  /** Whether the path of the request has a former id or slug, or those of another archive. */
  readonly isMoved?: boolean
}

/** Finds the subject of a request; refuses the request if there is none. */
export type FindSubject<Name extends string = never> = (
  call: Call<Name>,
  deps: SiteDeps,
  site: Site,
) => Promise<FeedSubject>

export const findAll: FindSubject = async (_, __, { urls, settings }) => ({
  key: '',
  title: settings.name,
  description: 'New talks',
  ...{
    page: urls.home,
    json: urls.api('video', { ordering: '-added' }),
    stem: urls.path('/feed'),
    parameters: {},
    filters: {},
  },
})

/** An event, with its name. */
interface EventSubject extends FeedSubject {
  readonly name: string
}

export async function findEventSubject(
  { params }: Call<'slug'>,
  { store }: SiteDeps,
  { urls }: Site,
): Promise<EventSubject> {
  const found = requireRead(await store.findCategory({ slug: params.slug, visibility: 'live' }))
  if (found === null) throw new Refused({ code: 'no_such_category' })
  const { slug, title, description } = found.row
  const page = urls.category(slug)
  return {
    key: `category ${slug}`,
    name: title,
    title: `Talks at ${title}`,
    description: description.trim() === '' ? `Talks at ${title}` : description,
    ...{ page, json: urls.api('video', { category: slug }), stem: `${page}/feed`, parameters: {} },
    filters: { category: slug },
    isMoved: slug !== params.slug,
  }
}

/** Looks the name up as its page does. */
export const findNameSubject =
  (kind: 'speaker' | 'tag'): FindSubject<'id' | 'slug'> =>
  async ({ params: { id: idText, slug } }, { store }, { urls }) => {
    const id = Number(idText)
    const name = await findNameByPath(store, kind, id, slug)
    if (name === null) throw new Refused({ code: 'no_such_path' })
    const page = urls[kind](name)
    const title = toFeedTitle(kind, name.name)
    return {
      key: `${kind} ${name.id}`,
      ...{ title, description: title, page, json: urls.api('video', { [`${kind}_id`]: name.id }) },
      ...{ stem: `${page}/feed`, parameters: {} },
      filters: kind === 'speaker' ? { speakerIds: [name.id] } : { tagIds: [name.id] },
      isMoved: name.id !== id || name.slug !== slug,
    }
  }

export const findSearch: FindSubject = async (call, _, { urls }) => {
  const query = { ...parseSearchQuery(call.query()), page: 1 }
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok === false) throw new Refused(toParameterProblem(new Map([['q', ['The search is too long.']]])))
  const parameters = toFeedParameters(query)
  const title = query.q === '' ? 'New talks' : `Talks found for “${query.q}”`
  return {
    key: `search ${JSON.stringify(parameters)}`,
    ...{ title, description: title, page: urls.search(toSearchParameters(query)) },
    ...{ json: urls.api('video', toApiParameters(query)), stem: urls.path('/search'), parameters },
    filters: { ...toFilters(query), ...(parsed === null ? {} : { search: parsed.search }) },
  }
}

/** The talks of a list, in its order. */
export const findList: FindSubject = async (call, _, { urls }) => {
  const ids = parseListIds(call)
  const title = 'List of talks'
  return {
    key: `list ${ids.join(',')}`,
    ...{ title, description: title, page: urls.list(ids), json: urls.api('video', { id: ids.join(',') }), ids },
    ...{ stem: urls.path('/list'), parameters: { ids: ids.join(',') }, filters: { ids } },
  }
}

/** Random. Do not change it: every id of every feed depends on it. */
const uuidNamespace = '885a0503-ea5b-4ba0-811a-f9c29f803940'

/** Depends on fields that never change, so it survives a new name or address of the archive (decision 48). */
export function toTalkUuid({ id, slug, added }: Pick<VideoRecord, 'id' | 'slug' | 'added'>): string {
  return Bun.randomUUIDv5(`video ${id} ${slug} ${added}`, uuidNamespace)
}

/** The number of a version never changes either. */
export function toChangeUuid(talk: Pick<VideoRecord, 'id' | 'slug' | 'added'>, version: number): string {
  return Bun.randomUUIDv5(`change ${toTalkUuid(talk)} ${version}`, uuidNamespace)
}

/** The key is unique within an archive; the first event tells archives apart. */
export function toFeedUuid(archive: FirstCategory | null, key: string): string {
  return Bun.randomUUIDv5(`feed ${archive?.slug ?? ''} ${archive?.added ?? ''} ${key}`, uuidNamespace)
}

interface TalkFile {
  readonly url: string
  readonly type: string
  /** Null if unknown. */
  readonly bytes: number | null
}

export function findFile(record: VideoRecord, format: FileFormat): TalkFile | null {
  const url = record[`video_${format}_url`]
  if (url === null || url === '') return null
  return { url, type: fileTypes[format], bytes: findFileBytes(record, format) }
}

export function listFiles(record: VideoRecord): TalkFile[] {
  return fileFormats.flatMap((format) => findFile(record, format) ?? [])
}

/** Feed readers show the beginning; fifty texts of 100,000 characters would be a feed of 5 MB. */
const maxSummaryLength = 2_000

/** The beginning of a text. */
export function toSummary(text: string): string {
  const trimmed = text.trim()
  return trimmed.length <= maxSummaryLength ? trimmed : `${trimmed.slice(0, maxSummaryLength)}…`
}
