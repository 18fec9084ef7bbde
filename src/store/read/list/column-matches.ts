import type { Filters } from '../../../record/query/query.ts'
import type { Search } from '../../../record/text/search-text.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { listSlots, type SlotSet, subtract } from '../../columns/select.ts'

/** Count, page and facets of one list use the same few sets, of one byte per record. */
const maxKnown = 4
/** More candidates are left to SQL. */
const maxSorted = 20_000

export interface MatchSql {
  /** The ids of all matches, drafts included; with excluded words only, of the records that have one of them. */
  findMatches(search: Search): Promise<readonly number[]>
  /** These ids in the default order of lists. */
  sort(ids: readonly number[], limit: number, offset: number): Promise<number[]>
}

/** The matches of a list, found in the columns; only the search itself is left to the engine's index (ADR 43). */
export interface ColumnMatches {
  /** Null if nothing can match. */
  find(filters: Filters): Promise<SlotSet | null>
  /** The ids of a small set, ascending. */
  listIds(slots: SlotSet): number[]
  /** Ids in the default order. Null if SQL is to sort them. */
  readPage(slots: SlotSet, limit: number, offset: number): Promise<number[] | null>
}

/** `changesCounter` moves with every change of the store. */
export function createColumnMatches(
  columns: RecordColumns,
  sql: MatchSql,
  changesCounter: () => number,
): ColumnMatches {
  const known = new Map<string, SlotSet>()
  let [revision, changes] = [-1, Number.NaN]

  async function search(filters: Filters, wanted: Search): Promise<SlotSet | null> {
    const found = await columns.select(filters, await sql.findMatches(wanted))
    if (wanted.all.length > 0 || found === null) return found
    const all = await columns.select(filters)
    return all === null ? null : subtract(all, found)
  }

  async function find(filters: Filters): Promise<SlotSet | null> {
    if (revision !== columns.revision() || changes !== changesCounter() || known.size > maxKnown) known.clear()
    revision = columns.revision()
    changes = changesCounter()
    const key = JSON.stringify(filters)
    const found =
      known.get(key) ??
      (await (filters.search === undefined ? columns.select(filters) : search(filters, filters.search)))
    if (found !== null) known.set(key, found)
    return found
  }

  return {
    find,
    listIds: ({ flags, count, slots = listSlots(flags, count) }) => Array.from(slots, columns.data.slots.toId),
    async readPage(slots, limit, offset) {
      const { ids, before } = columns.findDayWindow(slots, limit, offset)
      return ids.length > maxSorted ? null : sql.sort(ids, limit, offset - before)
    },
  }
}
