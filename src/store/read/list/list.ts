import { defaultOrder, type OrderStep, toKnownOrder } from '../../../record/query/ordering.ts'
import type { Filters, ListQuery } from '../../../record/query/query.ts'
import type { Search } from '../../../record/text/search-text.ts'
import type { Database } from '../../database.ts'
import type { MemoryIndexes } from '../../search/memory-indexes.ts'
import type { RankedMatches } from '../../search/ranked-search.ts'
import type { ListPage } from '../../store.ts'
import { createMemo } from '../memo.ts'
import { createFilterResolver } from '../names/current-entries.ts'
import type { Condition } from '../statements.ts'
import { createColumnMatches, type MatchSql } from './column-matches.ts'
import { hasIdSets, hasUnindexed, isEmpty, matchesFew } from './filter-kinds.ts'
import {
  type CursorRow,
  isRanked,
  type PageReader,
  type ReadBodies,
  readPage,
  readUncounted,
  toBestMembers,
  toRankedEnd,
} from './list-page.ts'
import { toCursorColumns } from './list-sql.ts'

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
  resolveFilter(filters: Filters): Promise<Filter | null>
  /** Only these ids. */
  restrict(filter: Filter, ids: readonly number[]): Filter
  count(filter: Filter): Promise<number>
  /** These columns of `listing`, in order. */
  read(filter: Filter, columns: string, window: PageWindow): Promise<readonly object[]>
  readonly readBodies: ReadBodies
  /** Whether `read` scans an index of the order if the total says that the page is soon full. */
  readonly scansInOrder: boolean
}

/** Rows that SQL scans in 1 ms; the columns take as long for 100,000 records. */
const maxScanned = 1_000

/**
 * Lists and searches. Counts and facets come from the columns; until these are loaded, SQL counts, and facets wait for
 * them (ADR 43). Both are memoised until the store changes.
 */
