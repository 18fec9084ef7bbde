import type { CategoryChanges } from './category.ts'
import type { PatchOperation } from './json-patch.ts'
import type { Changes, FieldErrors } from './record.ts'

export const roles = ['reader', 'editor', 'publisher', 'admin'] as const
export type Role = (typeof roles)[number]

export function isRole(word: string): word is Role {
  return roles.some((role) => role === word)
}

export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(needed)
}

/** Who asks: the token's name is kept with each version. */
export interface Author {
  readonly name: string
  readonly role: Role
}

/** A version's mark is its number and a piece of its checksum; ETags are made of it. */
export type Mark = string

export interface Precondition {
  readonly ifMatch?: '*' | readonly Mark[]
  readonly ifNoneMatch?: '*' | readonly Mark[]
  readonly ifUnmodifiedSinceMs?: number
}

/** A wish to change something, as plain data: it travels between threads, and `decide` judges it. */
export type Command = CreateCommand | ChangeCommand | CategoryCommand

export interface CreateCommand {
  readonly kind: 'create'
  readonly changes: Changes
  readonly author: Author
  readonly isRehearsal?: boolean
  /** A second command with the same key, within a day, gets the first one's answer. */
  readonly idempotencyKey?: string
}

/** Renaming a category rewrites its records, as one batch. */
export interface CategoryCommand {
  readonly kind: 'category'
  readonly slug: string
  readonly changes: CategoryChanges
  readonly author: Author
}

export type ChangeCommand = {
  readonly id: number
  readonly author: Author
  readonly isRehearsal?: boolean
  readonly precondition: Precondition
} & (
  | { readonly kind: 'replace' | 'merge'; readonly changes: Changes }
  | { readonly kind: 'patch'; readonly operations: readonly PatchOperation[] }
)

/** The caller asked for what cannot be. */
export type Refusal =
  | { readonly code: 'not_found' | 'stale' | 'live_is_for_publishers' | 'publishing_is_for_publishers' }
  | { readonly code: 'no_such_category' | 'title_taken' | 'key_reused' }
  | { readonly code: 'patch_test_failed' | 'patch_impossible'; readonly detail: string }
  | { readonly code: 'bad_fields'; readonly errors: FieldErrors }
export type RefusalCode = Refusal['code']
