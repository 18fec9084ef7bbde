import type { CategoryChanges, NewCategory } from './category.ts'
import { findBadText, ok, type Parsed, wrong } from './field-kind.ts'
import type { PatchOperation } from './json/json-patch.ts'
import type { JsonObject } from './json/json-value.ts'
import type { Changes, FieldErrors } from './record.ts'

export const roles = ['reader', 'editor', 'publisher', 'admin'] as const
export type Role = (typeof roles)[number]

export function isRole(word: string): word is Role {
  return roles.some((role) => role === word)
}

export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(needed)
}

const maxReason = 500

/** Why a change is made, as free text from the caller; null when it is blank. */
export function parseReason(given: string): Parsed<string | null> {
  const reason = given.trim()
  const problem = findBadText(reason, maxReason)
  return problem === null ? ok(reason === '' ? null : reason) : wrong(problem)
}

/** The caller: the name of their token is stored with each version. */
export interface Author {
  readonly name: string
  readonly role: Role
}

/** Identifies a version: its number and the first digits of its hash. ETags are built from it. */
export type VersionTag = string

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
  | UndoCommand

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
  | { readonly code: 'not_found' | 'gone' | 'live_is_for_publishers' | 'publishing_is_for_publishers' }
  | { readonly code: 'no_such_category' | 'key_reused' | 'no_such_record_version' | 'no_such_batch' }
  | { readonly code: 'title_taken'; readonly detail?: string; readonly more?: JsonObject }
  | { readonly code: 'not_your_batch' }
  | { readonly code: 'batch_running'; readonly detail: string }
  | { readonly code: 'patch_test_failed' | 'patch_impossible'; readonly detail: string }
  | { readonly code: 'bad_fields'; readonly errors: FieldErrors }
export type RefusalCode = Refusal['code']

/** The store keeps only this hash of a key. Keys have at least 160 random bits, so a plain hash is enough. */
export function toAccessTokenHash(key: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(key).digest()
}
