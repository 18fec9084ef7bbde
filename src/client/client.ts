import type { components } from './schema.ts'
import { createTransport, type Result, type TransportOptions, toETagHeader } from './transport.ts'

type Schemas = components['schemas']

export type VideoRecord = Readonly<Schemas['VideoRecord']>
export type NewVideoRecord = Readonly<Schemas['NewVideoRecord']>
export type VideoRecordChange = Readonly<Schemas['VideoRecordChange']>
/** What to list; records always come whole. */
export type VideoFilters = Readonly<Omit<Schemas['VideoFilters'], 'fields' | 'facets'>>
export type Version = Readonly<Schemas['VersionLine']>
/** With the id of the store that counts it. */
export type FeedChange = Readonly<Schemas['Change']> & { readonly store: string }
export type { ClientProblem, Result, TransportOptions } from './transport.ts'

/** A change, or how to make one of the record as it is now; null leaves it as it is. */
export type RecordUpdate = VideoRecordChange | ((current: VideoRecord) => VideoRecordChange | null)

export interface UpdateOptions {
  /** How often to read the record again and repeat the change when somebody else was faster; 10 unless given. */
  readonly retries?: number
}

export interface ChangesOptions {
  /** The store that `since` is of. */
  readonly store?: string
}

export interface Client {
  get(id: number): Promise<Result<VideoRecord>>
  /** All records that fit, page after page. A failure is the last thing that comes. */
  list(filters?: VideoFilters): AsyncGenerator<Result<VideoRecord>, void, undefined>
  /** With a key, asking again within a day gets the same record, not a second one. */
  create(record: NewVideoRecord, options?: { readonly idempotencyKey?: string }): Promise<Result<VideoRecord>>
  /** Changes only the record that was read: nobody's change is overwritten unseen. */
  update(id: number, change: RecordUpdate, options?: UpdateOptions): Promise<Result<VideoRecord>>
  /** The versions of a record, newest first. */
  history(id: number): AsyncGenerator<Result<Version>, void, undefined>
  /** Makes an old version the current one again. */
  restore(id: number, version: number): Promise<Result<VideoRecord>>
  /**
   * Every change after this one, in order, up to now; ask again with the last `seq` and its `store`. A failure with
   * status 409 means that the store was restored or replaced: forget what you know, and ask for everything, without one.
   */
  changes(since?: number, options?: ChangesOptions): AsyncGenerator<Result<FeedChange>, void, undefined>
}

const path = '/api/v2/video'
const feedPath = '/api/v2/changes'
const defaultRetries = 10

/** A client for the records of one service. Nothing it does throws: failures, of the network too, are values. */
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

  async function* changes(
    since = 0,
    options: ChangesOptions = {},
  ): AsyncGenerator<Result<FeedChange>, void, undefined> {
    let known = options.store
    for (let next = since, isMore = true; isMore; ) {
      // From the second page on it must be the store of the first.
      const of = known === undefined ? '' : `&store=${encodeURIComponent(known)}`
      const page = await send<Schemas['ChangeList']>('GET', `${feedPath}?since=${next}&page_size=1000${of}`)
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
    list: (filters = {}) => walk<VideoRecord>(path, toSearch(filters)),
    create,
    update,
    history: (id) => walk<Version>(`${path}/${id}/history`, ''),
    restore: (id, version) => send<VideoRecord>('POST', `${path}/${id}/history/${version}/restore`),
    changes,
  }
}

interface Page<T> {
  readonly next: string | null
  readonly results: readonly T[]
}

/** By cursor unless a page is named: each record comes once, however many are added meanwhile. */
function toSearch(filters: VideoFilters): string {
  const parameters = new URLSearchParams(filters.page === undefined ? { cursor: '' } : {})
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
