import { requireRead } from '../../http/problem.ts'
import type { Caller } from '../../http/route.ts'
import { type Cursor, toCursorValues } from '../../record/query/ordering.ts'
import { fromBody, fromBodyText, type VideoRecord } from '../../record/record.ts'
import type { ListPage, ReadStore } from '../../store/store.ts'
import { parseNamedList, toListName, type WorkQuery } from './work-list.ts'

export interface NextInList {
  /** Null at the end of the list. */
  readonly next: number | null
  /** How many records the list has now. */
  readonly count: number
}

/**
 * The record that follows this one in a work list, also if it is not in the list any more: records are compared by the
 * values of the order, not by position (decision 60). `shown` is the record as the list had it; without it, the record as it
 * is. A list that makes no sense has no records. Everybody who sees pages of curators sees drafts.
 */
export async function findNext(
  { store }: { readonly store: Pick<ReadStore, 'list' | 'read'> },
  _caller: Caller,
  list: string,
  id: number,
  shown?: Pick<VideoRecord, 'added' | 'updated' | 'recorded' | 'title' | 'duration' | 'id'>,
): Promise<NextInList> {
  const parsed = parseNamedList(new URLSearchParams(toListName(new URLSearchParams(list))))
  if (!parsed.ok) return { next: null, count: 0 }
  const stored = shown === undefined ? await store.read(id) : null
  const record = shown ?? (stored === null ? null : fromBody(stored.body))
  const { order } = parsed.query
  const page: Cursor = record === null ? { is: 'start' } : { is: 'after', values: toCursorValues(order, record) }
  // Two, because the record itself may come later now.
  const query: WorkQuery = { ...parsed.query, page, pageSize: 2, fields: ['id'] }
  const found = requireRead(await store.list(query))
  return { next: toIds(found).find((each) => each !== id) ?? null, count: found.count }
}

/** Two ids are never too large together. */
const toIds = ({ records }: ListPage) => (records ?? []).map((text) => fromBodyText(text).id)
