import type { ListQuery } from '../../record/query/query.ts'

/** Computing bm25 for more matches takes too long, and nobody reads that far (ADR 8). */
const maxRanked = 5000

/** Which matches of a search: all, those with every word in title or speakers, or the others. */
export type SearchPart = 'all' | 'named' | 'unnamed'

/** A search without an `ordering` has the most relevant records first. */
export const isRanked = ({ order, filters }: ListQuery) => order === null && (filters.search?.all.length ?? 0) > 0

interface RankingNeeds {
  /** By bm25. */
  rankAll(): Promise<number[]>
  findPart(part: SearchPart): Promise<{
    count(): Promise<number>
    /** In the default order. */
    read(window: { readonly total: number; readonly limit: number; readonly offset: number }): Promise<number[]>
  }>
}

/**
 * The most relevant first: few matches by bm25, where title and speakers weigh most. Of many matches, those with every
 * word in title or speakers come first, then the others, both in the default order.
 */
export async function rankIds(
  total: number,
  limit: number,
  offset: number,
  { rankAll, findPart }: RankingNeeds,
): Promise<number[]> {
  if (total <= maxRanked) return rankAll()
  const named = await findPart('named')
  const namedTotal = await named.count()
  const first = offset < namedTotal ? await named.read({ total: namedTotal, limit, offset }) : []
  if (first.length === limit) return first
  const rest = { total: total - namedTotal, limit: limit - first.length, offset: Math.max(0, offset - namedTotal) }
  const unnamed = await findPart('unnamed')
  return [...first, ...(await unnamed.read(rest))]
}
