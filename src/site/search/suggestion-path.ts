import type { Completion } from '../../record/query/names.ts'
import { createAddresses } from '../addresses.ts'

const at = createAddresses('')

/** The path of the page of a suggestion, below the base URL. */
export function toSuggestionPath(suggestion: Completion): string {
  return suggestion.kind === 'category' ? at.category(suggestion.slug) : at[suggestion.kind](suggestion)
}
