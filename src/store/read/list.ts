import { defaultOrder, type OrderStep } from '../../record/query/ordering.ts'
import type { FacetName, Filters, ListQuery } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import type { FacetCount, ListPage } from '../store.ts'
import { type CursorRow, type PageReader, type ReadBodies, rankIds, readPage, type SearchPart } from './list-page.ts'
import { toCursorColumns } from './list-sql.ts'
import { createMemo } from './memo.ts'
import type { Condition } from './statements.ts'

export interface ListNeeds {
  readonly db: Database
  /** Moves with every change of the store. */
  changesCounter(): number
  /** For pages of more than `alwaysAnswered` records. */
  readonly maxPageBytes?: number
  /** Called between the steps of a query; may throw to end it. */
  onStep?(): void
}

/** Which rows of the list to read. */
export interface PageWindow {
  readonly order: readonly OrderStep[]
  /** The number of matches. */
  readonly total: number
  readonly limit: number
  readonly offset: number
  /** Limits the rows to this range. */
  readonly range?: Condition | undefined
}

/** The SQL that differs between engines. `Filter` is the engine's form of a query's filters. */
export interface ListSql<Filter> {
  /** Null if nothing can match. */
  resolveFilter(filters: Filters, part: SearchPart): Promise<Filter | null>
  count(filter: Filter): Promise<number>
  /** These columns of `listing`, in order. */
  read(filter: Filter, columns: string, window: PageWindow): Promise<readonly object[]>
  /** Ids of the matches of a search, the most relevant first. */
  rank(filter: Filter, filters: Filters, limit: number, offset: number): Promise<number[]>
  readonly readBodies: ReadBodies
  countFacets(names: readonly FacetName[], filter: Filter): Promise<Facets>
}

/** Lists and searches. Counts and facets are memoised until the store changes. */
export function createListReader<Filter>(
  needs: ListNeeds,
  listSql: ListSql<Filter>,
): (query: ListQuery) => Promise<ListPage> {
  const counts = createMemo<number>(needs.changesCounter)
  const facets = createMemo<ListPage['facets']>(needs.changesCounter)

  const count = (filters: Filters, part: SearchPart, filter: Filter) =>
    counts(JSON.stringify([part, filters]), () => listSql.count(filter))

  function createPageReader(query: ListQuery, filter: Filter, total: number): PageReader {
    const { filters } = query
    const order = query.order ?? defaultOrder
    const findPart = async (part: SearchPart) => {
      // Not null here: the whole search is not.
      const some = (await listSql.resolveFilter(filters, part)) ?? filter
      return {
        count: () => count(filters, part, some),
        read: (window: Omit<PageWindow, 'order'>) => readIds(listSql, some, { order: defaultOrder, ...window }),
      }
    }
    return {
      readBodies: listSql.readBodies,
      readIds: (limit, offset) => readIds(listSql, filter, { order, total, limit, offset }),
      readRows: (limit, offset, range) => readCursorRows(listSql, filter, { order, total, limit, offset, range }),
      rank: (limit, offset) =>
        rankIds(total, limit, offset, { rankAll: () => listSql.rank(filter, filters, limit, offset), findPart }),
    }
  }

  async function countFacets({ facets: names, filters }: ListQuery, filter: Filter): Promise<ListPage['facets']> {
    if (names.length === 0) return null
    return facets(JSON.stringify([names, filters]), () => listSql.countFacets(names, filter))
  }

  // One transaction, so that count, page and facets come from the same snapshot.
  return (query) => needs.db.transaction('read', () => read(query))

  async function read(query: ListQuery): Promise<ListPage> {
    const filter = await listSql.resolveFilter(query.filters, 'all')
    if (filter === null) return toEmptyPage(query)
    const uncounted = await readUncounted(query, createPageReader(query, filter, 0))
    if (uncounted !== null) return uncounted
    const total = await count(query.filters, 'all', filter)
    const page = await readPage(query, total, createPageReader(query, filter, total))
    return { count: total, ...page, facets: await countFacets(query, filter) }
  }
}

async function readIds<Filter>(listSql: ListSql<Filter>, filter: Filter, window: PageWindow): Promise<number[]> {
  // `id` is the only column selected.
  const rows = (await listSql.read(filter, 'id', window)) as { readonly id: number }[]
  return rows.map(({ id }) => id)
}

async function readCursorRows<Filter>(
  listSql: ListSql<Filter>,
  filter: Filter,
  window: PageWindow,
): Promise<CursorRow[]> {
  const rows = await listSql.read(filter, toCursorColumns(window.order), window)
  // The selected columns are the id and those of the order.
  return rows.map((row) => Object.values(row) as CursorRow)
}

/** If only a few records can match, a first page that is not full has them all, and needs no count. */
async function readUncounted(query: ListQuery, reader: PageReader): Promise<ListPage | null> {
  const { page, pageSize, fields, filters, facets } = query
  if (!matchesFew(filters) || page !== 1 || facets.length > 0 || filters.search !== undefined) return null
  const ids = await reader.readIds(pageSize, 0)
  if (ids.length === pageSize) return null
  return { count: ids.length, page, records: await reader.readBodies(ids, fields), nextCursor: null, facets: null }
}

/** Filters that only a few records can match. */
export const matchesFew = ({ ids, sourceUrl }: Filters) => ids !== undefined || sourceUrl !== undefined

function toEmptyPage({ page, facets }: ListQuery): ListPage {
  const number = page === 'last' ? 1 : page
  return {
    count: 0,
    page: typeof number === 'object' ? null : number,
    records: [],
    nextCursor: null,
    facets: facets.length === 0 ? null : Object.fromEntries(facets.map((name) => [name, []])),
  }
}

/** The most frequent values of each facet. */
export type Facets = { readonly [name: string]: readonly FacetCount[] }

export const maxFacetValues = 100

/** Facets with a table of the same name: its column with the text. */
export const nameColumns: { readonly [F in FacetName]?: string } = { category: 'title', speaker: 'name', tag: 'name' }
