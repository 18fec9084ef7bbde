import { defaultOrder, type OrderStep, toKnownOrder } from '../../../record/query/ordering.ts'
import type { Filters, ListQuery } from '../../../record/query/query.ts'
import type { Search } from '../../../record/text/search-text.ts'
import type { SlotSet } from '../../columns/slots.ts'
import type { Database } from '../../database.ts'
import type { MemoryIndexes } from '../../search/memory-indexes.ts'
import type { ListPage } from '../../store.ts'
import { createMemo } from '../memo.ts'
import { createFilterResolver } from '../names/current-entries.ts'
import type { Condition } from '../statements.ts'
import { isRanked, type PageReader, type ReadBodies, readPage, toBestMembers, toRankedEnd } from './list-page.ts'
import { ListRows, type ListSql } from './list-rows.ts'

export interface ListDeps {
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

export interface ListReaderSql extends ListSql {
  readonly readBodies: ReadBodies
}

/** Count, page and facets of one list use the same sets, of one byte per record. */
const maxSets = 4
/** SQL sorts so many ids in half a millisecond. */
const maxSorted = 500
/** More records of the same days are sorted by the index. */
const maxOfDays = 20_000
const withoutDay: Condition = { sql: 'recorded IS NULL', values: [] }

/**
 * Lists and searches. The columns find the matches and count them; SQL sorts a few ids and reads the records of the page.
 * Until the columns are loaded, plain SQL does it all (decision 75).
 */
class ListReader {
  readonly #deps: ListDeps
  readonly #indexes: MemoryIndexes
  readonly #readBodies: ReadBodies
  readonly #rows: ListRows
  readonly #resolve: (filters: Filters) => Promise<Filters>
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  #changes: number
  readonly #counts = createMemo<number>(() => this.#changes)
  readonly #sets = createMemo<SlotSet>(() => this.#changes, maxSets)
  readonly #facets = createMemo<ListPage['facets']>(() => this.#changes)

  constructor(deps: ListDeps, indexes: MemoryIndexes, sql: ListReaderSql) {
    this.#deps = deps
    this.#indexes = indexes
    this.#readBodies = sql.readBodies
    this.#rows = new ListRows(deps.db, sql, deps.onStep)
    this.#resolve = createFilterResolver(deps.db)
    this.#changes = deps.changesCounter()
  }

  /** In one transaction, so that count, page and facets come from the same snapshot. */
  list(query: ListQuery): Promise<ListPage> {
    this.#changes = this.#deps.changesCounter()
    const order = toKnownOrder(query.order)
    return this.#deps.db.transaction('read', async () =>
      this.#read({ ...query, order, filters: await this.#resolve(query.filters) }),
    )
  }

