import type { BulkRequest, Selection } from './bulk.ts'
import type { CategoryChanges, NewCategory } from './category.ts'
import type { CompanionName } from './companion/kinds.ts'
import { findBadText, ok, type Parsed, wrong } from './field-kind.ts'
import type { WritableName } from './fields.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { PatchOperation } from './json-patch.ts'
import type { LinkRunStep } from './link/link-run.ts'
import type { NameChanges } from './profile.ts'
import type { FindingCode } from './quality/finding-codes.ts'
import type { Changes, FieldErrors } from './record.ts'
import type { Author } from './role.ts'
import type { TableRequest } from './table/table-rows.ts'
import type { Timestamp } from './timestamp.ts'
import type { Dismissal } from './variants/variant.ts'

/** In characters. */
const maxReason = 500

/** Why a change is made, as free text from the caller; null when it is blank. */
export function parseReason(given: string): Parsed<string | null> {
  const reason = given.trim()
  const problem = findBadText(reason, maxReason)
  return problem === null ? ok(reason === '' ? null : reason) : wrong(problem)
}

/** Identifies a version: its number and the first digits of its hash. ETags are built from it. */
export type VersionTag = string

/** The number of the version that a tag names; null for anything that is not a version tag. */
export function findVersionNumber(versionTag: string): number | null {
  const digits = /^([1-9]\d{0,15})-[0-9a-f]{8}$/.exec(versionTag)?.[1]
  return digits === undefined ? null : Number(digits)
}

export interface Precondition {
  readonly ifMatch?: '*' | readonly VersionTag[]
  readonly ifNoneMatch?: '*' | readonly VersionTag[]
  readonly ifUnmodifiedSinceMs?: number
  /** The version that the change is based on. Later versions conflict only if they changed the same fields. */
  readonly mergeBase?: VersionTag
}

/** A requested change as plain data: it is sent to the writer thread, which accepts or refuses it. */
export type Command =
  | CreateCommand
  | ChangeCommand
  | RestoreCommand
  | CreateCategoryCommand
  | CategoryCommand
  | NameCommand
  | DismissCommand
  | FindingCommand
  | UndoCommand
  | StopCommand
  | BulkCommand
  | TableCommand
  | MergeRecordsCommand
  | SessionCommand
  | ScheduleCommand
  | PublishDueCommand
  | CompanionCommand
  | LinkCommand
  | IgnoreLinkCommand

/** Commands that may change many records, as one batch (decision 74). */
export type BatchCommand =
  | UndoCommand
  | CategoryCommand
  | NameCommand
  | BulkCommand
  | TableCommand
  | MergeRecordsCommand

const batchKinds: readonly Command['kind'][] = [
  'bulk',
  'table',
  'undo',
  'category',
  'rename name',
  'merge names',
  'merge categories',
  'merge records',
] satisfies readonly BatchCommand['kind'][]

export const isBatchCommand = (command: Command): command is BatchCommand => batchKinds.includes(command.kind)

/** Author and reason are stored with every version that the command creates. */
interface CommandBase {
  readonly author: Author
  readonly reason?: string
  readonly isDryRun?: boolean
}

export interface CreateCommand extends CommandBase {
  readonly kind: 'create'
  readonly changes: Changes
  /** A second command with the same key within a day returns the result of the first. */
  readonly idempotencyKey?: string
}

/** Creates a category that is listed even while it has no records. */
export interface CreateCategoryCommand extends CommandBase {
  readonly kind: 'create category'
  readonly changes: NewCategory
  /** As in `CreateCommand`. */
  readonly idempotencyKey?: string
}

/** Changes a category. A new title is written to its records as one batch. */
export interface CategoryCommand extends CommandBase {
  readonly kind: 'category'
  readonly slug: string
  readonly changes: CategoryChanges
  readonly precondition?: Precondition
  /** As in `CreateCommand`. */
  readonly idempotencyKey?: string
}

/** A change of a speaker, tag or category that is written to all its records as one batch (decision 52). */
export type NameCommand = RenameNameCommand | MergeNamesCommand | MergeCategoriesCommand