export function createListReader<Filter>(
  needs: ListNeeds,
  { columns, ranked, wordsLoader }: MemoryIndexes,
  listSql: ListSql<Filter>,
): (query: ListQuery) => Promise<ListPage> {
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  let changes = needs.changesCounter()
  const counts = createMemo<number>(() => changes)
  const facets = createMemo<ListPage['facets']>(() => changes)
  const resolve = createFilterResolver(needs.db)
  const matches = createColumnMatches(columns, listSql, () => changes)

  /** Whether the columns can answer. Probing a few records by SQL is cheaper. */
  async function isInColumns(filters: Filters): Promise<boolean> {
    if (matchesFew(filters)) return false
    await columns.refresh()
    return columns.isComplete()
  }

  async function countInColumns(filters: Filters): Promise<number> {
    const tallied = filters.search === undefined ? await columns.tally(filters) : null
    if (tallied !== null || isEmpty(filters)) return tallied ?? 0
    return (await matches.find(filters))?.count ?? 0
  }

  const count = (filters: Filters, findFilter: FindFilter<Filter>) =>
    counts(JSON.stringify(filters), async () => {
      if (await isInColumns(filters)) return countInColumns(filters)
      const filter = await findFilter()
      return filter === null ? 0 : listSql.count(filter)
    })

  /**
   * Whether a page of the default order is found in the columns: if SQL has to collect sets of ids, or to look at many
   * rows. `share`: of all matches, those up to the end of the page.
   */
  function isSortedInColumns(filters: Filters, share: number): boolean {
    if (hasIdSets(filters)) return true
    return hasUnindexed(filters) && (!listSql.scansInOrder || share * columns.slotEnd() > maxScanned)
  }

  /** A page of the default order, if the columns can sort the matches; otherwise null. */
  async function readByDay(filters: Filters, limit: number, offset: number) {
    const slots = (await isInColumns(filters)) ? await matches.find(filters) : null
    return slots === null ? null : matches.readPage(slots, limit, offset)
  }

  /** The most relevant first, or null while the columns are being loaded. */
  async function rank(filters: Filters, limit: number, offset: number): Promise<number[] | null> {
    await columns.refresh()
    const { search, visibility } = filters
    if (!columns.isComplete() || search === undefined) return null
    const slots = await matches.find(filters)
    if (slots === null) return []
    const { take, rest } = await ranked.order(search, visibility, slots, offset + limit)
    const page = take(offset, limit)
    if (page.length === limit || rest.count === 0) return page
    // Records whose words are not known yet, or match in another way, follow in the default order.
    const restOffset = Math.max(0, offset - (slots.count - rest.count))
    return [...page, ...((await matches.readPage(rest, limit - page.length, restOffset)) ?? [])]
  }

  /** Few matches by columns without an index are known by id: SQL would look at every row to find them. */
  async function restrictFew(filters: Filters, findFilter: FindFilter<Filter>, total: number): Promise<Filter | null> {
    const filter = await findFilter()
    const areKnown = filter !== null && total <= maxScanned && hasUnindexed(filters) && (await isInColumns(filters))
    const slots = areKnown ? await matches.find(filters) : null
    return slots === null || filter === null ? filter : listSql.restrict(filter, matches.listIds(slots))
  }

  /** `areKnown`: the filter has the ids of the matches, which the columns cannot find by the filters of the query. */
  function createPageReader(
    query: ListQuery,
    findFilter: FindFilter<Filter>,
    total: number,
    areKnown = false,
  ): PageReader {
    const { filters } = query
    const order = query.order ?? defaultOrder
    const findRows = areKnown ? findFilter : once(() => restrictFew(filters, findFilter, total))
    return {
      readBodies: listSql.readBodies,
      async readIds(limit, offset) {
        const isSorted = !areKnown && order === defaultOrder && isSortedInColumns(filters, (offset + limit) / total)
        const sorted = isSorted ? await readByDay(filters, limit, offset) : null
        return sorted ?? readIds(listSql, await findRows(), { order, total, limit, offset })
      },
      readRows: async (limit, offset, range) =>
        readCursorRows(listSql, await findRows(), { order, total, limit, offset, range }),
      rank: async (limit, offset) =>
        (await rank(filters, limit, offset)) ?? readIds(listSql, await findFilter(), { order, total, limit, offset }),
    }
  }

  async function countFacets({ facets: names, maxFacetNames: max, filters }: ListQuery): Promise<ListPage['facets']> {
    if (names.length === 0) return null
    return facets(JSON.stringify([names, max, filters]), async () => {
      await columns.refresh()
      if (!columns.isComplete()) await columns.loadAll()
      const slots = isEmpty(filters) ? null : await matches.find(filters)
      if (slots === null) return Object.fromEntries(names.map((name) => [name, []]))
      return columns.countFacets(names, slots, max)
    })
  }

  return (query) => {
    changes = needs.changesCounter()
    // One transaction, so that count, page and facets come from the same snapshot.
    const order = toKnownOrder(query.order)
    return needs.db.transaction('read', async () => read({ ...query, order, filters: await resolve(query.filters) }))
  }

  async function read(query: ListQuery): Promise<ListPage> {
    const { search, ...filters } = query.filters
    if (query.match === 'best' && search !== undefined && search.all.length > 0) return readBest(query, search, filters)
    const findFilter = once(() => listSql.resolveFilter(query.filters))
    const uncounted = await readUncounted(query, createPageReader(query, findFilter, 0))
    if (uncounted !== null) return uncounted
    const total = await count(query.filters, findFilter)
    const page = await readPage(query, total, createPageReader(query, findFilter, total))
    const isProvisional = isRanked(query) && !(columns.isComplete() && wordsLoader.isComplete())
    return { count: total, ...page, ...(isProvisional ? { isProvisional } : {}), facets: await countFacets(query) }
  }

  /** The records that have most of the words, best first. */
  async function readBest(query: ListQuery, search: Search, filters: Filters): Promise<ListPage> {
    const found = await ranked.find(search, filters, toRankedEnd(query), listSql.findMatches)
    const { facets: names, maxFacetNames: max } = query
    return {
      count: found.count,
      ...(await readPage(query, found.count, createBestReader(query, filters, found))),
      facets: names.length === 0 ? null : await columns.countFacets(names, found.toSlotSet(), max),
      ...toBestMembers(found),
    }
  }

  function createBestReader(query: ListQuery, filters: Filters, found: RankedMatches): PageReader {
    const rank = async (limit: number, offset: number) => found.take(offset, limit)
    const findFilter = once(async () => {
      const filter = await listSql.resolveFilter(filters)
      return filter === null ? null : listSql.restrict(filter, found.listIds())
    })
    return { ...createPageReader(query, findFilter, found.count, true), rank }
  }
}

/** Null if nothing can match. */
type FindFilter<Filter> = () => Promise<Filter | null>

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}

async function readIds<Filter>(listSql: ListSql<Filter>, filter: Filter | null, window: PageWindow): Promise<number[]> {
  if (filter === null) return []
  // `id` is the only column selected.
  const rows = (await listSql.read(filter, 'id', window)) as { readonly id: number }[]
  return rows.map(({ id }) => id)
}

async function readCursorRows<Filter>(
  listSql: ListSql<Filter>,
  filter: Filter | null,
  window: PageWindow,
): Promise<CursorRow[]> {
  if (filter === null) return []
  const rows = await listSql.read(filter, toCursorColumns(window.order), window)
  // The selected columns are the id and those of the order.
  return rows.map((row) => Object.values(row) as CursorRow)
}
