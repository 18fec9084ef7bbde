import type { Visibility } from '../../record/visibility.ts'
import { isBefore, type RankedRecords } from '../search/best-search.ts'

/** The newest visible records of those with the fewest errors. */
export interface Newest {
  offer(slot: number, edits: number): void
  /** The slots, best first. */
  list(): number[]
}

export function createNewest(records: RankedRecords, visibility: Visibility, limit: number): Newest {
  const best: { readonly slot: number; readonly edits: number }[] = []
  /** What the last one has, so that most records are refused by two comparisons. */
  let [mostEdits, oldestDay] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  return {
    offer(slot, edits) {
      if (edits > mostEdits || (edits === mostEdits && records.dayOf(slot) < oldestDay)) return
      if (!records.isVisible(slot, visibility)) return
      const at = best.findIndex((other) =>
        edits === other.edits ? isBefore(records, slot, other.slot) : edits < other.edits,
      )
      best.splice(at < 0 ? best.length : at, 0, { slot, edits })
      if (best.length > limit) best.pop()
      const last = best.length === limit ? best.at(-1) : undefined
      if (last !== undefined) [mostEdits, oldestDay] = [last.edits, records.dayOf(last.slot)]
    },
    list: () => best.map(({ slot }) => slot),
  }
}
