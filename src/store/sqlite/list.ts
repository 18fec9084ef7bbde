import { defaultOrder } from '../../record/query/ordering.ts'
import type { ListQuery } from '../../record/query/query.ts'
import { createListReader, type ListEngine, type ListNeeds } from '../read/list.ts'
import { toOrderSql } from '../read/list-sql.ts'
import { createStatements } from '../read/statements.ts'
import type { ListPage } from '../store.ts'
import { createFacetIndex } from './facets/facet-index.ts'
import { createFacets } from './facets/facets.ts'
import { createPageBodies } from './page-bodies.ts'
import { createFilter, type ListFilter } from './plan/filter.ts'
import { createNamedRecords } from './plan/named-records.ts'
import { choosePlan, planCount, planIdSet, planRank } from './plan/plans.ts'

/** SQLite plans again whenever a visible limit is bound, which takes 0.02 ms each time. The sum hides it. */
const limited = 'LIMIT ? + 0 OFFSET ?'

export function createList(needs: ListNeeds): (query: ListQuery) => Promise<ListPage> {
  const { db, onStep } = needs
  const prepare = createStatements(db, onStep)
  const facetIndex = createFacetIndex(db, onStep)
  const countFacets = createFacets(facetIndex, prepare)
  // Close to the number of records: ids are never used twice, and few records are erased.
  const findLastId = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM listing')
  const rowCount = async () => (await findLastId.get())?.id ?? 0

  const engine: ListEngine<ListFilter> = {
    resolveFilter: createFilter(db, createNamedRecords(db, facetIndex, onStep)),
    async count(filter) {
      const { sql, values } = await planCount(filter)
      return (await prepare<{ count: number }>(sql).get(...values))?.count ?? 0
    },
    async read(filter, columns, window) {
      const { range, limit, offset } = window
      const { from, sql, values, order } = await choosePlan(filter, window, rowCount)
      const within = range === undefined ? '' : ` AND ${range.sql}`
      const query = `SELECT ${columns} FROM ${from} WHERE ${sql}${within} ORDER BY ${order} ${limited}`
      return prepare<object>(query).all(...values, ...(range?.values ?? []), limit, offset)
    },
    // `rank` is FTS5's bm25; the schema has the weights of the columns.
    async rank(filter, _, limit, offset) {
      const { from, sql, values } = planRank(filter)
      const query = `SELECT id FROM ${from} WHERE ${sql} ORDER BY rank, ${toOrderSql(defaultOrder)} ${limited}`
      const rows = await prepare<{ id: number }>(query).all(...values, limit, offset)
      return rows.map(({ id }) => id)
    },
    readBodies: createPageBodies(needs),
    countFacets: async (names, filter) => countFacets(names, await planIdSet(filter)),
  }
  return createListReader(needs, engine)
}
