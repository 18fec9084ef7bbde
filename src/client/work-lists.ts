import { type BatchOptions, type BatchReport, sendBatch } from './batches.ts'
import type { Dismissed, DismissOptions } from './names.ts'
import { type Results, toSearch, walkPages } from './pages.ts'
import { videoPath } from './records.ts'
import type { components } from './schema.ts'
import type { CallOptions, Result, Transport, WriteOptions } from './transport.ts'

type Schemas = components['schemas']

/** Something in a record that a curator should look at. */
export type Finding = Schemas['Finding']
/** The findings of a record, and those that somebody has called fine as they are. */
export type FindingList = Schemas['FindingList']
/** A finding that somebody has called fine as it is. */
export type AcceptedFinding = Schemas['AcceptedFinding']
/** How many records of a category have a finding. */
export type FindingCount = Schemas['FindingCount']
/** How many records have a finding. */
export type FindingTotal = Schemas['FindingCountList']['totals'][number]
/** Whether a finding is hidden for all. */
export type HiddenFinding = Schemas['HiddenFinding']
/** Records that may be the same talk. */
export type Duplicates = Schemas['Duplicates']

export interface MergeRecordOptions extends BatchOptions {
  /** Fields whose values the record `into` takes over. */
  readonly take?: Schemas['RecordMerge']['take']
}

export interface AcceptOptions extends WriteOptions {
  /** `as_of` of the findings that you judged: a change since then is a 409. */
  readonly asOf?: number
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
  /** The same, with what is accepted and with `as_of`. */
  allFindings(id: number, options?: CallOptions): Promise<Result<FindingList>>
  /** Calls a finding fine as it is, until a field that it depends on changes. */
  acceptFinding(id: number, code: Finding['code'], options?: AcceptOptions): Promise<Result<FindingList>>
  /** Shows an accepted finding again. */
  withdrawAcceptance(id: number, code: Finding['code'], options?: WriteOptions): Promise<Result<FindingList>>
  /** Hides a finding for all, or shows it again. */
  hideFinding(code: Finding['code'], isHidden: boolean, options?: WriteOptions): Promise<Result<HiddenFinding>>
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

const toAcceptPath = (id: number, code: string) => `${videoPath}/${id}/findings/${code}/accept`

export function createWorkLists(send: Transport): WorkLists {
  return {
    findings: async (id, options) => {
      const found = await send<Schemas['FindingList']>('GET', `${videoPath}/${id}/findings`, options)
      return found.ok ? { ...found, value: found.value.results } : found
    },
    allFindings: (id, options) => send('GET', `${videoPath}/${id}/findings`, options),
    acceptFinding: (id, code, { asOf, ...options } = {}) =>
      send('POST', toAcceptPath(id, code), { ...options, body: asOf === undefined ? {} : { as_of: asOf } }),
    withdrawAcceptance: (id, code, options) => send('DELETE', toAcceptPath(id, code), options),
    hideFinding: (code, isHidden, options) =>
      send(isHidden ? 'PUT' : 'DELETE', `${countsPath}/${code}/hidden`, options),
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
