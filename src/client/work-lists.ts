import { type BatchOptions, type BatchReport, sendBatch } from './batches.ts'
import type { Dismissed, DismissOptions } from './names.ts'
import { type Results, toSearch, walkPages } from './pages.ts'
import { videoPath } from './records.ts'
import type { components } from './schema.ts'
import type { CallOptions, Result, Transport } from './transport.ts'

type Schemas = components['schemas']

/** Something in a record that a curator should look at. */
export type Finding = Schemas['Finding']
/** How many records of a category have a finding. */
export type FindingCount = Schemas['FindingCount']
/** How many records have a finding. */
export type FindingTotal = Schemas['FindingCountList']['totals'][number]
/** Records that may be the same talk. */
export type Duplicates = Schemas['Duplicates']

export interface MergeRecordOptions extends BatchOptions {
  /** Fields whose values the record `into` takes over. */
  readonly take?: Schemas['RecordMerge']['take']
}

export interface FindingFilters {
  readonly code?: Finding['code']
  /** Slug or exact title of a category. */
  readonly category?: string
}

/** What needs work. To list the records themselves, use the filters `missing` and `finding` of `list`. */
export interface WorkLists {
  /** What needs work in a record. */
  findings(id: number, options?: CallOptions): Promise<Result<readonly Finding[]>>
  /** How many records have each finding, by category, the largest counts first. */
  countFindings(filters?: FindingFilters, options?: CallOptions): Results<FindingCount>
  /** How many records have each finding, in all categories together or in one. */
  totalFindings(filters?: FindingFilters, options?: CallOptions): Promise<Result<readonly FindingTotal[]>>
  /** Groups of records with the same video, or with the same title in the same category. */
  duplicates(options?: CallOptions): Results<Duplicates>
  /** Makes a record a draft whose page leads to the record `into`, as one batch. */
  mergeRecord(id: number, into: number, options?: MergeRecordOptions): Promise<Result<BatchReport>>
  /** Hides records that look alike from the duplicates for good, because they are different talks. */
  dismissDuplicates(ids: readonly number[], options?: DismissOptions): Promise<Result<Dismissed>>
}

const countsPath = '/api/v2/findings'

export function createWorkLists(send: Transport): WorkLists {
  return {
    findings: async (id, options) => {
      const found = await send<Schemas['FindingList']>('GET', `${videoPath}/${id}/findings`, options)
      return found.ok ? { ...found, value: found.value.results } : found
    },
    countFindings: (filters = {}, options) => walkPages(send, countsPath, toSearch(filters), options),
    totalFindings: async (filters = {}, options) => {
      const search = toSearch({ ...filters, page_size: 1 })
      const found = await send<Schemas['FindingCountList']>('GET', `${countsPath}${search}`, options)
      return found.ok ? { ...found, value: found.value.totals } : found
    },
    duplicates: (options) => walkPages(send, `${videoPath}/duplicates`, '', options),
    mergeRecord: (id, into, { take = [], ...options } = {}) =>
      sendBatch(send, 'POST', `${videoPath}/${id}/merge`, options, { into, take }),
    dismissDuplicates: (ids, { dismissed = true, ...options } = {}) =>
      send('POST', `${videoPath}/duplicates/dismiss`, { ...options, body: { ids, dismissed } }),
  }
}
