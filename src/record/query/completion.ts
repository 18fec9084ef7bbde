import type { Visibility } from '../state.ts'

/** The longest text that is completed, in code points. */
export const maxCompletionLength = 200
export const maxCompletions = 10
export const completionKinds = ['speaker', 'category', 'tag', 'video'] as const

export interface CompletionQuery {
  /** What the caller has typed so far; trimmed, not empty. */
  readonly text: string
  readonly visibility: Visibility
}

/** A suggested name or title. `count` is the number of records that the caller sees, 1 for a record. */
export type Completion = { readonly text: string; readonly count: number; readonly slug: string } & (
  | { readonly kind: 'speaker' | 'tag' | 'video'; readonly id: number }
  | { readonly kind: 'category' }
)

export interface Completions {
  /** The most used first, at most `maxCompletions`. */
  readonly results: readonly Completion[]
  /** Whether the same query may find more a moment later: some records are not loaded yet. */
  readonly isPartial: boolean
}

export const pickKinds = ['speaker', 'tag', 'category'] as const
export type PickKind = (typeof pickKinds)[number]

/** Names that match what a curator is typing; drafts count. */
export interface PickQuery {
  readonly kind: PickKind
  /** Folded beginning of any word of a name; `""` for the most used names. */
  readonly prefix: string
  readonly limit: number
}

export interface PickedName {
  readonly text: string
  /** How many records have it, drafts included. */
  readonly count: number
  /** The merged name that matched, if it was not this one; else null. */
  readonly alias: string | null
}
