import type { EventFindings, EventFindingsQuery } from '../../../record/query/findings.ts'
import { toSortKey } from '../../../record/text/sort-key.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import type { SlowReads } from '../../store.ts'
import { createMemo } from '../memo.ts'
import type { FindingCounter } from './count-findings.ts'

interface CategoryNames {
  readonly id: number
  readonly title: string
  readonly slug: string
}

/** The findings of each event, drafts included; remembered until the next change (decision 53). */
export function createEventFindings(
  db: Database,
  columns: RecordColumns,
  counter: FindingCounter,
): SlowReads['listEventFindings'] {
  const listNames = db.query<CategoryNames, []>('SELECT id, title, slug FROM category')
  const orders = createMemo<readonly EventFindings[]>(counter.changes)

  async function findAll(): Promise<readonly EventFindings[]> {
    const byEvent = Map.groupBy(await counter.count(), ({ category }) => category)
    const names = await listNames.all()
    return names.flatMap(({ id, title, slug }) => {
      const findings = (byEvent.get(id) ?? []).map(({ code, count }) => ({ code, count }))
      const total = findings.reduce((sum, { count }) => sum + count, 0)
      return total === 0
        ? []
        : [{ category: title, slug, talks: columns.countOf('category', id, 'all'), total, findings }]
    })
  }

  const sort = (order: EventFindingsQuery['order']) =>
    orders(order, async () => sortEvents(await orders('', findAll), order))

  return ({ order, page, pageSize }) => {
    counter.begin()
    return db.transaction('read', async () => {
      const all = await sort(order)
      const number = page === 'last' ? Math.max(1, Math.ceil(all.length / pageSize)) : page
      return { count: all.length, page: number, lines: all.slice((number - 1) * pageSize, number * pageSize) }
    })
  }
}

/** By title, by talks, or by one finding, whose events alone are listed then; equal ones by title. */
function sortEvents(events: readonly EventFindings[], order: EventFindingsQuery['order']): readonly EventFindings[] {
  const keyed = events.map((event) => ({ event, title: toSortKey(event.category), size: toSize(event, order) }))
  return keyed
    .filter(({ size }) => order === 'title' || size > 0)
    .sort((a, b) => b.size - a.size || (a.title < b.title ? -1 : 1))
    .map(({ event }) => event)
}

function toSize({ total, talks, findings }: EventFindings, order: EventFindingsQuery['order']): number {
  if (order === 'title') return 0
  if (order === 'talks') return talks
  return order === 'total' ? total : (findings.find(({ code }) => code === order)?.count ?? 0)
}
