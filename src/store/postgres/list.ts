import { defaultOrder } from '../../record/query/ordering.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { ColumnOptions } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { createListReader, type ListNeeds, type ListSql } from '../read/list/list.ts'
import { alwaysAnswered, defaultPageBytes, type ReadBodies, takeBodies } from '../read/list/list-page.ts'
import { toOrderSql } from '../read/list/list-sql.ts'
import { type BoundValue, type Condition, createStatements, toAnd } from '../read/statements.ts'
import { createMemoryIndexes, type MemoryIndexes } from '../search/memory-indexes.ts'
import type { SnapshotDeps } from '../search/word-snapshot.ts'
import type { ListPage } from '../store.ts'
import { createFilter, createNameIds } from './plan/filter.ts'
import { toMatchCondition } from './plan/search.ts'

const limited = 'LIMIT ?::bigint OFFSET ?::bigint'

export function createIndexes(
  db: Database,
  options: ColumnOptions = {},
  snapshot: SnapshotDeps | null = null,
): MemoryIndexes {
  return createMemoryIndexes({ db, findNameIds: createNameIds(db), ...options }, snapshot)
}

export function createList(needs: ListNeeds): (query: ListQuery) => Promise<ListPage> {
  const { db, indexes = createIndexes(db, needs) } = needs
  return createListReader(needs, indexes, createListSql(needs))
}

export function createListSql(needs: ListNeeds): ListSql<Condition> {
  const { db, onStep } = needs
  const prepare = createStatements(db, onStep)

  const readNumber = async (sql: string, values: readonly BoundValue[]) =>
    (await prepare<{ n: number | null }>(sql).get(...values))?.n ?? 0

  return {
    scansInOrder: false,
    resolveFilter: createFilter(db),
    restrict: (filter, ids) => toAnd([filter, { sql: 'id = ANY(?::bigint[])', values: [`{${ids}}`] }]),
    count: ({ sql, values }) => readNumber(`SELECT count(*) AS n FROM listing WHERE ${sql}`, values),
    read({ sql, values }, columns, { order, range, limit, offset }) {
      const within = range === undefined ? '' : ` AND ${range.sql}`
      const query = `
        SELECT ${columns} FROM listing WHERE ${sql}${within}
        ORDER BY ${toOrderSql(order)} ${limited}`
      return prepare<object>(query).all(...values, ...(range?.values ?? []).map(toKnownValue), limit, offset)
    },
    readBodies: createPageBodies(needs),
    async findMatches(search) {
      const { sql, values } = toMatchCondition(search)
      // One text is faster to read than one row per id.
      const query = `SELECT string_agg(rowid::text, ',') AS ids FROM search WHERE ${sql}`
      return JSON.parse(`[${(await prepare<{ ids: string | null }>(query).get(...values))?.ids ?? ''}]`)
    },
    async sort(ids, limit, offset) {
      const query = `SELECT id FROM listing WHERE id = ANY(?::bigint[]) ORDER BY ${toOrderSql(defaultOrder)} ${limited}`
      const rows = await prepare<{ id: number }>(query).all(`{${ids}}`, limit, offset)
      return rows.map(({ id }) => id)
    },
  }
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
