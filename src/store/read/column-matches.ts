import type { Filters } from '../../record/query/query.ts'
import type { Search } from '../../record/text/search-text.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { intersect, type SlotSet, subtract } from '../columns/select.ts'
import type { SearchPart } from './list-page.ts'

/** Count, page and facets of one list look at the same few sets. */
const maxKnown = 3
/** More candidates are left to SQL. */
const maxSorted = 20_000

export interface MatchSql {
  /** The ids of all matches, drafts included; with excluded words only, of the records that have one of them. */
  findMatches(search: Search, part: 'all' | 'named'): Promise<readonly number[]>
  /** These ids in the default order of lists. */
  sort(ids: readonly number[], limit: number, offset: number): Promise<number[]>
}

/** The matches of a list, found in the columns; only the search itself is left to the engine's index (ADR 43). */
export interface ColumnMatches {
  /** Null if nothing can match. */
  find(filters: Filters, part: SearchPart): Promise<SlotSet | null>
  /** Ids in the default order. Null if SQL is to sort them. */
  readPage(slots: SlotSet, limit: number, offset: number): Promise<number[] | null>
}

export function createColumnMatches(columns: RecordColumns, sql: MatchSql): ColumnMatches {
  const known = new Map<string, SlotSet>()
  let revision = -1

  async function search(all: SlotSet, wanted: Search, part: SearchPart, filters: Filters): Promise<SlotSet> {
    if (part === 'unnamed') {
      return subtract(await findKnown(filters, 'all', all), await findKnown(filters, 'named', all))
    }
    const found = intersect(columns.toSlot, all, await sql.findMatches(wanted, part))
    return wanted.all.length === 0 ? subtract(all, found) : found
  }

  /** `all`: the matches of the other filters. */
  async function findKnown(filters: Filters, part: SearchPart, all: SlotSet): Promise<SlotSet> {
    if (filters.search === undefined) return all
    const key = JSON.stringify([part, filters])
    const found = known.get(key) ?? (await search(all, filters.search, part, filters))
    if (known.size >= maxKnown) known.clear()
    known.set(key, found)
    return found
  }

  return {
    async find(filters, part) {
      if (revision !== columns.revision()) known.clear()
      revision = columns.revision()
      const found = known.get(JSON.stringify([part, filters]))
      if (found !== undefined) return found
      const all = await columns.select(filters)
      return all === null ? null : findKnown(filters, part, all)
    },
    async readPage(slots, limit, offset) {
      const { ids, before } = columns.findDayWindow(slots, limit, offset)
      return ids.length > maxSorted ? null : sql.sort(ids, limit, offset - before)
    },
  }
}
