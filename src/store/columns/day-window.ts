import { type RecordData, unknownDay } from './record-data.ts'
import type { SlotSet } from './select.ts'

/** The records of a few whole days. */
export interface DayWindow {
  readonly ids: readonly number[]
  /** The number of records on newer days. */
  readonly before: number
}

/**
 * The records of a set on those days that its records from `offset` on have, newest first and unknown days last. Sorting
 * them gives a page of the default order without sorting the whole set.
 */
export function findDayWindow(data: RecordData, { flags }: SlotSet, limit: number, offset: number): DayWindow {
  const { days } = data.arrays()
  const first = findFirstDay(days, flags)
  const toIndex = (day: number) => (day === unknownDay ? 0 : day - first + 1)
  const { newest, oldest, before } = findRange(countDays(days, flags, toIndex), limit, offset)
  const ids: number[] = []
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] !== 1) continue
    const index = toIndex(days[slot] ?? unknownDay)
    if (index <= newest && index >= oldest) ids.push(data.slots.toId(slot))
  }
  return { ids, before }
}

function findFirstDay(days: Int32Array, flags: Uint8Array): number {
  let first = 0x7fffffff
  for (let slot = 1; slot < flags.length; slot++) {
    const day = days[slot] ?? unknownDay
    if (flags[slot] === 1 && day !== unknownDay && day < first) first = day
  }
  return first
}

/** How many flagged records each day has; unknown days come first. */
function countDays(days: Int32Array, flags: Uint8Array, toIndex: (day: number) => number): Uint32Array {
  let counts = new Uint32Array(8192)
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] !== 1) continue
    const index = toIndex(days[slot] ?? unknownDay)
    if (index >= counts.length) {
      const larger = new Uint32Array(2 * index)
      larger.set(counts)
      counts = larger
    }
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

function findRange(counts: Uint32Array, limit: number, offset: number) {
  let [newest, before] = [counts.length - 1, 0]
  while (newest > 0 && before + (counts[newest] ?? 0) <= offset) before += counts[newest--] ?? 0
  let [oldest, until] = [newest, before + (counts[newest] ?? 0)]
  while (oldest > 0 && until < offset + limit) until += counts[--oldest] ?? 0
  return { newest, oldest, before }
}
