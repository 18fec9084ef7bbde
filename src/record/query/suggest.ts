import type { Visibility } from '../visibility.ts'

/** The longest text that suggestions are made for, in code points. */
export const maxSuggestLength = 200
export const maxSuggestions = 10
export const suggestionKinds = ['speaker', 'category', 'tag', 'video'] as const

export interface SuggestQuery {
  /** What the caller has typed so far; trimmed, not empty. */
  readonly text: string
  readonly visibility: Visibility
}

/** Something to go to. `count` is the number of records that the caller sees, 1 for a record. */
export type Suggestion = { readonly text: string; readonly count: number; readonly slug: string } & (
  | { readonly kind: 'speaker' | 'tag' | 'video'; readonly id: number }
  | { readonly kind: 'category' }
)

export interface Suggestions {
  /** The most used first, at most `maxSuggestions`. */
  readonly results: readonly Suggestion[]
  /** Whether more may be found a moment later, without a write: some records have not been looked at. */
  readonly isPartial: boolean
}