/** Changes the name of a speaker or tag, or the profile of a speaker. */
export interface RenameNameCommand extends CommandBase, NameChanges {
  readonly kind: 'rename name'
  readonly of: 'speaker' | 'tag'
  /** Not `id`, which is that of a record. */
  readonly nameId: number
  readonly precondition?: Precondition
  readonly idempotencyKey?: string
}

export interface NameMerge {
  readonly nameId: number
  readonly into: number
  readonly precondition?: Precondition
}

/** Makes a speaker or tag an alias of another. */
export interface MergeNamesCommand extends CommandBase, NameMerge {
  readonly kind: 'merge names'
  readonly of: 'speaker' | 'tag'
  /** Further merges in the same batch, in this order. */
  readonly also?: readonly NameMerge[]
  readonly idempotencyKey?: string
}

export interface MergeCategoriesCommand extends CommandBase {
  readonly kind: 'merge categories'
  readonly slug: string
  /** The slug of the other category. */
  readonly into: string
  readonly precondition?: Precondition
  readonly idempotencyKey?: string
}

/** Makes a record a draft whose page leads to another one, which takes over some of its fields (decision 86). */
export interface MergeRecordsCommand extends CommandBase {
  readonly kind: 'merge records'
  readonly id: number
  /** The record that stays live. */
  readonly into: number
  readonly take: readonly TakenName[]
  /** Of the record that becomes a draft. */
  readonly precondition?: Precondition
  /** The version of the other that the choice was based on. Later ones conflict only if they changed a taken field. */
  readonly intoBase?: VersionTag
  readonly idempotencyKey?: string
}

/** A field that a merge can copy: each but the state. */
export type TakenName = Exclude<WritableName, 'state'>

/** Hides a group of names from the variants, or of records from the duplicates, or shows it again (decisions 54, 86). */
export interface DismissCommand extends CommandBase, Dismissal {
  readonly kind: 'dismiss variants'
  readonly of: 'speaker' | 'tag' | 'video'
  readonly idempotencyKey?: string
}

/** What people decide about findings; no change of a record. */
export type FindingCommand = AcceptCommand | HideCommand

/**
 * Hides a finding of some records until a field that it depends on changes, or shows it again (decision 88). Records that
 * refuse are left out.
 */
export interface AcceptCommand extends CommandBase {
  readonly kind: 'accept findings'
  readonly code: FindingCode
  /** `made`: those that the author accepted at this time. */
  readonly select: Selection | { readonly is: 'made'; readonly at: Timestamp }
  readonly isAccepted: boolean
  /** As in `BulkRequest`. */
  readonly expect: number | null
  readonly asOf: number | null
}

/** Hides a finding of all records, or shows it again. */
export interface HideCommand extends CommandBase {
  readonly kind: 'hide findings'
  readonly code: FindingCode
  readonly isHidden: boolean
}

/** Makes an old version current again, by writing it as a new version. */
export interface RestoreCommand extends CommandBase {
  readonly kind: 'restore'
  readonly id: number
  readonly number: number
  readonly precondition: Precondition
}

/** Reverts, as a new batch, every field that still has the value the batch gave it. */
export interface UndoCommand extends CommandBase {
  readonly kind: 'undo'
  readonly batch: number
  readonly idempotencyKey?: string
}

/** Stops a running batch: a single transaction is rolled back; completed slices stay (decision 74). */
export interface StopCommand extends CommandBase {
  readonly kind: 'stop batch'
  readonly batch: number
}

/** Changes many records in one transaction, all or none of them (decision 51). */
export interface BulkCommand extends CommandBase {
  readonly kind: 'bulk'
  readonly request: BulkRequest
  /** For a dry run: it shows differences of records with larger ids only. */
  readonly after?: number
  readonly idempotencyKey?: string
}

/** Changes and creates records from the rows of a table, in one transaction (decision 85). */
export interface TableCommand extends CommandBase {
  readonly kind: 'table'
  readonly request: TableRequest
  readonly idempotencyKey?: string
}

/** Begins or ends sessions of the author, who is the owner of the key (decision 57). Each is named by its hash. */
export type SessionCommand =
  | (CommandBase & {
      readonly kind: 'open session'
      readonly hash: Uint8Array
      readonly tokenHash: Uint8Array
      /** User-Agent of the browser. */
      readonly agent: string
    })
  | (CommandBase & { readonly kind: 'end session' | 'end other sessions'; readonly hash: Uint8Array })

