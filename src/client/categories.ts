import { type BatchOptions, type BatchReport, type EntryOptions, patchEntry, sendBatch } from './batches.ts'
import type { NameFilters } from './names.ts'
import { type Results, toSearch, walkPages } from './pages.ts'
import type { components } from './schema.ts'
import type { CallOptions, KeyedWriteOptions, Result, Transport } from './transport.ts'

type Schemas = components['schemas']

export type Category = Schemas['Category']
export type NewCategory = Schemas['NewCategory']
export type CategoryChange = Schemas['CategoryChange']
export type CategoryVersion = Schemas['CategoryVersionLine']
/** The category's own fields as of one version, and what the version changed. */
export type CategoryThen = Schemas['CategoryVersion']

export interface Categories {
  list(filters?: NameFilters, options?: CallOptions): Results<Category>
  get(slug: string, options?: CallOptions): Promise<Result<Category>>
  /** Creates a category that is public immediately, even without records. */
  create(category: NewCategory, options?: KeyedWriteOptions): Promise<Result<Category>>
  /** Changes fields of a category. A new title is written to all its records, as one batch; this waits for it. */
  update(slug: string, change: CategoryChange, options?: EntryOptions): Promise<Result<Category>>
  /** Moves all records to the category `into`, as one batch. The old URL redirects there from then on. */
  merge(slug: string, into: string, options?: BatchOptions): Promise<Result<BatchReport>>
  /** The versions of a category, newest first. */
  history(slug: string, options?: CallOptions): Results<CategoryVersion>
  version(slug: string, version: number, options?: CallOptions): Promise<Result<CategoryThen>>
}

const path = '/api/v2/category'

export function createCategories(send: Transport): Categories {
  const toPath = (slug: string) => `${path}/${encodeURIComponent(slug)}`
  return {
    list: (filters = {}, options) => walkPages(send, path, toSearch(filters), options),
    get: (slug, options) => send('GET', toPath(slug), options),
    create: (category, options) => send('POST', path, { ...options, body: category }),
    update: (slug, change, options) => patchEntry(send, toPath(slug), change, options),
    merge: (slug, into, options) => sendBatch(send, 'POST', `${toPath(slug)}/merge`, options, { into }),
    history: (slug, options) => walkPages(send, `${toPath(slug)}/history`, '', options),
    version: (slug, version, options) => send('GET', `${toPath(slug)}/history/${version}`, options),
  }
}
