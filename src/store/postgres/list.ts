import { defaultOrder } from '../../record/query/ordering.ts'
import type { FacetName, Filters, ListQuery } from '../../record/query/query.ts'
import { searched } from '../../record/text/search-text.ts'
import { textFacets } from '../derive/listing.ts'
import {
  createListReader,
  type Facets,
  type ListNeeds,
  type ListSql,
  maxFacetValues,
  nameColumns,
} from '../read/list.ts'
import { alwaysAnswered, defaultPageBytes, type ReadBodies, takeBodies } from '../read/list-page.ts'
import { toOrderSql } from '../read/list-sql.ts'
import { createMemo } from '../read/memo.ts'
import { type BoundValue, type Condition, createStatements, type Statements } from '../read/statements.ts'
import type { FacetCount, ListPage } from '../store.ts'
import { createFilter } from './plan/filter.ts'
import { toSearchCondition, toTermCondition, toWeight, type WeightedTerm } from './plan/search.ts'

const limited = 'LIMIT ?::bigint OFFSET ?::bigint'

export function createList(needs: ListNeeds): (query: ListQuery) => Promise<ListPage> {
  const { db, changesCounter, onStep } = needs
  const prepare = createStatements(db, onStep)
  const searchCounts = createMemo<number>(changesCounter)

  const readNumber = async (sql: string, values: readonly BoundValue[]) =>
    (await prepare<{ n: number | null }>(sql).get(...values))?.n ?? 0

  const countSearch = (key: string, { sql, values }: Condition) =>
    searchCounts(key, () => readNumber(`SELECT count(*) AS n FROM search WHERE ${sql}`, values))

  /** bm25 as FTS5 computes it: sizes and frequencies are those of all rows, drafts included. */
  async function findRelevance({ search }: Filters) {
    const { all, none } = search ?? { all: [], none: [] }
    const terms: WeightedTerm[] = []
    for (const term of all) {
      terms.push({ term, rows: await countSearch(JSON.stringify(term), toTermCondition(term, searched)) })
    }
    const rows = await countSearch('all', { sql: 'TRUE', values: [] })
    const size = await searchCounts('size', () => readNumber('SELECT sum(size) AS n FROM search', []))
    return {
      weight: toWeight(terms, rows, size / Math.max(1, rows)),
      matching: toSearchCondition({ all, none }, 'all'),
    }
  }

  const listSql: ListSql<Condition> = {
    resolveFilter: createFilter(db),
    count: ({ sql, values }) => readNumber(`SELECT count(*) AS n FROM listing WHERE ${sql}`, values),
    read({ sql, values }, columns, { order, range, limit, offset }) {
      const within = range === undefined ? '' : ` AND ${range.sql}`
      const query = `
        SELECT ${columns} FROM listing WHERE ${sql}${within}
        ORDER BY ${toOrderSql(order)} ${limited}`
      return prepare<object>(query).all(...values, ...(range?.values ?? []).map(toKnownValue), limit, offset)
    },
    async rank(condition, filters, limit, offset) {
      const { weight, matching } = await findRelevance(filters)
      const query = `
        SELECT id FROM (SELECT rowid, ${weight.sql} AS weight FROM search WHERE ${matching.sql}) AS weighed
        JOIN listing ON id = rowid WHERE ${condition.sql} ORDER BY weight DESC, ${toOrderSql(defaultOrder)} ${limited}`
      const values = [...weight.values, ...matching.values, ...condition.values]
      const rows = await prepare<{ id: number }>(query).all(...values, limit, offset)
      return rows.map(({ id }) => id)
    },
    readBodies: createPageBodies(needs),
    countFacets: createFacets(prepare),
  }
  return createListReader(needs, listSql)
}

/** A cursor may contain any number; PostgreSQL rejects those that do not fit bigint. */
function toKnownValue(value: BoundValue): BoundValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const whole = Math.floor(value)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number.isNaN(whole) ? 0 : whole))
}

/**
 * Bodies in the order of the ids; NULL if together they are too large. Read as text, because bytes are sent as hex;
 * converted after sorting, because the text is larger to sort.
 */
const toBodiesSql = (maxPageBytes: number) => `
  SELECT convert_from(body, 'UTF8') AS text FROM (
    SELECT CASE WHEN count(*) OVER () <= ${alwaysAnswered} OR sum(octet_length(body)) OVER () <= ${4 * maxPageBytes} THEN body END AS body
    FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN record USING (id) ORDER BY place
  ) AS page`

export function createPageBodies({ db, maxPageBytes = defaultPageBytes }: ListNeeds): ReadBodies {
  const read = db.query<{ text: string | null }, [string]>(toBodiesSql(maxPageBytes))
  return async (ids, fields) => {
    const rows = ids.length === 0 ? [] : await read.all(`{${ids}}`)
    const texts = rows.flatMap(({ text }) => text ?? [])
    const max = ids.length <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes
    return texts.length < rows.length ? null : await takeBodies(texts, fields, max)
  }
}

export function createFacets(
  prepare: Statements,
): (names: readonly FacetName[], condition: Condition) => Promise<Facets> {
  function read(name: FacetName, { sql, values }: Condition): Promise<FacetCount[]> {
    const { value, from } = toSource(name)
    const query = `
      WITH found AS (SELECT * FROM listing WHERE ${sql})
      SELECT ${value} AS value, count(*) AS count FROM ${from} GROUP BY 1 ORDER BY count DESC, 1 LIMIT ${maxFacetValues}`
    return prepare<FacetCount>(query).all(...values)
  }
  return async (names, condition) => {
    const facets: { [name: string]: FacetCount[] } = {}
    for (const name of names) facets[name] = await read(name, condition)
    return facets
  }
}

/** The value of a facet, and the tables that it is read from. */
function toSource(name: FacetName): { readonly value: string; readonly from: string } {
  const text = textFacets[name]
  if (text !== undefined) return { value: text, from: `found WHERE ${text} <> ''` }
  const value = `${name}.${nameColumns[name]}`
  if (name === 'category') return { value, from: 'found JOIN category ON category.id = category_id' }
  return { value, from: `found JOIN record_${name} ON record_id = found.id JOIN ${name} ON ${name}.id = ${name}_id` }
}
