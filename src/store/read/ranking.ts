import type { Filters } from '../../record/query/query.ts'

/** Weighing more than this takes longer than anybody waits, and tells nobody anything. */
const maxWeighed = 5000

/** Which of a search's matches: all, those with every word in title or speakers, or the others. */
export type SearchPart = 'all' | 'named' | 'unnamed'

export type Weight<Conditions> = (conditions: Conditions, limit: number, offset: number) => number[]

export interface RankingNeeds<Conditions> {
  readonly weigh: Weight<Conditions>
  toPart(filters: Filters, part: SearchPart): Conditions
  count(filters: Filters, part: SearchPart, conditions: Conditions): number
  /** Ids in the default order. */
  read(conditions: Conditions, total: number, limit: number, offset: number): number[]
}

/**
 * Best first. Few matches are weighed one by one (bm25, title and speakers weigh most).
 * Of many, those that have every word in title or speakers come first, and within both kinds the newest.
 */
export function createRanking<Conditions>({ weigh, toPart, count, read }: RankingNeeds<Conditions>) {
  return (filters: Filters, conditions: Conditions, total: number, limit: number, offset: number): number[] => {
    if (total <= maxWeighed) return weigh(conditions, limit, offset)
    const named = toPart(filters, 'named')
    const namedTotal = count(filters, 'named', named)
    const first = offset < namedTotal ? read(named, namedTotal, limit, offset) : []
    if (first.length === limit) return first
    const unnamedTotal = total - namedTotal
    const skipped = Math.max(0, offset - namedTotal)
    return [...first, ...read(toPart(filters, 'unnamed'), unnamedTotal, limit - first.length, skipped)]
  }
}
