import type { components } from './schema.ts'
import { createTransport, type Result, type TransportOptions, toETagHeader } from './transport.ts'

type Schemas = components['schemas']

export type VideoRecord = Readonly<Schemas['VideoRecord']>
export type NewVideoRecord = Readonly<Schemas['NewVideoRecord']>
export type VideoRecordChange = Readonly<Schemas['VideoRecordChange']>
/** Filters of a list. Records always have all fields. */
export type VideoFilters = Readonly<Omit<Schemas['VideoFilters'], 'fields' | 'facets' | 'highlight'>>
/** Offsets are in code points: use `[...text].slice(from, to)`. */
export type Highlight = Readonly<Schemas['Highlight']>
/** A record, and where it matches the search. */
export interface HighlightedRecord {
  readonly record: VideoRecord
  readonly highlight: Highlight
}
/** Something to go to, while a person types. */
export type Suggestion = Readonly<Schemas['Suggestion']>
export type Version = Readonly<Schemas['VersionLine']>
/** A change with the id of the store that numbered it. */
export type FeedChange = Readonly<Schemas['Change']> & { readonly store: string }
export type { ClientProblem, Result, TransportOptions } from './transport.ts'

/** A change, or a function that computes it from the current record; null changes nothing. */
export type RecordUpdate = VideoRecordChange | ((current: VideoRecord) => VideoRecordChange | null)

export interface UpdateOptions {
  /** How often to read the record again and retry when another client changed it in between; 10 by default. */
  readonly retries?: number
}

export interface ChangesOptions {
  /** The store that `since` belongs to. */
  readonly store?: string
}

export interface Client {
  get(id: number): Promise<Result<VideoRecord>>
  /** All matching records, fetched page by page. A failure is yielded last. */
  list(filters?: VideoFilters & { readonly highlight?: false }): AsyncGenerator<Result<VideoRecord>, void, undefined>
  /** The same, and where each record matches `q`. */
  list(filters: VideoFilters & { readonly highlight: true }): AsyncGenerator<Result<HighlightedRecord>, void, undefined>
  /** At most 10 speakers, categories, tags and records for what has been typed so far. */
  suggest(text: string): Promise<Result<readonly Suggestion[]>>
  /** With an idempotency key, a retry within a day returns the same record instead of creating a second one. */
  create(record: NewVideoRecord, options?: { readonly idempotencyKey?: string }): Promise<Result<VideoRecord>>
  /** Reads the record and changes it with `If-Match`, so that no other change is overwritten. */
  update(id: number, change: RecordUpdate, options?: UpdateOptions): Promise<Result<VideoRecord>>
  /** The versions of a record, newest first. */
  history(id: number): AsyncGenerator<Result<Version>, void, undefined>
  /** Makes an old version the current one again. */
  restore(id: number, version: number): Promise<Result<VideoRecord>>
  /**
   * All changes after `since`, in order. Continue later with the last `seq` and its `store`. A failure with status 409
   * means that the store was restored or replaced: drop your copy and start again without arguments.
   */
  changes(since?: number, options?: ChangesOptions): AsyncGenerator<Result<FeedChange>, void, undefined>
}

const path = '/api/v2/video'
const suggestPath = '/api/v2/suggest'
const feedPath = '/api/v2/changes'
const defaultRetries = 10

/** A client for one service. It never throws: failures, network errors included, are returned as values. */
export function createClient(options: TransportOptions): Client {
  const send = createTransport(options)

  const get = (id: number) => send<VideoRecord>('GET', `${path}/${id}`)

  async function* walk<T>(address: string, first: string): AsyncGenerator<Result<T>, void, undefined> {
    let search: string | null = first
    while (search !== null) {
      const page: Result<Page<T>> = await send<Page<T>>('GET', `${address}${search}`)
      if (!page.ok) {
        yield page
        return
      }
      for (const value of page.value.results) yield { ok: true, value, etag: null }
      search = page.value.next === null ? null : new URL(page.value.next).search
    }
  }

  async function suggest(text: string): Promise<Result<readonly Suggestion[]>> {
    const found = await send<Pick<Page<Suggestion>, 'results'>>('GET', `${suggestPath}?q=${encodeURIComponent(text)}`)
    return found.ok ? { ...found, value: found.value.results } : found
  }

  async function* changes(
    since = 0,
    options: ChangesOptions = {},
  ): AsyncGenerator<Result<FeedChange>, void, undefined> {
    let known = options.store
    for (let next = since, isMore = true; isMore; ) {
      // From the second page on, the store must be that of the first.
      const ofStore = known === undefined ? '' : `&store=${encodeURIComponent(known)}`
      const page = await send<Schemas['ChangeList']>('GET', `${feedPath}?since=${next}&page_size=1000${ofStore}`)
      if (!page.ok) {
        yield page
        return
      }
      const { store, changes: found } = page.value
      for (const change of found) yield { ok: true, value: { ...change, store }, etag: null }
      isMore = found.length > 0
      next = page.value.next
      known = store
    }
  }

  function create(record: NewVideoRecord, { idempotencyKey }: { readonly idempotencyKey?: string } = {}) {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
    return send<VideoRecord>('POST', path, { body: record, headers })
  }

  async function update(id: number, change: RecordUpdate, { retries = defaultRetries }: UpdateOptions = {}) {
    for (let attempt = 0; ; attempt++) {
      const current = await get(id)
      if (!current.ok) return current
      const body = typeof change === 'function' ? change(current.value) : change
      if (body === null) return current
      const headers = { 'If-Match': toETagHeader(current) }
      const changed = await send<VideoRecord>('PATCH', `${path}/${id}`, { body, headers })
      if (changed.ok || changed.problem.status !== 412 || attempt >= retries) return changed
      await wait(Math.random() * 20 * (attempt + 1))
    }
  }

  return {
    get,
    // The type of the results follows from `highlight`, as the overloads say.
    list: (filters: ListFilters = {}) => walk<never>(path, toSearch(filters)),
    suggest,
    create,
    update,
    history: (id) => walk<Version>(`${path}/${id}/history`, ''),
    restore: (id, version) => send<VideoRecord>('POST', `${path}/${id}/history/${version}/restore`),
    changes,
  }
}

type ListFilters = VideoFilters & { readonly highlight?: boolean }

interface Page<T> {
  readonly next: string | null
  readonly results: readonly T[]
}

/** Uses a cursor unless a page is given, so that each record is listed once even while others are added. */
function toSearch({ highlight = false, ...filters }: ListFilters): string {
  const parameters = new URLSearchParams(filters.page === undefined ? { cursor: '' } : {})
  if (highlight) parameters.set('highlight', '1')
  for (const [name, value] of Object.entries(filters)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) parameters.append(name, String(each))
    }
  }
  const search = parameters.toString()
  return search === '' ? '' : `?${search}`
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
