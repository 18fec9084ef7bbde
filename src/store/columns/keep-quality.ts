import { toLastDay } from '../../record/quality/event-days.ts'
import { parkedBit, toQualityBits, whiteboardBit } from '../../record/quality/finding-codes.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import { type RecordData, toDayNumber, toMilliseconds } from './record-data.ts'
import { unknownDay } from './slot-arrays.ts'

/** The first and last days of events by category id; only events that have a start. */
export interface EventDays {
  readonly first: Int32Array
  readonly last: Int32Array
}

type CountedData = Pick<RecordData, 'arrays'>

const anyDay = { first: unknownDay, last: 0x7fffffff }

/** Read when they are needed: a change of a category writes no version of its records, which the columns follow. */
export function createEventDays(db: Database): (categoryEnd: number) => Promise<EventDays> {
  const list = db.query<{ id: number; start: string }, []>(
    'SELECT id, start_date AS start FROM category WHERE start_date IS NOT NULL',
  )
  return async (categoryEnd) => {
    const first = new Int32Array(categoryEnd).fill(anyDay.first)
    const last = new Int32Array(categoryEnd).fill(anyDay.last)
    for (const { id, start } of await list.all()) {
      // Categories without records are not counted here.
      if (id >= categoryEnd) continue
      first[id] = toDayNumber(start)
      last[id] = toDayNumber(toLastDay(start))
    }
    return { first, last }
  }
}

/** Clears the flags of records that do not match the filters of work lists. `days` is null if none needs them. */
export function keepQuality(flags: Uint8Array, data: RecordData, filters: Filters, days: EventDays | null): void {
  const { findings = [] } = filters
  keepBits(flags, data, toQualityBits(findings) | toNoteBits(filters, true), toNoteBits(filters, false))
  keepTexts(flags, data, filters)
  const { addedMs, updatedMs } = data.arrays()
  keepMoments(flags, addedMs, filters.addedAfter, filters.addedBefore)
  keepMoments(flags, updatedMs, filters.updatedAfter, filters.updatedBefore)
  if (days !== null) keepOutside(flags, data, days)
  if (findings.includes('same_video')) data.tallies.video.keepShared(flags, data.arrays().videos, filters.visibility)
}

/** Clears the flags of records that were recorded during their event, or on a day that is not known. */
export function keepOutside(flags: Uint8Array, data: CountedData, { first, last }: EventDays): void {
  const { days, categories } = data.arrays()
  for (let slot = 0; slot < flags.length; slot++) {
    const day = days[slot] ?? unknownDay
    const category = categories[slot] ?? 0
    const isInside = day >= (first[category] ?? anyDay.first) && day <= (last[category] ?? anyDay.last)
    if (isInside || day === unknownDay) flags[slot] = 0
  }
}

/** The bits of what these filters say of the whiteboard. */
function toNoteBits({ whiteboard, parked }: Filters, wanted: boolean): number {
  return (whiteboard === wanted ? whiteboardBit : 0) | (parked === wanted ? parkedBit : 0)
}

function keepBits(flags: Uint8Array, data: RecordData, wanted: number, unwanted: number): void {
  const tested = wanted | unwanted
  if (tested === 0) return
  const { qualities } = data.arrays()
  for (let slot = 0; slot < flags.length; slot++) if (((qualities[slot] ?? 0) & tested) !== wanted) flags[slot] = 0
}

function keepTexts(flags: Uint8Array, data: RecordData, { host, by }: Filters): void {
  const { hosts, authors } = data.arrays()
  if (host !== undefined) keepNumber(flags, hosts, data.hosts.findNumber(host))
  if (by !== undefined) keepNumber(flags, authors, data.authors.findNumber(by))
}

/** Undefined: no record has it. */
function keepNumber(flags: Uint8Array, values: Uint32Array, wanted: number | undefined): void {
  if (wanted === undefined) flags.fill(0)
  else for (let slot = 0; slot < flags.length; slot++) if (values[slot] !== wanted) flags[slot] = 0
}

function keepMoments(flags: Uint8Array, values: Float64Array, after?: string, before?: string): void {
  if (after === undefined && before === undefined) return
  const from = after === undefined ? Number.NEGATIVE_INFINITY : toMilliseconds(after)
  const to = before === undefined ? Number.POSITIVE_INFINITY : toMilliseconds(before)
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot] ?? 0
    if (value < from || value > to) flags[slot] = 0
  }
}
