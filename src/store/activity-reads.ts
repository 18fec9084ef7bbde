import type { CategoryName } from '../record/category.ts'
import type { ChangeKind } from '../record/decide.ts'
import type { WritableName } from '../record/fields.ts'
import type { NameKind } from '../record/name.ts'
import type { ProfileName } from '../record/profile.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { BatchKind } from './batch-reads.ts'

/** Where a page of activity ends: in the log of versions, and among the changes that have no number there. */
export interface ActivityCursor {
  /** Versions before this seq follow. */
  readonly seq: number
  /** Other changes up to this time follow, without the first `shown` of exactly this time. */
  readonly at: Timestamp
  readonly shown: number
}

/** Which changes to list, newest first; null leaves a condition out. */
export interface ActivityQuery {
  readonly by: string | null
  /** The slug of a category: changes of its records and of itself. */
  readonly category: string | null
  /** Only changes of this batch, each as a line. */
  readonly batch: number | null
  /** `2026-11-17`, in UTC. */
  readonly day: string | null
  readonly cursor: ActivityCursor | null
  readonly limit: number
}

/** One change of a record. This and the next are types, not interfaces, so that they are assignable to JSON. */
export type VersionActivity = {
  readonly is: 'version'
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly id: number
  readonly version: number
  readonly kind: ChangeKind
  readonly batch: number | null
  readonly changed: readonly WritableName[]
}

/** All changes of a batch together. */
export type BatchActivity = {
  readonly is: 'batch'
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly id: number
  readonly kind: BatchKind
  readonly undoes: number | null
  readonly records: number
}

export type CategoryActivity = {
  readonly is: 'category'
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  readonly slug: string
  readonly title: string
  readonly version: number
  readonly changed: readonly CategoryName[]
}

/** A change of the profile of a speaker. */
export type ProfileActivity = Omit<CategoryActivity, 'is' | 'slug' | 'title' | 'changed'> & {
  readonly is: 'profile'
  readonly id: number
  readonly name: string
  readonly changed: readonly ProfileName[]
}

/** Names, or the titles of records, that a curator called different; null for a name that no longer exists. */
export type DismissalActivity = {
  readonly is: 'dismissal'
  readonly at: Timestamp
  readonly by: string
  readonly of: NameKind | 'video'
  readonly names: readonly (string | null)[]
}

/** Nothing else is known of an erased record. */
type ErasureActivity = { readonly is: 'erasure'; readonly at: Timestamp; readonly id: number }

export type Activity =
  | VersionActivity
  | BatchActivity
  | CategoryActivity
  | ProfileActivity
  | DismissalActivity
  | ErasureActivity

export interface ActivityPage {
  readonly lines: readonly Activity[]
  /** Null at the end. */
  readonly next: ActivityCursor | null
}

/** A change of a live record that viewers can see. */
export type PublicChange = {
  readonly id: number
  readonly version: number
  readonly at: Timestamp
  /** `created`: it became live. */
  readonly kind: ChangeKind
}

/** The slug of a category. */
export interface EventChangesQuery {
  readonly category: string
  readonly limit: number
}

/** A draft that becomes live at a time. */
export type Schedule = {
  readonly id: number
  readonly at: Timestamp
  /** Who asked for it, and their role then. */
  readonly by: string
  readonly role: string
  readonly asked: Timestamp
  /** Why it stayed a draft; null while it is to be published. */
  readonly failure: ScheduleFailure | null
}

/** All schedules, or those of up to a page of records. */
export interface SchedulesQuery {
  readonly ids: readonly number[] | null
}

/** `token_gone`: the token ended, or is no longer a publisher's. `outside_event`: it is limited to other events. */
export type ScheduleFailure = 'token_gone' | 'outside_event' | 'invalid_record'
