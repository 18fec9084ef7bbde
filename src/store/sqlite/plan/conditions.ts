import type { Database } from 'bun:sqlite'
import type { Filters } from '../../../record/query/query.ts'
import type { SearchPart } from '../../read/ranking.ts'
import { createRowConditions } from '../../read/row-conditions.ts'
import type { Condition } from '../../read/statements.ts'
import {
  type Plan,
  toCount,
  toGatherPlan,
  toLiveCount,
  toRankPlan,
  toWalkCondition,
  toWalkCost,
  type Wanted,
} from './plans.ts'
import {
  createSubqueryConditions,
  type NamedRecords,
  type NamePiece,
  type SubqueryCondition,
} from './subquery-conditions.ts'

/** What must hold of a row of `listing`, in the shapes that different ways of reading need. */
export interface Conditions {
  /** For a look at everything that matches. */
  readonly gather: Plan
  /** Whether `gather` comes in the default order by itself. */
  readonly isInDayOrder: boolean
  /** For the best of a search. */
  weigh(): Plan
  /** For a walk through an index, one row after the other. */
  walk(): Condition
  readonly walkCost: number
  /** How many rows match. */
  count(): Condition
  /** Whether so few can match that reading them is the quickest way to count them. */
  readonly isFew: boolean
}

/** What no row fulfils. */
export const nothing: Conditions = {
  gather: { from: 'listing', sql: 'FALSE', values: [] },
  isInDayOrder: true,
  weigh: () => ({ from: 'search, listing', sql: 'FALSE', values: [] }),
  walk: () => ({ sql: 'FALSE', values: [] }),
  walkCost: 1,
  count: () => ({ sql: 'SELECT 0 AS count', values: [] }),
  isFew: false,
}

/** Values reach SQLite as parameters only; what stands in the text is ours. Null where nothing can match. */
export function createConditions(
  db: Database,
  findNamed: (pieces: readonly NamePiece[]) => NamedRecords,
): (filters: Filters, part?: SearchPart) => Conditions | null {
  // Word for word what an index of such rows says, else SQLite does not use it.
  const toRowConditions = createRowConditions(db, (bit) => `media & ${bit}`)
  const { toSpeaker, toTag, toSearch, toNamed } = createSubqueryConditions(db)

  function toOutside({ speakers, tags, search }: Filters, part: SearchPart): SubqueryCondition[] | null {
    const names = [...speakers.map(toSpeaker), ...tags.map(toTag)]
    const known = names.filter((each) => each !== null)
    if (known.length < names.length) return null
    return [...toFewer(known), ...toSearch(search?.all ?? [], search?.none ?? [], part)]
  }

  /** Several pieces that many names have become one condition. */
  function toFewer(known: readonly SubqueryCondition[]): readonly SubqueryCondition[] {
    const pieces = known.flatMap(({ piece }) => piece ?? [])
    return pieces.length < 2 ? known : [...known.filter(({ piece }) => !piece), toNamed(findNamed(pieces))]
  }

  return (filters, part = 'all') => {
    const row = toRowConditions(filters)
    const outside = row === null ? null : toOutside(filters, part)
    if (row === null || outside === null) return null
    const { seen, asked, categoryCount } = row
    const wanted: Wanted = { own: [...seen, ...asked], outside, isFew: isFew(filters) }
    const isOnlyLive = !filters.drafts && asked.length === 0
    return {
      gather: toGatherPlan(wanted),
      isInDayOrder: seen.length > 0 && isInDayOrder(filters, categoryCount, outside),
      weigh: () => toRankPlan(wanted),
      walk: () => toWalkCondition(wanted),
      walkCost: toWalkCost(wanted),
      count: () => (isOnlyLive ? toLiveCount(outside) : null) ?? toCount(wanted),
      isFew: wanted.isFew,
    }
  }
}

const isFew = ({ ids, sourceUrl }: Filters) => ids !== undefined || sourceUrl !== undefined

/** The indexes of category, language, media and state go on in the default order; other ways to begin do not. */
function isInDayOrder(filters: Filters, categoryCount: number, outside: readonly SubqueryCondition[]): boolean {
  const isByDuration = filters.durationMin !== undefined || filters.durationMax !== undefined
  const isByRow = isFew(filters) || outside.some(({ excluded }) => excluded === null)
  return !isByRow && categoryCount < 2 && (categoryCount === 1 || !isByDuration)
}
