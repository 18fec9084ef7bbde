import type { Filters } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import { matchesFew } from '../../read/list/filter-kinds.ts'
import { createRowConditions } from '../../read/list/list-sql.ts'
import type { Condition } from '../../read/statements.ts'
import { createNameSets, type IdSet, type NamePiece, toIdNameSet, toKnownSet } from './id-sets.ts'
import { toSearchSet } from './search.ts'

/** The filters of a list, prepared for planning. */
export interface ListFilter {
  /** Conditions on columns of `listing`. */
  readonly row: readonly Condition[]
  readonly sets: readonly IdSet[]
  readonly search: IdSet | null
  /** So few rows match that probing each is cheaper than collecting a set. */
  readonly matchesFew: boolean
  /** All live records, apart from what the sets exclude. */
  readonly isAllLive: boolean
  /** Whether the index that SQLite chooses for the conditions continues in the default order. */
  readonly isInDefaultOrder: boolean
}

/** Values are parameters only. Null if nothing can match. */
export function createFilter(
  db: Database,
  findNamed: (pieces: readonly NamePiece[]) => Promise<readonly number[]>,
): (filters: Filters) => Promise<ListFilter | null> {
  const findRowConditions = createRowConditions(db, {
    // Repeats the condition of a partial index to the letter; SQLite uses the index only then.
    toHasMedia: (bits) => `media & ${bits}`,
    lastDay: `date(event.start_date, '+14 days')`,
  })
  const findSpeakerSet = createNameSets(db, 'speaker')
  const findTagSet = createNameSets(db, 'tag')

  async function findNameSets({
    speakers,
    tags,
    speakerIds = [],
    tagIds = [],
  }: Filters): Promise<readonly IdSet[] | null> {
    const known: IdSet[] = [
      ...speakerIds.map((id) => toIdNameSet(db, 'speaker', id)),
      ...tagIds.map((id) => toIdNameSet(db, 'tag', id)),
    ]
    for (const [pieces, findSet] of [
      [speakers, findSpeakerSet],
      [tags, findTagSet],
    ] as const) {
      for (const piece of pieces) {
        const found = await findSet(piece)
        if (found === null) return null
        known.push(found)
      }
    }
    // Several name parts that match many names each are joined in memory (ADR 28).
    const pieces = known.flatMap(({ piece }) => piece ?? [])
    return pieces.length < 2 ? known : [...known.filter(({ piece }) => !piece), toKnownSet(await findNamed(pieces))]
  }

  return async (filters) => {
    const row = await findRowConditions(filters)
    const names = row === null ? null : await findNameSets(filters)
    if (row === null || names === null) return null
    const search = filters.search === undefined ? null : toSearchSet(db, filters.search)
    const sets = search === null ? names : [...names, search]
    return {
      row: [...row.visible, ...row.filters],
      sets,
      search,
      matchesFew: matchesFew(filters),
      isAllLive: filters.visibility === 'live' && row.filters.length === 0,
      isInDefaultOrder: row.visible.length > 0 && isInDefaultOrder(filters, row.categoryCount, names),
    }
  }
}

/**
 * Indexes on a single value (category, media, state …) continue in the default order; ranges of durations, times and ids
 * do not.
 */
function isInDefaultOrder(filters: Filters, categoryCount: number, names: readonly IdSet[]): boolean {
  const { durationMin, durationMax, addedAfter, addedBefore, updatedAfter, updatedBefore } = filters
  const ranges = [durationMin, durationMax, addedAfter, addedBefore, updatedAfter, updatedBefore]
  const isByRange = ranges.some((end) => end !== undefined)
  const isById = matchesFew(filters) || names.length > 0 || (filters.search?.all.length ?? 0) > 0
  return !isById && categoryCount < 2 && (categoryCount === 1 || !isByRange)
}