/** A year. */
export const maxIgnoreMs = 366 * 86_400_000

/** Marks an address as fine until a time, whatever its host answers; null undoes that. */
export interface IgnoreLinkCommand extends CommandBase {
  readonly kind: 'ignore link'
  readonly url: string
  readonly until: Timestamp | null
}

/** Two years. */
export const maxPublishAheadMs = 2 * 366 * 86_400_000

/** Makes a draft live at a time; null takes that back. */
export interface ScheduleCommand extends CommandBase {
  readonly kind: 'schedule publish'
  readonly id: number
  readonly publishAt: Timestamp | null
}

/** Publishes the drafts whose time has come. Sent by the thread of the writer. */
interface PublishDueCommand extends CommandBase {
  readonly kind: 'publish due'
}

/** Replaces a companion of a record (decision 91). The precondition is about the companion. */
export interface CompanionCommand extends CommandBase {
  readonly kind: 'set companion'
  readonly id: number
  readonly name: CompanionName
  /** As it was sent: what is valid depends on the record. */
  readonly body: JsonValue
  readonly precondition: Precondition
  /** Whether records that it begins to name must exist; not for what was stored before. */
  readonly checksRecords?: boolean
}

/** A step of a link check, sent by its thread (decision 92). */
export interface LinkCommand extends CommandBase {
  readonly kind: 'check links'
  readonly step: LinkRunStep
}

export type ChangeCommand = CommandBase & { readonly id: number; readonly precondition: Precondition } & RecordChange

/** A change to a record: the whole record, some fields, or JSON Patch operations. */
export type RecordChange =
  | { readonly kind: 'replace' | 'merge'; readonly changes: Changes }
  | { readonly kind: 'patch'; readonly operations: readonly PatchOperation[] }

/** Why a command was refused. */
export type Refusal =
  | { readonly code: 'stale'; readonly detail?: string }
  /** The client disconnected before the command ran. */
  | { readonly code: 'cut_off' }
  | { readonly code: 'not_found' | 'gone'; readonly detail?: string }
  | { readonly code: 'publisher_required'; readonly detail: string; readonly more?: JsonObject }
  | { readonly code: 'outside_event'; readonly more?: JsonObject }
  | { readonly code: 'not_a_draft' }
  | { readonly code: 'no_such_category' | 'key_reused' | 'no_such_record_version' | 'no_such_batch' }
  | { readonly code: 'title_taken'; readonly detail?: string; readonly more?: JsonObject }
  | { readonly code: 'no_such_name'; readonly detail: string }
  /** `more` names the entry that has the name, or that the name or category now leads to. */
  | { readonly code: 'name_taken' | 'merged' | 'same_entry'; readonly detail: string; readonly more: JsonObject }
  | { readonly code: 'draft_target'; readonly detail: string }
  | { readonly code: 'not_your_batch' | 'batch_done' }
  | { readonly code: 'no_such_finding' | 'no_such_link' | 'changed_since' }
  | { readonly code: 'batch_running'; readonly detail: string }
  | { readonly code: 'patch_test_failed' | 'patch_impossible'; readonly detail: string }
  | { readonly code: 'bad_fields'; readonly errors: FieldErrors }
  /** Of a bulk change. `more.refused` has every record that refuses; `more.count` is the number of selected ones. */
  | { readonly code: 'records_refused'; readonly more: JsonObject }
  | { readonly code: 'unexpected_count' | 'too_many_records'; readonly detail: string; readonly more: JsonObject }
export type RefusalCode = Refusal['code']

/** A token that is limited to events changes nothing else. */
export const outsideEvent = { code: 'outside_event' } as const

/** Why a finding of a record was not accepted. */
export interface RefusedFinding {
  readonly id: number
  readonly refusal: Refusal & {
    readonly code: 'not_found' | 'gone' | 'publisher_required' | 'outside_event' | 'no_such_finding' | 'changed_since'
  }
}

/** Refusals of changes that need a publisher. */
export const publisherRequired = {
  toChangeLive: { code: 'publisher_required', detail: 'This record is live. Only publishers may change it.' },
  toPublish: { code: 'publisher_required', detail: 'Only publishers may make a record live (state 1).' },
} as const
