import type { components } from './schema.ts'
import { createTransport, type Result, toTag } from './transport.ts'

type Schemas = components['schemas']

export type VideoRecord = Readonly<Schemas['VideoRecord']>
export type NewVideoRecord = Readonly<Schemas['NewVideoRecord']>
export type VideoRecordChange = Readonly<Schemas['VideoRecordChange']>
/** What to list; records always come whole. */
export type VideoFilters = Readonly<Omit<Schemas['VideoFilters'], 'fields' | 'facets'>>
export type { Problem, Result } from './transport.ts'

export interface ClientOptions {
  /** Where the service is, such as `https://videos.example.org`. */
  readonly baseUrl: string
  readonly token?: string
  /** Another `fetch`, say with a deadline of its own. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** A change, or how to make one of the record as it is now; null leaves it as it is. */
export type Change = VideoRecordChange | ((current: VideoRecord) => VideoRecordChange | null)

export interface UpdateOptions {
  /** How often to read the record again and repeat the change when somebody else was faster; 10 unless given. */
  readonly retries?: number
}

export interface Client {
  get(id: number): Promise<Result<VideoRecord>>
  /** All records that fit, page after page. A failure is the last thing that comes. */
  list(filters?: VideoFilters): AsyncGenerator<Result<VideoRecord>, void, undefined>
  /** With a key, asking again within a day gets the same record, not a second one. */
  create(record: NewVideoRecord, options?: { readonly idempotencyKey?: string }): Promise<Result<VideoRecord>>
  /** Changes only the record that was read: nobody's change is overwritten unseen. */
  update(id: number, change: Change, options?: UpdateOptions): Promise<Result<VideoRecord>>
}

const path = '/api/v2/video'
const defaultRetries = 10

/** A client for the records of one service. Nothing it does throws: failures, of the network too, are values. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options)

  const get = (id: number) => send<VideoRecord>('GET', `${path}/${id}`)

  async function* list(filters: VideoFilters = {}): AsyncGenerator<Result<VideoRecord>, void, undefined> {
    let search: string | null = toSearch(filters)
    while (search !== null) {
      const page: Result<Page> = await send<Page>('GET', `${path}${search}`)
      if (!page.ok) {
        yield page
        return
      }
      for (const value of page.value.results) yield { ok: true, value, etag: null }
      search = page.value.next === null ? null : new URL(page.value.next).search
    }
  }

  function create(record: NewVideoRecord, { idempotencyKey }: { readonly idempotencyKey?: string } = {}) {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
    return send<VideoRecord>('POST', path, { body: record, headers })
  }

  async function update(id: number, change: Change, { retries = defaultRetries }: UpdateOptions = {}) {
    for (let attempt = 0; ; attempt++) {
      const current = await get(id)
      if (!current.ok) return current
      const body = typeof change === 'function' ? change(current.value) : change
      if (body === null) return current
      const headers = { 'If-Match': toTag(current) }
      const changed = await send<VideoRecord>('PATCH', `${path}/${id}`, { body, headers })
      if (changed.ok || changed.problem.status !== 412 || attempt >= retries) return changed
      await wait(Math.random() * 20 * (attempt + 1))
    }
  }

  return { get, list, create, update }
}

interface Page {
  readonly next: string | null
  readonly results: readonly VideoRecord[]
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
