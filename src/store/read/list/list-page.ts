import type { FieldName } from '../../../record/fields.ts'
import { type Cursor, type CursorValues, defaultOrder, toCursorText } from '../../../record/query/ordering.ts'
import type { ListQuery } from '../../../record/query/query.ts'
import { fromBodyText, toPartText } from '../../../record/record.ts'
import type { RankedMatches } from '../../search/ranked-search.ts'
import type { ListPage } from '../../store.ts'
import type { Condition } from '../statements.ts'
import { toRangesAfter } from './list-sql.ts'

/** Reads the matches of one query. */
export interface PageReader {
  /** In the query's order. */
  readIds(limit: number, offset: number, range?: Condition): Promise<number[]>
  /** The most relevant first. */
  rank(limit: number, offset: number): Promise<number[]>
  /** The values by which a cursor goes on after a record. */
  readCursor(id: number): Promise<CursorValues>
  readonly readBodies: ReadBodies
}

type Page = Omit<ListPage, 'count' | 'facets'>

export async function readPage(query: ListQuery, total: number, reader: PageReader): Promise<Page> {
  const { page, pageSize } = query
  if (typeof page === 'object') {
    return isRanked(query)
      ? await readRankedPage(query, total, page, reader)
      : await readCursorPage(query, total, page, reader)
  }
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const number = page === 'last' ? lastPage : page
  const read = isRanked(query) ? reader.rank : reader.readIds
  const ids = number > lastPage || total === 0 ? [] : await read(pageSize, (number - 1) * pageSize)
  return { page: number, records: await reader.readBodies(ids, query.fields), nextCursor: null }
}

/** Relevance is not a column, so the cursor of a search is an offset. */
async function readRankedPage(query: ListQuery, total: number, cursor: Cursor, reader: PageReader): Promise<Page> {
  const { pageSize, fields } = query
  const offset = cursor.is === 'skip' ? cursor.count : 0
  const ids = await reader.rank(pageSize, offset)
  const end = offset + ids.length
  const nextCursor = end < total ? toCursorText(query.order ?? defaultOrder, { is: 'skip', count: end }) : null
  return { page: null, records: await reader.readBodies(ids, fields), nextCursor }
}

/** Reads one id more than the page has, to know whether there is a next page. */
async function readCursorPage(query: ListQuery, total: number, cursor: Cursor, reader: PageReader): Promise<Page> {
  const { pageSize, fields } = query
  if (total === 0) return { page: null, records: [], nextCursor: null }
  const order = query.order ?? defaultOrder
  const found =
    cursor.is === 'after'
      ? await readRanges(toRangesAfter(order, cursor.values), pageSize + 1, reader)
      : await reader.readIds(pageSize + 1, cursor.is === 'skip' ? cursor.count : 0)
  const ids = found.slice(0, pageSize)
  const last = found.length > pageSize ? ids.at(-1) : undefined
  const nextCursor =
    last === undefined ? null : toCursorText(order, { is: 'after', values: await reader.readCursor(last) })
  return { page: null, records: await reader.readBodies(ids, fields), nextCursor }
}

/** One range after the other, until there are enough ids. */
async function readRanges(ranges: readonly Condition[], limit: number, reader: PageReader): Promise<number[]> {
  const ids: number[] = []
  for (const range of ranges) {
    if (ids.length < limit) ids.push(...(await reader.readIds(limit - ids.length, 0, range)))
  }
  return ids
}

/** Stored bodies in the order of the ids, or only these fields of them; null if together they are too large. */
export type ReadBodies = (
  ids: readonly number[],
  fields: readonly FieldName[] | null,
) => Promise<readonly string[] | null>

/** A page is in memory several times until it is sent; a hundred records usually have less than 1 MiB. */
export const defaultPageBytes = 8 * 1024 * 1024
/** A page of the default size is returned regardless of its bytes. */
export const alwaysAnswered = 20

/** Parses bodies only to select fields; null if together they are too large. */
export async function takeBodies(
  texts: Iterable<string> | AsyncIterable<string>,
  fields: readonly FieldName[] | null,
  maxBytes: number,
): Promise<readonly string[] | null> {
  const parts: string[] = []
  let length = 0
  for await (const text of texts) {
    const part = fields === null ? text : toPartText(fromBodyText(text), fields)
    length += part.length
    if (length > maxBytes) return null
    parts.push(part)
  }
  return parts
}

/** Without `ordering`, a search is ranked by relevance. */
export const isRanked = ({ order, filters }: ListQuery) => order === null && (filters.search?.all.length ?? 0) > 0

/** How many of the best matches lie before the end of a page. */
export function toRankedEnd({ order, page, pageSize }: ListQuery): number {
  if (order !== null) return 0
  if (page === 'last') return Number.POSITIVE_INFINITY
  if (typeof page === 'number') return page * pageSize
  return (page.is === 'skip' ? page.count : 0) + pageSize
}

/** What only `match=best` adds to a page. */
export function toBestMembers({
  isPartial,
  corrected,
  hits,
}: RankedMatches): Pick<ListPage, 'countIs' | 'corrected' | 'hits'> {
  return {
    hits,
    ...(isPartial ? { countIs: 'at_least' } : {}),
    ...(Object.keys(corrected).length === 0 ? {} : { corrected }),
  }
}
