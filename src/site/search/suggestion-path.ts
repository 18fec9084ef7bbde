import type { Completion } from '../../record/query/names.ts'
import { createUrls } from '../urls.ts'

const urls = createUrls('')

/** The path of the page of a suggestion, below the base URL. */
export function toSuggestionPath(suggestion: Completion): string {
  return suggestion.kind === 'category' ? urls.category(suggestion.slug) : urls[suggestion.kind](suggestion)
}
