import { tabItems } from '../../../site/asset/script/storage.ts'

const toKey = (list: string) => `rostrum.ticks.${toFilters(list)}`
const doneKey = 'rostrum.ticks-done'

/** A list in another order has the same talks. */
function toFilters(list: string): string {
  const filters = new URLSearchParams(list)
  filters.delete('ordering')
  return filters.toString()
}

/** The ids of the talks that are ticked in a list, on all of its pages. */
export function readTicks(list: string): ReadonlySet<string> {
  return new Set((tabItems.readItem(toKey(list)) ?? '').split(',').filter((id) => /^\d+$/.test(id)))
}

export function storeTicks(list: string, ids: Iterable<string>): void {
  const text = [...ids].join()
  if (text === '') tabItems.removeItem(toKey(list))
  else tabItems.storeItem(toKey(list), text)
}

/** The page of a batch names the list that it was made in: its ticks have served. Once, for people who come back to it. */
export function dropUsedTicks(): void {
  const list = document.querySelector<HTMLElement>('[data-changed-list]')?.dataset.changedList
  if (list === undefined || tabItems.readItem(doneKey) === location.pathname) return
  tabItems.removeItem(toKey(list))
  tabItems.storeItem(doneKey, location.pathname)
}
