import { type Results, toSearch, wait, walkPages } from './pages.ts'
import type { components } from './schema.ts'
import {
  type CallOptions,
  type KeyedWriteOptions,
  type Result,
  type Transport,
  toCallOptions,
  type WriteOptions,
} from './transport.ts'

type Schemas = components['schemas']

export type VideoRecord = Schemas['VideoRecord']
export type NewVideoRecord = Schemas['NewVideoRecord']
export type VideoRecordChange = Schemas['VideoRecordChange']
/** Filters of a list. Records always have all fields. */
export type VideoFilters = Omit<Schemas['VideoFilters'], 'fields' | 'facets' | 'highlight'>
/** Offsets are in code points: use `[...text].slice(from, to)`. */
export type Highlight = Schemas['Highlight']
/** A record, and where it matches the search. */
export interface HighlightedRecord {
  readonly record: VideoRecord
  readonly highlight: Highlight
}
/** A completion of what a person has typed so far. */
export type Completion = Schemas['Completion']
/** A place in a talk where words are said. */
export type Moment = Schemas['Moment']
/** A talk in which words are said. */
export interface SpokenRecord {
  readonly record: Pick<VideoRecord, 'id' | 'slug' | 'title' | 'speakers' | 'category' | 'recorded' | 'duration'>
  readonly hits: number
  readonly moments: readonly Moment[]
}
/** Where an imported record came from, and the data of its source that fits no field. */
export type Extras = Schemas['Extras']

/** What belongs to a record beside its fields, by kind. */
export interface Companions {
  readonly related: Schemas['RelatedLinks']
  readonly recordings: Schemas['Recordings']
  readonly chapters: Schemas['Chapters']
}
export type CompanionKind = keyof Companions

/** A change, or a function that computes it from the current record; null changes nothing. */
export type RecordUpdate = VideoRecordChange | ((current: VideoRecord) => VideoRecordChange | null)

export interface UpdateOptions extends WriteOptions {
  /** How often to read the record again and retry when another client changed it in between; 10 by default. */
  readonly retries?: number
}

export interface ReplaceOptions extends WriteOptions {
  /** The ETag of the version that you replace: the service refuses (412) if the record has changed since. */
  readonly etag?: string | null
}

export interface Records {
  get(id: number, options?: CallOptions): Promise<Result<VideoRecord>>
  /** All matching records, fetched page by page. A failure is yielded last. */
  list(filters?: VideoFilters & { readonly highlight?: false }, options?: CallOptions): Results<VideoRecord>
  /** The same, and where each record matches `q`. */
  list(filters: VideoFilters & { readonly highlight: true }, options?: CallOptions): Results<HighlightedRecord>
  /** At most 10 speakers, categories, tags and records for what has been typed so far. */
  suggest(text: string, options?: CallOptions): Promise<Result<readonly Completion[]>>
  /** Talks in which all words of `q` are said within about 45 seconds, the best first. */
  moments(filters: VideoFilters & { readonly moments?: number }, options?: CallOptions): Results<SpokenRecord>
  create(record: NewVideoRecord, options?: KeyedWriteOptions): Promise<Result<VideoRecord>>
  /** Reads the record and changes it with `If-Match`, so that no other change is overwritten. */
  update(id: number, change: RecordUpdate, options?: UpdateOptions): Promise<Result<VideoRecord>>
  /** Replaces the whole record: fields that you leave out get their defaults, but `state` stays as it is. */
  replace(id: number, record: NewVideoRecord, options?: ReplaceOptions): Promise<Result<VideoRecord>>
  extras(id: number, options?: CallOptions): Promise<Result<Extras>>
  /** Empty where nobody has given any. Its ETag is not that of the record. */
  companion<Kind extends CompanionKind>(
    id: number,
    kind: Kind,
    options?: CallOptions,
  ): Promise<Result<Companions[Kind]>>
  /** Replaces all of it. With `etag`, the service refuses (412) if it has changed since. */
  setCompanion<Kind extends CompanionKind>(
    id: number,
    kind: Kind,
    content: Companions[Kind],
    options?: ReplaceOptions,
  ): Promise<Result<Companions[Kind]>>
  /** Makes it empty. */
  clearCompanion<Kind extends CompanionKind>(
    id: number,
    kind: Kind,
    options?: ReplaceOptions,
  ): Promise<Result<Companions[Kind]>>
  /** The transcripts of a talk, without their texts. */
  transcripts(id: number, options?: CallOptions): Promise<Result<Schemas['TranscriptList']>>
  transcript(id: number, language: string, options?: CallOptions): Promise<Result<Transcript>>
  /** Replaces it. With `etag`, the service refuses (412) if it has changed since. */
  setTranscript(
    id: number,
    language: string,
    content: Transcript,
    options?: TranscriptOptions,
  ): Promise<Result<Transcript>>
}

