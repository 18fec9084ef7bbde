import { andThen } from '../../maybe-promise.ts'
import { type CacheNeeds, createRecordCache, type RecordCache } from '../../store/record-cache.ts'
import type { Store } from '../../store/store.ts'
import { ItemEntry } from './item-entry.ts'
import { ReadyAnswers } from './ready-answers.ts'

/** How much of the memory is for whole answers, each of which takes as much again as its record. */
const answersShare = 1 / 8

export interface ItemCache {
  readonly records: RecordCache<ItemEntry>
  readonly answers: ReadyAnswers
  countBytes(): number
}

/** One thread's memory for hot records, and for whole answers of the hottest. */
export function createItemCache(
  store: Store,
  { versions, budgetBytes }: Pick<CacheNeeds<ItemEntry>, 'versions' | 'budgetBytes'>,
): ItemCache {
  const answers = new ReadyAnswers(budgetBytes * answersShare)
  const records = createRecordCache<ItemEntry>({
    versions,
    budgetBytes: budgetBytes * (1 - answersShare),
    load(id) {
      return andThen(store.read(id), (stored) => (stored === null ? null : new ItemEntry(stored)))
    },
    sizeOf: (entry) => entry.bytes,
    letGo(entry) {
      for (const ready of entry.readies) answers.drop(ready)
    },
  })
  return {
    records,
    answers,
    countBytes: () => records.stats.bytes + answers.bytes,
  }
}
