import { type EventDates, findLastDay } from '../../../record/quality/findings.ts'
import type { Filters } from '../../../record/query/query.ts'
import { toDayNumber } from '../../columns/numbering.ts'
import type { RecordData } from '../../columns/record-data.ts'
import { unknownDay } from '../../columns/slots.ts'
import type { Statements } from '../statements.ts'

/** Findings that depend on more than the record, by the columns in memory (decision 53). */

type Columns = Pick<RecordData, 'arrays' | 'counts' | 'slots'>

const end = Number.POSITIVE_INFINITY

/** The first and the last days of events, by category. */
export type EventDays = ReadonlyMap<number, readonly [first: number, last: number]>

/** Read on demand: the columns follow versions of records, and a change of a category writes none. */
export async function readEventDays(prepare: Statements): Promise<EventDays> {
  const dated = prepare<EventDates & { id: number }>(
    `SELECT id, start_date AS "startDate", end_date AS "endDate" FROM category
     WHERE start_date IS NOT NULL OR end_date IS NOT NULL`,
  )
  const toNumbers = (dates: EventDates): [first: number, last: number] => {
    const last = findLastDay(dates)
    return [
      dates.startDate === null ? unknownDay : toDayNumber(dates.startDate),
      last === null ? end : toDayNumber(last),
    ]
  }
  return new Map((await dated.all()).map(({ id, ...dates }) => [id, toNumbers(dates)] as const))
}

/** Records with a known day outside their event. */
export function keepOutside(flags: Uint8Array, data: Columns, events: EventDays): void {
  const { days, categories } = data.arrays()
  for (let slot = flags.indexOf(1); slot >= 0; slot = flags.indexOf(1, slot + 1)) {
    const day = days[slot] ?? unknownDay
    const [first, last] = events.get(categories[slot] ?? 0) ?? [unknownDay, end]
    flags[slot] = day !== unknownDay && (day < first || day > last) ? 1 : 0
  }
}

/** Records that share their video with another visible record. `settled`: of which curators have decided. */
export function keepSameVideo(
  flags: Uint8Array,
  data: Columns,
  visibility: Filters['visibility'],
  settled: readonly number[],
): void {
  const { videos } = data.arrays()
  const shared = data.counts.sharedVideos(visibility)
  for (let slot = flags.indexOf(1); slot >= 0; slot = flags.indexOf(1, slot + 1)) {
    flags[slot] = shared.has(videos[slot] ?? 0) ? 1 : 0
  }
  for (const id of settled) flags[data.slots.toSlot(id)] = 0
}