/** What was said in a talk, with times in seconds. */
export type Transcript = Schemas['Transcript']

export interface TranscriptOptions extends ReplaceOptions {
  readonly origin?: 'human' | 'machine' | 'reviewed' | 'translated'
  /** What wrote it. */
  readonly tool?: string
}

export const videoPath = '/api/v2/video'
const momentsPath = '/api/v2/moments'
const suggestPath = '/api/v2/suggest'
const defaultRetries = 10

export function createRecords(send: Transport): Records {
  const get = (id: number, options?: CallOptions) => send<VideoRecord>('GET', `${videoPath}/${id}`, options)

  async function suggest(text: string, options?: CallOptions): Promise<Result<readonly Completion[]>> {
    const target = `${suggestPath}${toSearch({ q: text })}`
    const found = await send<{ readonly results: readonly Completion[] }>('GET', target, options)
    return found.ok ? { ...found, value: found.value.results } : found
  }

  async function update(id: number, change: RecordUpdate, options: UpdateOptions = {}) {
    const { retries = defaultRetries, ...sent } = options
    for (let attempt = 0; ; attempt++) {
      const current = await get(id, toCallOptions(options))
      if (!current.ok) return current
      const body = typeof change === 'function' ? change(current.value) : change
      if (body === null) return current
      const changed = await send<VideoRecord>('PATCH', `${videoPath}/${id}`, {
        ...sent,
        body,
        etag: current.etag ?? '*',
      })
      if (changed.ok || changed.problem.status !== 412 || attempt >= retries) return changed
      await wait(Math.random() * 20 * (attempt + 1))
    }
  }

  return {
    get,
    // The type of the results follows from `highlight`, as the overloads say.
    list: (filters: ListFilters = {}, options?: CallOptions) =>
      walkPages<never>(send, videoPath, toListSearch(filters), options),
    suggest,
    moments: (filters, options) => walkPages<SpokenRecord>(send, momentsPath, toSearch(filters), options),
    create: (record, options) => send('POST', videoPath, { ...options, body: record }),
    update,
    replace: (id, record, options) => send('PUT', `${videoPath}/${id}`, { ...options, body: record }),
    extras: (id, options) => send('GET', `${videoPath}/${id}/extras`, options),
    companion: (id, kind, options) => send('GET', `${videoPath}/${id}/${kind}`, options),
    setCompanion: (id, kind, body, options) => send('PUT', `${videoPath}/${id}/${kind}`, { ...options, body }),
    clearCompanion: (id, kind, options) => send('DELETE', `${videoPath}/${id}/${kind}`, options),
    transcripts: (id, options) => send('GET', `${videoPath}/${id}/transcripts`, options),
    transcript: (id, language, options) => send('GET', `${videoPath}/${id}/transcripts/${language}.json`, options),
    setTranscript(id, language, body, { origin = '', tool = '', ...options } = {}) {
      const said = toSearch({ ...(origin === '' ? {} : { origin }), ...(tool === '' ? {} : { tool }) })
      return send('PUT', `${videoPath}/${id}/transcripts/${language}.json${said}`, { ...options, body })
    },
  }
}

type ListFilters = VideoFilters & { readonly highlight?: boolean }

/** Uses a cursor unless a page is given, so that each record is listed once even while others are added. */
function toListSearch({ highlight = false, ...filters }: ListFilters): string {
  const paging = filters.page === undefined ? { cursor: '' } : {}
  return toSearch({ ...paging, ...(highlight ? { highlight: 1 } : {}), ...filters })
}
