import type { RecordData } from './record-data.ts'
import type { SlotSet } from './select.ts'
import { unknownDay } from './slot-arrays.ts'

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
export function findDayWindow(data: RecordData, set: SlotSet, limit: number, offset: number): DayWindow {
  const { days } = data.arrays()
  const { first, last } = data.dayRange()
  const { newest, oldest, before } = findRange(countDays(days, set, first, last), limit, offset)
  // Index 0 is the unknown day, which is the smallest number.
  const from = oldest === 0 ? unknownDay : first + oldest - 1
  const to = newest === 0 ? unknownDay : first + newest - 1
  const ids: number[] = []
  const { flags, slots } = set
  const end = slots?.length ?? flags.length
  for (let i = 0; i < end; i++) {
    const slot = slots === undefined ? i : (slots[i] ?? 0)
    const day = days[slot] ?? unknownDay
    if (day >= from && day <= to && flags[slot] === 1) ids.push(data.slots.toId(slot))
  }
  return { ids, before }
}

/** How many flagged records each day has; the unknown day comes first. */
function countDays(days: Int32Array, { flags, slots }: SlotSet, first: number, last: number): Uint32Array {
  const counts = new Uint32Array(Math.max(0, last - first + 1) + 1)
  const end = slots?.length ?? flags.length
  for (let i = 0; i < end; i++) {
    const slot = slots === undefined ? i : (slots[i] ?? 0)
    const day = days[slot] ?? unknownDay
    const index = day === unknownDay ? 0 : day - first + 1
    // Without a branch on the flag, which could not be predicted.
    counts[index] = (counts[index] ?? 0) + (flags[slot] ?? 0)
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
