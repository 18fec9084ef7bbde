import type { Suggestions, SuggestQuery } from '../../record/query/suggest.ts'
import type { Database } from '../database.ts'
import type { MemoryIndexes } from './ranked-search.ts'

/** Placeholder: finds nothing. */
export function createSuggest(_db: Database, _indexes: MemoryIndexes): (query: SuggestQuery) => Promise<Suggestions> {
  return async () => ({ results: [], isPartial: true })
}
