import type { Decided, FindingCode } from '../quality/finding-codes.ts'
import { parseFinding, type Read } from './parameter.ts'
import type { BadQuery, Paging } from './query.ts'

/** Which findings to count. */
export interface FindingFilters {
  readonly code?: FindingCode
  /** A slug, or an exact title. */
  readonly category?: string
}

export interface FindingCountsQuery extends FindingFilters, Paging {}

/** How many records of a category have a finding. These are types, not interfaces, so that they are assignable to JSON. */
export type FindingCount = {
  readonly code: FindingCode
  readonly category: string
  readonly slug: string
  readonly count: number
}

export type FindingTotal = { readonly code: FindingCode; readonly count: number }

export interface CountedFindings {
  /** The number of rows of all pages. */
  readonly count: number
  readonly page: number
  /** The largest counts first. */
  readonly rows: readonly FindingCount[]
  /** How many records of all categories have each finding that is not hidden. */
  readonly totals: readonly FindingTotal[]
  /** Findings that are hidden for all. They are in `rows` only if the query names them. */
  readonly hidden: readonly (FindingTotal & Decided)[]
}

/** The columns of a work list that are not fields of the record. */
export interface WorkRow {
  readonly id: number
  /** The author of the newest version. */
  readonly by: string
  /** Without those that are accepted or hidden for all. */
  readonly findings: readonly FindingCode[]
  /** The record that this draft was merged into. */
  readonly mergedInto: number | null
}

/** The findings of one event, without hidden ones. */
export interface EventFindings {
  readonly category: string
  readonly slug: string
  /** How many records the event has, drafts included. */
  readonly talks: number
  /** The sum of `findings`. */
  readonly total: number
  /** The most frequent first; each has records. */
  readonly findings: readonly FindingTotal[]
}

/** `total`, `talks` and codes: the largest first. A code lists only events that have it. */
export interface EventFindingsQuery extends Paging {
  readonly order: 'total' | 'talks' | 'title' | FindingCode
}

/** Why records may be the same talk. */
export const duplicateReasons = ['same_video', 'same_title'] as const

/** Records that may be the same talk; ids ascend. */
export type Duplicates = { readonly reason: (typeof duplicateReasons)[number]; readonly ids: readonly number[] }

/** Two records of such a group that nobody has called different. */
export interface DuplicatePair {
  readonly reason: Duplicates['reason']
  readonly ids: readonly [number, number]
  /** All ids of the group. */
  readonly group: readonly number[]
}

export interface DuplicatesQuery extends Paging {
  readonly reason?: Duplicates['reason']
}

/** Parses `code` and `category`; ignores empty ones. */
export function parseFindingFilters(
  parameters: URLSearchParams,
): { readonly ok: true; readonly filters: FindingFilters } | BadQuery {
  const [code, category] = [parameters.get('code') ?? '', parameters.get('category') ?? '']
  const parsed: Read<FindingCode> | null = code === '' ? null : parseFinding(code)
  if (typeof parsed === 'string') {
    return { ok: false, problem: 'bad_parameter', errors: new Map([['code', [`code must be ${parsed}.`]]]) }
  }
  const filters = { ...(parsed === null ? {} : { code: parsed.value }), ...(category === '' ? {} : { category }) }
  return { ok: true, filters }
}
