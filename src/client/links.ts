import { type BatchOptions, type BatchReport, sendBatch } from './batches.ts'
import { type BulkFilters, type BulkPreview, toQueryText } from './bulk.ts'
import { type Results, toSearch, walkPages } from './pages.ts'
import type { components } from './schema.ts'
import type { CallOptions, Result, Transport, WriteOptions } from './transport.ts'

type Schemas = components['schemas']

/** An address of records, and what is known of it. */
export type Link = Schemas['Link']
/** How many addresses of a category are at a host, by state. */
export type LinkCount = Schemas['LinkReportLine']
/** An address that is fine, and until when. */
export type IgnoredLink = Schemas['IgnoredLink']

/** Which moved addresses to accept: those of records that match filters of the list, or these. */
export type MovedSelection = { readonly query: BulkFilters | string } | { readonly urls: readonly string[] }

export interface LinkPlace {
  readonly host?: string
  /** Slug or exact title of a category. */
  readonly category?: string
}

export interface LinkFilters extends LinkPlace {
  /** States, separated by commas. */
  readonly state?: string
}

export interface AcceptMovedOptions extends Omit<BatchOptions, 'dryRun'> {
  /** The number of records, as a preview returns it. */
  readonly expect: number
  /** `as_of` of the preview: a record whose addresses were changed later is refused. */
  readonly asOf?: number
  /** Change the others even if some records are refused. */
  readonly partial?: boolean
}

/** What checks of the addresses of records have found. */
export interface Links {
  list(filters?: LinkFilters, options?: CallOptions): Results<Link>
  /** By category and host, those with most to do first. */
  count(filters?: LinkPlace, options?: CallOptions): Results<LinkCount>
  /** What accepting moved addresses would do. It stores nothing. */
  previewMoved(select: MovedSelection, options?: CallOptions): Promise<Result<BulkPreview>>
  /** The targets of moved addresses become the addresses, as one batch. */
  acceptMoved(select: MovedSelection, options: AcceptMovedOptions): Promise<Result<BatchReport>>
  /** Calls an address fine until a day or a time in UTC, at most a year ahead; null takes that back. */
  ignore(url: string, until: string | null, options?: WriteOptions): Promise<Result<IgnoredLink>>
}

const path = '/api/v2/links'
const acceptPath = `${path}/accept-moved`

export function createLinks(send: Transport): Links {
  return {
    list: (filters = {}, options) => walkPages(send, path, toSearch(filters), options),
    count: (filters = {}, options) => walkPages(send, `${path}/report`, toSearch(filters), options),
    previewMoved: (select, options) =>
      send('POST', `${acceptPath}?dry_run=1`, { ...options, body: { select: toSelect(select) } }),
    acceptMoved: (select, { expect, asOf, partial, ...options }) =>
      sendBatch(send, 'POST', acceptPath, options, {
        ...{ select: toSelect(select), expect },
        ...(asOf === undefined ? {} : { as_of: asOf }),
        ...(partial === undefined ? {} : { partial }),
      }),
    ignore: (url, until, options) => send('POST', `${path}/ignore`, { ...options, body: { url, until } }),
  }
}

const toSelect = (select: MovedSelection): Schemas['MovedLinks']['select'] =>
  'urls' in select ? select : { query: toQueryText(select.query) }
