import type { Finding, FindingCode } from '../record/quality/finding-codes.ts'
import type {
  Duplicates,
  DuplicatesQuery,
  EventFindings,
  EventFindingsQuery,
  FindingCounts,
  FindingCountsQuery,
} from '../record/query/findings.ts'
import type { LogPage } from './change-log.ts'

/** What the table of a work list shows beside the record. */
export interface WorkRow {
  readonly id: number
  /** The author of the newest version. */
  readonly by: string
  readonly findings: readonly FindingCode[]
}

/** What needs work, for callers who see drafts (ADR 53). */
export interface QualityReads {
  /** What needs work in a record; null if there is none with this id. */
  findFindings(query: { readonly id: number }): Promise<readonly Finding[] | null>
  /** How many records, drafts included, have each finding. */
  countFindings(query: FindingCountsQuery): Promise<FindingCounts>
  /** Events with findings. */
  listEventFindings(query: EventFindingsQuery): Promise<LogPage<EventFindings>>
  /** In the order of the ids, at most 128; without those that do not exist. */
  listWorkRows(query: { readonly ids: readonly number[] }): Promise<readonly WorkRow[]>
  /** Groups of records, drafts included, that may be the same talk: for one reason, or for both. */
  listDuplicates(query: DuplicatesQuery): Promise<LogPage<Duplicates>>
}
