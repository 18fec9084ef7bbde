import type { Filters } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import { matchesFew } from '../../read/list.ts'
import type { SearchPart } from '../../read/list-page.ts'
import { createRowConditions } from '../../read/list-sql.ts'
import type { Condition } from '../../read/statements.ts'
import { createNameSets, type IdSet, type NamePiece, toKnownSet } from './id-sets.ts'
import { toSearchSet } from './search.ts'

/** A list's filters in the form that plans need. */
export interface ListFilter {
  /** Conditions on columns of `listing`. */
  readonly row: readonly Condition[]
  readonly sets: readonly IdSet[]
  readonly search: IdSet | null
  /** So few rows match the conditions that probing each is cheaper than collecting a set. */
  readonly matchesFew: boolean
  /** All live records, if the sets do not say otherwise. */
  readonly isAllLive: boolean
  /** Whether the index that SQLite picks for the conditions continues in the default order. */
  readonly isInDefaultOrder: boolean
}

/** Values reach SQLite as parameters only. Null where nothing can match. */
export function createFilter(
  db: Database,
  findNamed: (pieces: readonly NamePiece[]) => Promise<readonly number[]>,
): (filters: Filters, part: SearchPart) => Promise<ListFilter | null> {
  // The condition of a partial index, which SQLite uses only if a query repeats it to the letter.
  const findRowConditions = createRowConditions(db, (bit) => `media & ${bit}`)
  const findSpeakerSet = createNameSets(db, 'speaker')
  const findTagSet = createNameSets(db, 'tag')

  async function findNameSets({ speakers, tags }: Filters): Promise<readonly IdSet[] | null> {
    const known: IdSet[] = []
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
    // Several pieces that match many names each are joined in memory (ADR 28).
    const pieces = known.flatMap(({ piece }) => piece ?? [])
    return pieces.length < 2 ? known : [...known.filter(({ piece }) => !piece), toKnownSet(await findNamed(pieces))]
  }

  return async (filters, part) => {
    const row = await findRowConditions(filters)
    const names = row === null ? null : await findNameSets(filters)
    if (row === null || names === null) return null
    const search = filters.search === undefined ? null : toSearchSet(db, filters.search, part)
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

/** Indexes of a value (category, media, state …) continue in the default order; ranges of duration and ids do not. */
function isInDefaultOrder(filters: Filters, categoryCount: number, names: readonly IdSet[]): boolean {
  const isByDuration = filters.durationMin !== undefined || filters.durationMax !== undefined
  const isById = matchesFew(filters) || names.length > 0 || (filters.search?.all.length ?? 0) > 0
  return !isById && categoryCount < 2 && (categoryCount === 1 || !isByDuration)
}
