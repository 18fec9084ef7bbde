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

/** Why a change is made, in the words of whoever makes it; null where there are none. */
export function parseReason(given: string): Parsed<string | null> {
  const reason = given.trim()
  const problem = findBadText(reason, maxReason)
  return problem === null ? ok(reason === '' ? null : reason) : wrong(problem)
}

/** Who asks: the token's name is kept with each version. */
export interface Author {
  readonly name: string
  readonly role: Role
}

/** A version's mark is its number and a piece of its checksum; ETags are made of it. */
export type VersionTag = string

export interface Precondition {
  readonly ifMatch?: '*' | readonly VersionTag[]
  readonly ifNoneMatch?: '*' | readonly VersionTag[]
  readonly ifUnmodifiedSinceMs?: number
  /** The version that the change was made for; later ones do no harm unless they touched the same fields. */
  readonly mergeBase?: VersionTag
}

/** A wish to change something, as plain data: it travels between threads, and `decide` judges it. */
export type Command =
  | CreateCommand
  | ChangeCommand
  | RestoreCommand
  | CreateCategoryCommand
  | CategoryCommand
  | UndoCommand

/** Who wants it, and why, in the caller's own words; both are kept with what it changes. */
interface Wish {
  readonly author: Author
  readonly reason?: string
  readonly isDryRun?: boolean
}

export interface CreateCommand extends Wish {
  readonly kind: 'create'
  readonly changes: Changes
  /** A second command with the same key, within a day, gets the first one's answer. */
  readonly idempotencyKey?: string
}

/** A category that everybody sees, even while it is empty. */
export interface CreateCategoryCommand extends Wish {
  readonly kind: 'create category'
  readonly changes: NewCategory
  /** As for a record. */
  readonly idempotencyKey?: string
}

/** Renaming a category rewrites its records, as one batch. */
export interface CategoryCommand extends Wish {
  readonly kind: 'category'
  readonly slug: string
  readonly changes: CategoryChanges
  readonly precondition?: Precondition
}

/** An old version becomes the current one again, as a new version. */
export interface RestoreCommand extends Wish {
  readonly kind: 'restore'
  readonly id: number
  readonly number: number
  readonly precondition: Precondition
}

/** Puts back every field of a batch's records that still has the value which the batch gave it, as a new batch. */
export interface UndoCommand extends Wish {
  readonly kind: 'undo'
  readonly batch: number
  readonly idempotencyKey?: string
}

export type ChangeCommand = Wish & { readonly id: number; readonly precondition: Precondition } & RecordChange

/** What is to become of a record: all of it, some fields, or steps. */
export type RecordChange =
  | { readonly kind: 'replace' | 'merge'; readonly changes: Changes }
  | { readonly kind: 'patch'; readonly operations: readonly PatchOperation[] }

/** The caller asked for what cannot be. */
export type Refusal =
  | { readonly code: 'stale'; readonly detail?: string }
  /** The caller was gone before it was carried out. */
  | { readonly code: 'cut_off' }
  | { readonly code: 'not_found' | 'gone' | 'live_is_for_publishers' | 'publishing_is_for_publishers' }
  | { readonly code: 'no_such_category' | 'key_reused' | 'no_such_record_version' | 'no_such_batch' }
  | { readonly code: 'title_taken'; readonly detail?: string; readonly more?: JsonObject }
  | { readonly code: 'not_your_batch' }
  | { readonly code: 'batch_running'; readonly detail: string }
  | { readonly code: 'patch_test_failed' | 'patch_impossible'; readonly detail: string }
  | { readonly code: 'bad_fields'; readonly errors: FieldErrors }
export type RefusalCode = Refusal['code']
