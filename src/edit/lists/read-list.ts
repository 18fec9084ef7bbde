import { requireRead } from '../../http/problem.ts'
import type { Caller } from '../../http/route.ts'
import type { FieldName } from '../../record/fields.ts'
import type { FindingCode } from '../../record/quality/finding-codes.ts'
import { type Cursor, toCursorValues } from '../../record/query/ordering.ts'
import { fromBody, fromBodyText, type VideoRecord } from '../../record/record.ts'
import type { ListPage, ReadStore } from '../../store/store.ts'
import type { KnownFilters } from './known-lists.ts'
import { parseNamedList, parseWorkList, toListName, type WorkQuery } from './list-query.ts'

/** A record with its findings. It has only the requested fields. */
export interface ListRow<Field extends FieldName> {
  readonly record: Pick<VideoRecord, Field | 'id'>
  readonly by: string
  readonly findings: readonly FindingCode[]
}

export interface RowPage<Field extends FieldName> {
  readonly count: number
  /** The number of the page; 1 for a page by cursor. */
  readonly page: number
  /** Null if the records of the page are too large together. */
  readonly rows: readonly ListRow<Field>[] | null
  readonly nextCursor: string | null
}

type RowStore = Pick<ReadStore, 'list' | 'listWorkRows'>

/** One page of a work list. `fields` must have the id. */
export async function readRows<Field extends FieldName>(
  store: RowStore,
  query: WorkQuery,
  fields: readonly (Field | 'id')[],
  signal: AbortSignal,
): Promise<RowPage<Field>> {
  const { count, page, records, nextCursor } = requireRead(await store.list({ ...query, fields }, signal))
  const found = records?.map((text): Pick<VideoRecord, Field | 'id'> => fromBodyText(text)) ?? null
  const rows = found === null ? null : await addWork(store, found, signal)
  return { count, page: page ?? 1, rows, nextCursor }
}

/** A record that was erased since has no author and no findings. */
async function addWork<Listed extends { readonly id: number }>(
  store: RowStore,
  records: readonly Listed[],
  signal: AbortSignal,
) {
  const work = requireRead(await store.listWorkRows({ ids: records.map(({ id }) => id) }, signal))
  const known = new Map(work.map((row) => [row.id, row]))
  return records.map((record) => {
    const { by = '', findings = [] } = known.get(record.id) ?? {}
    return { record, by, findings }
  })
}

export async function countList(store: ReadStore, list: KnownFilters, signal: AbortSignal): Promise<number> {
  const parsed = parseWorkList(new URLSearchParams(list))
  if (!parsed.ok) throw new Error(`not a list: ${JSON.stringify(list)}`)
  return requireRead(await store.list({ ...parsed.query, pageSize: 1, fields: ['id'] }, signal)).count
}

/**
 * The title of the event that a list is narrowed to: from its talks, or from the store if the list is empty. Null without
 * such a filter, or if the store cannot tell now; the list is shown all the same.
 */
export async function findListEvent(
  store: Pick<ReadStore, 'findCategory'>,
  filters: URLSearchParams,
  rows: readonly { readonly record: { readonly category: string } }[] | null,
): Promise<string | null> {
  const category = filters.get('category')
  if (category === null) return null
  const first = rows?.[0]?.record.category
  if (first !== undefined) return first
  const found = await store.findCategory({ slug: category, visibility: 'all' })
  return found === null || typeof found === 'string' ? null : found.row.title
}

/** As `findListEvent`, from the event of a talk that was opened in the list. */
export async function findEventOfTalk(
  store: Pick<ReadStore, 'findCategorySlugs'>,
  filters: URLSearchParams,
  title: string,
): Promise<string | null> {
  const category = filters.get('category')
  if (category === null || category === title) return category
  const slugs = await store.findCategorySlugs([title])
  return typeof slugs !== 'string' && slugs.get(title) === category ? title : null
}

export interface NextInList {
  /** Null at the end of the list. */
  readonly next: number | null
  /** How many records the list has now. */
  readonly count: number
}

/**
 * The record that follows this one in a work list, even if this one has left the list: records are compared by the
 * values of the order, not by position (decision 60). `shown` is the record as the list had it; without it, the stored
 * record is taken. An invalid list has no records. Everybody who sees pages of curators sees drafts.
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
  return { next: toIds(found).find((nextId) => nextId !== id) ?? null, count: found.count }
}

/** Two ids are never too large together. */
const toIds = ({ records }: ListPage) => (records ?? []).map((text) => fromBodyText(text).id)
