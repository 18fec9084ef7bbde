import { type Results, toSearch, walkPages } from './pages.ts'
import { type ReplaceOptions, type VideoRecord, videoPath } from './records.ts'
import type { components } from './schema.ts'
import type { CallOptions, Result, Transport } from './transport.ts'

type Schemas = components['schemas']

export type Version = Schemas['VersionLine']
/** The record as of one version, and what the version changed. */
export type RecordVersion = Schemas['Version']
/** A change with the id of the store that numbered it. */
export type FeedChange = Schemas['Change'] & { readonly store: string }

export interface ChangesOptions extends CallOptions {
  /** The store that `since` belongs to. */
  readonly store?: string
  /** Only changes by the token with this name. Needs a token. */
  readonly by?: string
}

export interface History {
  /** The versions of a record, newest first. */
  history(id: number, options?: CallOptions): Results<Version>
  version(id: number, version: number, options?: CallOptions): Promise<Result<RecordVersion>>
  /** Makes an old version the current one again. */
  restore(id: number, version: number, options?: ReplaceOptions): Promise<Result<VideoRecord>>
  /**
   * All changes after `since`, in order. Continue later with the last `seq` and its `store`. A failure with status 409
   * means that the store was restored or replaced: drop your copy and start again without arguments.
   */
  changes(since?: number, options?: ChangesOptions): Results<FeedChange>
}

const feedPath = '/api/v2/changes'
const feedPageSize = 1000

export function createHistory(send: Transport): History {
  const toPath = (id: number) => `${videoPath}/${id}/history`

  async function* changes(since = 0, { store: given, by, ...sent }: ChangesOptions = {}): Results<FeedChange> {
    let known = given
    for (let next = since, isMore = true; isMore; ) {
      // From the second page on, the store must be that of the first.
      const search = toSearch({ since: next, page_size: feedPageSize, store: known, by })
      const page = await send<Schemas['ChangeList']>('GET', `${feedPath}${search}`, sent)
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

  return {
    history: (id, options) => walkPages(send, toPath(id), '', options),
    version: (id, version, options) => send('GET', `${toPath(id)}/${version}`, options),
    restore: (id, version, options) => send('POST', `${toPath(id)}/${version}/restore`, options),
    changes,
  }
}