  async #read(query: ListQuery): Promise<ListPage> {
    const { search, ...others } = query.filters
    if (query.match === 'best' && search !== undefined && search.all.length > 0) {
      return this.#readBest(query, search, others)
    }
    const { columns } = this.#indexes
    // Bodies come from this snapshot, so the columns must not be older: a record may just have become a draft.
    await columns.refresh()
    if (!columns.isComplete() && needsColumns(query)) await columns.loadAll()
    return columns.isComplete() ? this.#readSet(query) : this.#readPlain(query)
  }

  /** By SQL alone. */
  async #readPlain(query: ListQuery): Promise<ListPage> {
    const { filters } = query
    const order = query.order ?? defaultOrder
    const count = await this.#counts(JSON.stringify(filters), () => this.#rows.count(filters))
    const readIds: PageReader['readIds'] = (limit, offset, range) =>
      this.#rows.find(filters, { order, limit, offset, range })
    const page = await readPage(query, count, this.#toReader(order, readIds, readIds))
    return { count, ...page, ...(isRanked(query) ? { isProvisional: true } : {}), facets: null }
  }

  async #readSet(query: ListQuery): Promise<ListPage> {
    const { columns, wordsLoader } = this.#indexes
    const { filters, facets: names, maxFacetNames } = query
    const key = `${columns.revision()} ${JSON.stringify(filters)}`
    const set = await this.#sets(key, () => columns.select(filters))
    const order = query.order ?? defaultOrder
    const rank: PageReader['rank'] = (limit, offset) => this.#rank(filters, set, limit, offset)
    const page = await readPage(query, set.count, this.#toReader(order, this.#toReadIds(set, order), rank))
    const isProvisional = isRanked(query) && !wordsLoader.isComplete()
    const facets =
      names.length === 0
        ? null
        : await this.#facets(JSON.stringify([names, maxFacetNames, key]), () =>
            columns.countFacets(names, set, maxFacetNames),
          )
    return { count: set.count, ...page, ...(isProvisional ? { isProvisional } : {}), facets }
  }

  /** The records that have most of the words, best first. */
  async #readBest(query: ListQuery, search: Search, filters: Filters): Promise<ListPage> {
    const { columns, ranked } = this.#indexes
    const { facets: names, maxFacetNames } = query
    const found = await ranked.find(search, filters, toRankedEnd(query))
    const set = found.toSlotSet()
    const order = query.order ?? defaultOrder
    const rank: PageReader['rank'] = async (limit, offset) => found.take(offset, limit)
    return {
      count: found.count,
      ...(await readPage(query, found.count, this.#toReader(order, this.#toReadIds(set, order), rank))),
      facets: names.length === 0 ? null : await columns.countFacets(names, set, maxFacetNames),
      ...toBestMembers(found),
    }
  }

  #toReader(order: readonly OrderStep[], readIds: PageReader['readIds'], rank: PageReader['rank']): PageReader {
    return { readIds, rank, readCursor: (id) => this.#rows.readCursor(id, order), readBodies: this.#readBodies }
  }

  /** Pages of a set: SQL sorts its ids if they are few, or those of the page's days, or walks through all records. */
  #toReadIds(set: SlotSet, order: readonly OrderStep[]): PageReader['readIds'] {
    const { columns } = this.#indexes
    const isMatch = (id: number) => set.flags[columns.toSlot(id)] === 1
    return async (limit, offset, range) => {
      const window = { order, limit, offset, range }
      if (set.count <= maxSorted) return this.#rows.sort(columns.listIds(set), window)
      if (order === defaultOrder && range === undefined) {
        const { ids, before, areUnknown } = columns.findDays(set, limit, offset)
        const within = { ...window, offset: offset - before }
        if (areUnknown && ids.length > maxSorted) return this.#rows.walk(isMatch, { ...within, range: withoutDay })
        if (ids.length <= maxOfDays) return this.#rows.sort(ids, within)
      }
      return this.#rows.walk(isMatch, window)
    }
  }

  /** The most relevant first. Records whose words are not known yet, or match in another way, follow in the default order. */
  async #rank({ search, visibility }: Filters, set: SlotSet, limit: number, offset: number): Promise<number[]> {
    if (search === undefined) return []
    const { take, rest } = await this.#indexes.ranked.order(search, visibility, set, offset + limit)
    const page = take(offset, limit)
    if (page.length === limit || rest.count === 0) return page
    const restOffset = Math.max(0, offset - (set.count - rest.count))
    return [...page, ...(await this.#toReadIds(rest, defaultOrder)(limit - page.length, restOffset))]
  }
}

/**
 * Facets are counted in the columns only. Several parts of names may take SQLite seconds, in which it cannot be interrupted
 * (decision 28).
 */
const needsColumns = ({ facets, filters: { speakers, tags } }: ListQuery) =>
  facets.length > 0 || speakers.length + tags.length > 1

export function createListReader(
  deps: ListDeps,
  indexes: MemoryIndexes,
  sql: ListReaderSql,
): (query: ListQuery) => Promise<ListPage> {
  const reader = new ListReader(deps, indexes, sql)
  return (query) => reader.list(query)
}
