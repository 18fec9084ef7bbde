import { defaultOrder } from '../../record/query/ordering.ts'
import type { Filters, ListQuery } from '../../record/query/query.ts'
import { searched } from '../../record/text/search-text.ts'
import { createListReader, type ListEngine, type ListNeeds } from '../read/list.ts'
import { toOrderSql } from '../read/list-sql.ts'
import { createMemo } from '../read/memo.ts'
import { type BoundValue, type Condition, createStatements } from '../read/statements.ts'
import type { ListPage } from '../store.ts'
import { createFacets } from './facets/facets.ts'
import { createPageBodies } from './page-bodies.ts'
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

  const engine: ListEngine<Condition> = {
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
  return createListReader(needs, engine)
}

/** Clients may send any number in a cursor; PostgreSQL refuses those that do not fit its integers. */
function toKnownValue(value: BoundValue): BoundValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const whole = Math.floor(value)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number.isNaN(whole) ? 0 : whole))
}
