import { andThen } from '../../maybe-promise.ts'
import { type CacheNeeds, createRecordCache, type RecordCache } from '../../store/record-cache.ts'
import type { Store } from '../../store/store.ts'
import { ItemEntry } from './item-entry.ts'

/** One thread's cache of hot records. */
export function createItemCache(
  store: Pick<Store, 'read'>,
  { versions, budgetBytes }: Pick<CacheNeeds<ItemEntry>, 'versions' | 'budgetBytes'>,
): RecordCache<ItemEntry> {
  return createRecordCache<ItemEntry>({
    versions,
    budgetBytes,
    load: (id) => andThen(store.read(id), (stored) => (stored === null ? null : new ItemEntry(stored))),
    sizeOf: (entry) => entry.bytes,
  })
}
