import { live, unknownDay } from '../columns/slot-arrays.ts'
import { createMemo } from '../read/memo.ts'
import type { DayCount } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { toDay } from './events.ts'
import { ensureColumns, type SiteReadDeps } from './site-needs.ts'

/** The days of an event with the number of its live records, in order. Kept until a change. */
export function createDays({ db, indexes: { columns }, changesCounter }: SiteReadDeps): SlowReads['listDays'] {
  const findId = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const memo = createMemo<readonly DayCount[]>(changesCounter)

  async function read(slug: string): Promise<readonly DayCount[]> {
    await ensureColumns(columns)
    const category = (await findId.get(slug))?.id
    const { states, categories, days } = columns.data.arrays()
    const counts = new Map<number, number>()
    for (let slot = 1; slot < columns.slotEnd(); slot++) {
      const day = days[slot] ?? unknownDay
      if (categories[slot] !== category || states[slot] !== live || day === unknownDay) continue
      counts.set(day, (counts.get(day) ?? 0) + 1)
    }
    return [...counts].sort(([a], [b]) => a - b).map(([day, count]) => ({ day: toDay(day) ?? '', count }))
  }

  return (slug) => memo(slug, () => db.transaction('read', () => read(slug)))
}
