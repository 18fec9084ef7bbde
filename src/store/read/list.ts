import { defaultOrder, type OrderStep } from '../../record/query/ordering.ts'
import type { Filters, ListQuery } from '../../record/query/query.ts'
import type { SlotSet } from '../columns/select.ts'
import type { Database } from '../database.ts'
import type { MemoryIndexes, RankedMatches } from '../search/ranked-search.ts'
import type { ListPage } from '../store.ts'
import { createColumnMatches, type MatchSql } from './column-matches.ts'
import {
  type CursorRow,
  type PageReader,
  type RankedPart,
  type ReadBodies,
  rankIds,
  readPage,
  type SearchPart,
} from './list-page.ts'
import { toCursorColumns } from './list-sql.ts'
import { createMemo } from './memo.ts'
import type { Condition } from './statements.ts'

export interface ListNeeds {
  readonly db: Database
  /** Without them, the list loads indexes of its own on demand. */
  readonly indexes?: MemoryIndexes
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
export interface ListSql<Filter> extends MatchSql {
  /** Null if nothing can match. */
  resolveFilter(filters: Filters, part: SearchPart): Promise<Filter | null>
  /** Only these ids. */
  restrict(filter: Filter, ids: readonly number[]): Filter
  count(filter: Filter): Promise<number>
  /** These columns of `listing`, in order. */
  read(filter: Filter, columns: string, window: PageWindow): Promise<readonly object[]>
  /** Ids of the matches of a search, the most relevant first. */
  rank(filter: Filter, filters: Filters, limit: number, offset: number): Promise<number[]>
  readonly readBodies: ReadBodies
}

/**
 * Lists and searches. Counts and facets come from the columns; until these are loaded, SQL counts, and facets wait for
 * them (ADR 43). Both are memoised until the store changes.
 */
export function createListReader<Filter>(
  needs: ListNeeds,
  { columns, ranked }: MemoryIndexes,
  listSql: ListSql<Filter>,
): (query: ListQuery) => Promise<ListPage> {
  const counts = createMemo<number>(needs.changesCounter)
  const facets = createMemo<ListPage['facets']>(needs.changesCounter)
  const matches = createColumnMatches(columns, listSql)

  /** Whether the columns can answer. Probing a few records by SQL is cheaper. */
  async function isInColumns(filters: Filters): Promise<boolean> {
    if (matchesFew(filters)) return false
    await columns.refresh()
    return columns.isComplete()
  }

  async function countInColumns(filters: Filters, part: SearchPart): Promise<number> {
    return filters.search === undefined ? columns.count(filters) : ((await matches.find(filters, part))?.count ?? 0)
  }

  const count = (filters: Filters, part: SearchPart, filter: Filter) =>
    counts(JSON.stringify([part, filters]), async () =>
      (await isInColumns(filters)) ? countInColumns(filters, part) : listSql.count(filter),
    )

  /** A part of a search, whose matches are sorted by day in the columns if possible. */
  async function findPart(filters: Filters, part: SearchPart, all: Filter): Promise<RankedPart> {
    const slots = (await isInColumns(filters)) ? await matches.find(filters, part) : null
    // Not null here: the whole search is not.
    const findFilter = async () => (await listSql.resolveFilter(filters, part)) ?? all
    const readBySql = async (window: Omit<PageWindow, 'order'>) =>
      readIds(listSql, await findFilter(), { order: defaultOrder, ...window })
    if (slots === null) return { count: async () => count(filters, part, await findFilter()), read: readBySql }
    return {
      count: async () => slots.count,
      read: async (window) => (await matches.readPage(slots, window.limit, window.offset)) ?? readBySql(window),
    }
  }

  function createPageReader(query: ListQuery, filter: Filter, total: number): PageReader {
    const { filters } = query
    const order = query.order ?? defaultOrder
    return {
      readBodies: listSql.readBodies,
      readIds: (limit, offset) => readIds(listSql, filter, { order, total, limit, offset }),
      readRows: (limit, offset, range) => readCursorRows(listSql, filter, { order, total, limit, offset, range }),
      rank: (limit, offset) =>
        rankIds(total, limit, offset, {
          rankAll: () => listSql.rank(filter, filters, limit, offset),
          findPart: (part) => findPart(filters, part, filter),
        }),
    }
  }

  async function countFacets({ facets: names, filters }: ListQuery): Promise<ListPage['facets']> {
    if (names.length === 0) return null
    return facets(JSON.stringify([names, filters]), async () => {
      await columns.refresh()
      if (!columns.isComplete()) await columns.loadAll()
      const slots: SlotSet | null = await matches.find(filters, 'all')
      return slots === null ? toEmptyFacets(names) : columns.countFacets(names, slots)
    })
  }

  // One transaction, so that count, page and facets come from the same snapshot.
  return (query) => needs.db.transaction('read', () => read(query))

  async function read(query: ListQuery): Promise<ListPage> {
    if (query.match === 'best' && (query.filters.search?.all.length ?? 0) > 0) return readBest(query, query.filters)
    const filter = await listSql.resolveFilter(query.filters, 'all')
    if (filter === null) return toEmptyPage(query)
    const uncounted = await readUncounted(query, createPageReader(query, filter, 0))
    if (uncounted !== null) return uncounted
    const total = await count(query.filters, 'all', filter)
    const page = await readPage(query, total, createPageReader(query, filter, total))
    return { count: total, ...page, facets: await countFacets(query) }
  }

  /** The records that have most of the words, best first. */
  async function readBest(query: ListQuery, { search, ...filters }: Filters): Promise<ListPage> {
    const found = search === undefined ? null : await ranked.find(search, filters, listSql.findMatches)
    if (found === null || found.count === 0) return { ...toEmptyPage(query), ...toBestMembers(found) }
    const { facets: names } = query
    return {
      count: found.count,
      ...(await readPage(query, found.count, await createBestReader(query, filters, found))),
      facets: names.length === 0 ? null : await columns.countFacets(names, found.toSlotSet()),
      ...toBestMembers(found),
    }
  }

  async function createBestReader(query: ListQuery, filters: Filters, found: RankedMatches): Promise<PageReader> {
    const rank = async (limit: number, offset: number) => found.takeBest(limit, offset)
    const filter = query.order === null ? null : await listSql.resolveFilter(filters, 'all')
    if (filter === null) return { readBodies: listSql.readBodies, rank, readIds: rank, readRows: async () => [] }
    return { ...createPageReader(query, listSql.restrict(filter, found.listIds()), found.count), rank }
  }
}

/** What only `match=best` adds to a page. */
function toBestMembers(found: RankedMatches | null): Pick<ListPage, 'countIs' | 'corrected' | 'hits'> {
  if (found === null) return {}
  const { isPartial, corrected, hits } = found
  return {
    hits,
    ...(isPartial ? { countIs: 'at_least' } : {}),
    ...(Object.keys(corrected).length === 0 ? {} : { corrected }),
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
    facets: facets.length === 0 ? null : toEmptyFacets(facets),
  }
}

const toEmptyFacets = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]))
