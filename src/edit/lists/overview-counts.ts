import { requireRead } from '../../http/problem.ts'
import type { FindingCode } from '../../record/quality/finding-codes.ts'
import type { EventFindings } from '../../record/query/findings.ts'
import type { ReadStore } from '../../store/store.ts'
import { changedBy, changedOn, drafts, type NamedList, parkedDrafts, withNote } from './known-lists.ts'
import { parseWorkList } from './work-list.ts'

const shownEvents = 8

export interface OverviewCounts {
  readonly lists: { readonly [name in 'drafts' | 'parked' | 'whiteboard' | 'today' | 'mine']: number }
  readonly findings: ReadonlyMap<FindingCode, number>
  /** Those with the most findings. */
  readonly events: readonly EventFindings[]
}

/** How long each list is; the store counts each in about a millisecond (decision 53). */
export async function countLists(
  store: ReadStore,
  name: string,
  today: string,
  signal: AbortSignal,
): Promise<OverviewCounts> {
  const count = (list: NamedList) => countList(store, list, signal)
  const { totals } = requireRead(await store.countFindings({ page: 1, pageSize: 1 }, signal))
  const events = requireRead(await store.listEventFindings({ order: 'total', page: 1, pageSize: shownEvents }, signal))
  return {
    lists: {
      drafts: await count(drafts),
      parked: await count(parkedDrafts),
      whiteboard: await count(withNote),
      today: await count(changedOn(today)),
      mine: await count(changedBy(name, today)),
    },
    findings: new Map(totals.map((total) => [total.code, total.count])),
    events: events.lines,
  }
}

export async function countList(store: ReadStore, list: NamedList, signal: AbortSignal): Promise<number> {
  const parsed = parseWorkList(new URLSearchParams(list))
  if (!parsed.ok) throw new Error(`not a list: ${JSON.stringify(list)}`)
  return requireRead(await store.list({ ...parsed.query, pageSize: 1, fields: ['id'] }, signal)).count
}
