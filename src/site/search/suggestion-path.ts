import type { Suggestion } from '../../record/query/suggest.ts'
import { createUrls } from '../urls.ts'

const urls = createUrls('')

/** The path of the page of a suggestion, below the base URL. */
export function toSuggestionPath(suggestion: Suggestion): string {
  return suggestion.kind === 'category' ? urls.category(suggestion.slug) : urls[suggestion.kind](suggestion)
}
