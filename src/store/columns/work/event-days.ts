import { toLastDay } from '../../../record/quality/event-days.ts'
import type { Database } from '../../database.ts'
import { toDayNumber } from '../day-number.ts'
import { type SlotArrays, unknownDay } from '../slot-arrays.ts'

/** The first and last days of events by category id; a category without a start has every day. */
export interface EventDays {
  readonly first: Int32Array
  readonly last: Int32Array
  /** Differs if the days do. */
  readonly text: string
}

const lastDay = 0x7fffffff

/** Before any event has a start. */
export const noEventDays: EventDays = { first: new Int32Array(0), last: new Int32Array(0), text: '' }

/** Read when they are needed: a change of a category writes no version of its records, which the columns follow. */
export function createEventDays(db: Database): (categoryEnd: number) => Promise<EventDays> {
  const list = db.query<{ id: number; start: string }, []>(
    'SELECT id, start_date AS start FROM category WHERE start_date IS NOT NULL ORDER BY id',
  )
  return async (categoryEnd) => {
    const first = new Int32Array(categoryEnd).fill(unknownDay)
    const last = new Int32Array(categoryEnd).fill(lastDay)
    let text = ''
    for (const { id, start } of await list.all()) {
      // Categories without records are not counted here.
      if (id >= categoryEnd) continue
      first[id] = toDayNumber(start)
      last[id] = toDayNumber(toLastDay(start))
      text += `${id} ${start},`
    }
    return { first, last, text }
  }
}

/** Whether the record was recorded on a day that is known and not of its event. */
export function isOutside({ days, categories }: SlotArrays, slot: number, { first, last }: EventDays): boolean {
  const day = days[slot] ?? unknownDay
  const category = categories[slot] ?? 0
  return day !== unknownDay && (day < (first[category] ?? unknownDay) || day > (last[category] ?? lastDay))
}
