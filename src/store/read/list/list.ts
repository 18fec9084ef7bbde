import type { FieldName } from '../../../record/fields.ts'
import {
  type Cursor,
  type CursorValues,
  defaultOrder,
  type OrderStep,
  toCursorText,
} from '../../../record/query/ordering.ts'
import type { Filters, ListQuery } from '../../../record/query/query.ts'
import { fromBodyText, toPartText } from '../../../record/record.ts'
import type { Search } from '../../../record/text/search-text.ts'
import type { SlotSet } from '../../columns/slots.ts'
import type { Database } from '../../database.ts'
import type { CountedAfter, ListPage } from '../../list-reads.ts'
import type { BestMembers } from '../../search/matches.ts'
import type { MemoryIndexes } from '../../search/memory-indexes.ts'
import type { RankedMatches } from '../../search/ranked-search.ts'
import { createMemo } from '../memo.ts'
import { createFilterResolver } from '../names/current-entries.ts'
import type { Condition } from '../statements.ts'
import { ListRows, type ListSql } from './list-rows.ts'
import { toRangesAfter } from './list-sql.ts'

export interface ListDeps {
  readonly db: Database
  /** Without them, the list loads its own indexes on demand. */
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

export function createListReader(
  deps: ListDeps,
  indexes: MemoryIndexes,
  sql: ListReaderSql,
): (query: ListQuery) => Promise<ListPage> {
  const reader = new ListReader(deps, indexes, sql)
  return (query) => reader.list(query)
}

/** Counts the records of a list that come after its cursor. */
export function createAfterCounter(
  deps: ListDeps,
  indexes: MemoryIndexes,
  sql: ListReaderSql,
): (query: ListQuery) => Promise<CountedAfter> {
  const reader = new ListReader(deps, indexes, sql)
  return (query) => reader.countAfter(query)
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

/** Count, page and facets of one list use the same sets; a set takes one byte per record. */
const maxSets = 4
/** SQL sorts this many ids in half a millisecond. */
const maxSorted = 500
/** More records of the same days are sorted by the index. */
const maxOfDays = 20_000
const withoutDay: Condition = { sql: 'recorded IS NULL', values: [] }

/**
 * Lists and searches. The columns find the matches and count them; SQL sorts a few ids and reads the records of the page.
 * Until the columns are loaded, plain SQL does all of it (decision 75).
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
    return this.#deps.db.transaction('read', async () =>
      this.#read({ ...query, filters: await this.#resolve(query.filters) }),
    )
  }

  countAfter({ filters, order: given, page }: ListQuery): Promise<CountedAfter> {
    this.#changes = this.#deps.changesCounter()
    const order = given ?? defaultOrder
    return this.#deps.db.transaction('read', async () => {
      const { columns } = this.#indexes
      await columns.refresh()
      if (!columns.isComplete()) await columns.loadAll()
      const set = await columns.select(await this.#resolve(filters))
      const readIds = this.#toReadIds(set, order)
      const ranges = typeof page === 'object' && page.is === 'after' ? toRangesAfter(order, page.values) : []
      let after = 0
      for (const range of ranges) after += (await readIds(set.count, 0, range)).length
      return { count: set.count, after }
    })
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
    const kinds = query.hasFileKinds === true ? { fileKinds: columns.listFileKinds(set) } : {}
    return { count: set.count, ...page, ...(isProvisional ? { isProvisional } : {}), ...kinds, facets }
  }

  /** The records that have all words, or if they are few, some of them; best first. */
  async #readBest(query: ListQuery, search: Search, filters: Filters): Promise<ListPage> {
    const { columns, ranked, wordsLoader } = this.#indexes
    const { facets: names, maxFacetNames } = query
    const found = await ranked.find(search, filters, toRankedEnd(query))
    const set = found.toSlotSet()
    const order = query.order ?? defaultOrder
    const rank: PageReader['rank'] = async (limit, offset) => found.take(offset, limit)
    return {
      count: found.count,
      ...(await readPage(query, found.count, this.#toReader(order, this.#toReadIds(set, order), rank))),
      facets: names.length === 0 ? null : await columns.countFacets(names, set, maxFacetNames),
      ...(query.hasFileKinds === true ? { fileKinds: columns.listFileKinds(set) } : {}),
      ...toBestMembers(found),
      ...(wordsLoader.isComplete() ? {} : { isProvisional: true }),
    }
  }

  #toReader(order: readonly OrderStep[], readIds: PageReader['readIds'], rank: PageReader['rank']): PageReader {
    return { readIds, rank, readCursor: (id) => this.#rows.readCursor(id, order), readBodies: this.#readBodies }
  }

  /** Pages of a set: SQL sorts its ids if they are few, or those of the page's days, or walks through all records. */
  #toReadIds(set: SlotSet, order: readonly OrderStep[]): PageReader['readIds'] {
    const { columns } = this.#indexes
    const isMatch = (id: number) => set.flags[columns.toSlot(id)] === 1
    const [first] = order
    return async (limit, offset, range) => {
      const window = { order, limit, offset, range }
      if (set.count <= maxSorted) return this.#rows.sort(columns.listIds(set), window)
      if (first?.field === 'recorded' && range === undefined) {
        const { isDescending } = first
        const { ids, before, areUnknown } = columns.findDays(set, { limit, offset, isDescending })
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
 * Facets and kinds of files are counted in the columns only. Several parts of names may take SQLite seconds, in which it cannot be interrupted
 * (decision 28).
 */
const needsColumns = ({ facets, hasFileKinds = false, filters: { speakers, tags } }: ListQuery) =>
  hasFileKinds || facets.length > 0 || speakers.length + tags.length > 1

/** Reads the matches of one query. */
interface PageReader {
  /** In the query's order. */
  readIds(limit: number, offset: number, range?: Condition): Promise<number[]>
  /** The most relevant first. */
  rank(limit: number, offset: number): Promise<number[]>
  /** The values from which a cursor continues after a record. */
  readCursor(id: number): Promise<CursorValues>
  readonly readBodies: ReadBodies
}

type Page = Omit<ListPage, 'count' | 'facets'>

/** Reads a page of any matches that `reader` sorts. */
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

/** Without `ordering`, a search is ranked by relevance. */
const isRanked = ({ order, filters }: ListQuery) => order === null && (filters.search?.all.length ?? 0) > 0

/** How many of the best matches lie before the end of a page. */
function toRankedEnd({ order, page, pageSize }: ListQuery): number {
  if (order !== null) return 0
  if (page === 'last') return Number.POSITIVE_INFINITY
  if (typeof page === 'number') return page * pageSize
  return (page.is === 'skip' ? page.count : 0) + pageSize
}

/** Members of a page that only `match=best` has. As long as records are missing, none tells what no record has. */
function toBestMembers(matches: RankedMatches): BestMembers {
  const { count, isPartial, isWidened, completeCount, unknown, corrected, hits } = matches
  const isSome = isWidened || (unknown.length > 0 && count > 0)
  return {
    hits,
    ...(isPartial ? { countIs: 'at_least' } : {}),
    ...(isSome && !isPartial ? { matchIs: 'some', completeCount } : {}),
    ...(unknown.length > 0 && !isPartial ? { unknown } : {}),
    ...(Object.keys(corrected).length === 0 ? {} : { corrected }),
  }
}
