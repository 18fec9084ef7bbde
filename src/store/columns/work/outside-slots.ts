import type { Visibility } from '../../../record/visibility.ts'
import { dead, live, type SlotArrays } from '../slot-arrays.ts'
import { type EventDays, isOutside, noEventDays } from './event-days.ts'

/** The slots of records that were recorded outside of their event, by the days of events that were last seen. */
export interface OutsideSlots {
  add(slot: number): void
  /** Before the values of the slot change. */
  remove(slot: number): void
  /** Looks at all records again if an event has other days now: no version of a record says so. */
  follow(days: EventDays): void
  count(visibility: Visibility): number
  /** Clears the flags of all others. */
  keep(flags: Uint8Array): void
  /** In any state, in no order; null if there are more than `max`. */
  list(max: number): number[] | null
  /** Forgets everything, also the days of events. */
  clear(): void
}

export function createOutsideSlots(arrays: () => SlotArrays): OutsideSlots {
  const slots = new Set<number>()
  let lives = 0
  let known = noEventDays

  function add(slot: number): void {
    if (!isOutside(arrays(), slot, known)) return
    slots.add(slot)
    if (arrays().states[slot] === live) lives++
  }

  function clear(): void {
    slots.clear()
    lives = 0
    known = noEventDays
  }

  return {
    add,
    clear,
    remove(slot) {
      if (slots.delete(slot) && arrays().states[slot] === live) lives--
    },
    follow(days) {
      if (days.text === known.text) return
      clear()
      known = days
      const { states } = arrays()
      for (let slot = 1; slot < states.length; slot++) if (states[slot] !== dead) add(slot)
    },
    keep(flags) {
      const values = arrays()
      for (let slot = 0; slot < flags.length; slot++) if (!isOutside(values, slot, known)) flags[slot] = 0
    },
    count: (visibility) => (visibility === 'live' ? lives : slots.size),
    list: (max) => (slots.size > max ? null : [...slots]),
  }
}
