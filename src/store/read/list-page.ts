import type { FieldName } from '../../record/fields.ts'
import { type Cursor, type CursorValues, toCursorText } from '../../record/query/cursor.ts'
import { defaultOrder } from '../../record/query/ordering.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { ListPage } from '../store.ts'
import type { Stretch } from './order.ts'

/** A record's id, and the values that a cursor needs of it. */
export type CursorRow = [id: number, ...values: (string | number | null)[]]

/** What the engine can read of the records that a query is about. */
export interface PageReader {
  /** In the query's order. */
  readIds(limit: number, offset: number): number[]
  /** The same with what a cursor needs, which costs more to read. */
  read(limit: number, offset: number): CursorRow[]
  readAfter(limit: number, after: CursorValues): CursorRow[]
  /** Best first. */
  rank(limit: number, offset: number): number[]
  toBodies(ids: readonly number[], fields: readonly FieldName[] | null): readonly string[] | null
}

type Page = Omit<ListPage, 'count' | 'facets'>

export function readPage(query: ListQuery, total: number, reader: PageReader): Page {
  const { page, pageSize } = query
  if (typeof page === 'object') return readCursorPage(query, total, page, reader)
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const number = page === 'last' ? lastPage : page
  const ids = number > lastPage || total === 0 ? [] : readIds(query, reader, pageSize, (number - 1) * pageSize)
  return { page: number, records: reader.toBodies(ids, query.fields), nextCursor: null }
}

/** Without an order of its own, a search has its best first. */
const isRanked = ({ order, filters }: ListQuery) => order === null && (filters.search?.all.length ?? 0) > 0

function readIds(query: ListQuery, reader: PageReader, limit: number, offset: number): number[] {
  return isRanked(query) ? reader.rank(limit, offset) : reader.readIds(limit, offset)
}

function readCursorPage(query: ListQuery, total: number, cursor: Cursor, reader: PageReader): Page {
  const { pageSize, fields } = query
  const order = query.order ?? defaultOrder
  const skipped = cursor.is === 'skip' ? cursor.count : 0
  if (isRanked(query)) {
    const ids = reader.rank(pageSize, skipped)
    const next = skipped + ids.length < total ? toCursorText(order, { is: 'skip', count: skipped + ids.length }) : null
    return { page: null, records: reader.toBodies(ids, fields), nextCursor: next }
  }
  const limit = pageSize + 1
  const found = cursor.is === 'after' ? reader.readAfter(limit, cursor.values) : reader.read(limit, skipped)
  const rows = found.slice(0, pageSize)
  const last = found.length > pageSize ? rows.at(-1) : undefined
  const next = last === undefined ? null : toCursorText(order, { is: 'after', values: last.slice(1) })
  return { page: null, records: reader.toBodies(rows.map(toRowId), fields), nextCursor: next }
}

/** One after the other, until there are enough. */
export function readStretches(
  stretches: readonly Stretch[],
  limit: number,
  read: (stretch: Stretch, limit: number) => CursorRow[],
): CursorRow[] {
  const rows: CursorRow[] = []
  for (const stretch of stretches) {
    if (rows.length < limit) rows.push(...read(stretch, limit - rows.length))
  }
  return rows
}

export const toRowId = (row: CursorRow) => row[0]
