import type { RecordColumns } from '../columns/record-columns.ts'
import { live, unknownDay } from '../columns/slot-arrays.ts'
import type { Database } from '../database.ts'
import type { EventRow } from '../site-reads.ts'

interface CategoryNames {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly startDate: string | null
  readonly listed: number
  readonly mergedInto: number | null
}

/** The categories that the public sees, with their live records; the latest first. */
export function createEventReader(db: Database, { data }: RecordColumns): () => Promise<readonly EventRow[]> {
  const listCategories = db.query<CategoryNames, []>(
    'SELECT id, title, slug, start_date AS "startDate", listed, merged_into AS "mergedInto" FROM category ORDER BY title',
  )
  return async () => {
    const { counts, firstDays, lastDays } = countCategories(data)
    const rows = (await listCategories.all()).flatMap(({ id, listed, mergedInto, ...names }) => {
      const count = counts[id] ?? 0
      if (count === 0 && (listed !== 1 || mergedInto !== null)) return []
      return [
        { ...names, count, firstDay: toDay(firstDays[id] ?? unknownDay), lastDay: toDay(lastDays[id] ?? unknownDay) },
      ]
    })
    // Sorting is stable, so that others follow in the order of their titles.
    return rows.sort((a, b) => compareTexts(toEnd(b), toEnd(a)))
  }
}

const toEnd = ({ startDate, lastDay }: EventRow) => lastDay ?? startDate ?? ''
const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** How many live records each category has, and their first and last known day. */
function countCategories(data: RecordColumns['data']) {
  const { states, categories, days } = data.arrays()
  const size = data.counts.by('category', 'all').length
  const counts = new Uint32Array(size)
  const [firstDays, lastDays] = [new Int32Array(size).fill(unknownDay), new Int32Array(size).fill(unknownDay)]
  for (let slot = 1; slot < data.slots.end(); slot++) {
    if (states[slot] !== live) continue
    const category = categories[slot] ?? 0
    counts[category] = (counts[category] ?? 0) + 1
    const day = days[slot] ?? unknownDay
    if (day === unknownDay) continue
    if (firstDays[category] === unknownDay || day < (firstDays[category] ?? 0)) firstDays[category] = day
    if (day > (lastDays[category] ?? 0) || lastDays[category] === unknownDay) lastDays[category] = day
  }
  return { counts, firstDays, lastDays }
}

const msPerDay = 86_400_000

export function toDay(day: number): string | null {
  return day === unknownDay ? null : new Date(day * msPerDay).toISOString().slice(0, 10)
}
