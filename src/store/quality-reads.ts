import type { FindingCode } from '../record/quality/finding-codes.ts'

/** What the table of a work list shows beside the record. */
export interface WorkRow {
  readonly id: number
  /** The author of the newest version. */
  readonly by: string
  readonly findings: readonly FindingCode[]
}
