import type { CursorValues, OrderStep } from '../../../record/query/ordering.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import type { SpokenSql } from '../../moment/moment-search.ts'
import type { FindMatches } from '../../write/batch/selection-rows.ts'
import { type BoundValue, type Condition, createStatements, type Statements, toAnd } from '../statements.ts'
import { type FilterSql, toConditions } from './filters.ts'
import { toCursorColumns, toOrderSql } from './list-sql.ts'

/** The SQL of lists that differs between engines. */
export interface ListSql extends FilterSql, SpokenSql {
  /** A FROM clause: the rows of `listing` with the ids of a parameter. */
  readonly ofIds: string
  readonly limited: string
  /** A cursor may contain any number. */
  toKnownValue(value: BoundValue): BoundValue
}

/** Which rows of a list to read. */
interface Window {
  readonly order: readonly OrderStep[]
  readonly limit: number
  readonly offset: number
  /** Limits the rows to this range. */
  readonly range?: Condition | undefined
}

/** Rows read at a time: a request is interrupted between two statements only. */
const maxWalked = 20_000

/** Reads ids of `listing` by SQL. */
export class ListRows {
  readonly #prepare: Statements
  readonly #sql: ListSql

  constructor(db: Database, sql: ListSql, onStep?: () => void) {
    this.#prepare = createStatements(db, onStep)
    this.#sql = sql
  }

  async count(filters: Filters): Promise<number> {
    const { sql, values } = toAnd(toConditions(filters, this.#sql))
    return (await this.#prepare<{ n: number }>(`SELECT count(*) AS n FROM listing WHERE ${sql}`).get(...values))?.n ?? 0
  }

  /** The records that match the filters. */
  find(filters: Filters, window: Window): Promise<number[]> {
    return this.#read('listing', toConditions(filters, this.#sql), [], window)
  }

  /** These ids, in order. */
  sort(ids: readonly number[], window: Window): Promise<number[]> {
    return this.#read(this.#sql.ofIds, [], [this.#sql.toIdList(ids)], window)
  }

  /** Walks through all records in order and collects matches until the window is full. */
  async walk(isMatch: (id: number) => boolean, { limit, offset, ...window }: Window): Promise<number[]> {
    const found: number[] = []
    let [read, size] = [0, Math.min(maxWalked, 2 * (offset + limit))]
    while (found.length < offset + limit) {
      const ids = await this.#read('listing', [], [], { ...window, limit: size, offset: read })
      for (const id of ids) if (isMatch(id)) found.push(id)
      if (ids.length < size) break
      read += size
      size = Math.min(maxWalked, 4 * size)
    }
    return found.slice(offset, offset + limit)
  }

  /** The values from which a cursor continues after a record. */
  async readCursor(id: number, order: readonly OrderStep[]): Promise<CursorValues> {
    const row = await this.#prepare<object>(`SELECT ${toCursorColumns(order)} FROM listing WHERE id = ?`).get(id)
    // Columns of orders are texts and numbers.
    return Object.values(row ?? {}) as CursorValues
  }

  async #read(
    from: string,
    conditions: readonly Condition[],
    first: readonly BoundValue[],
    { order, range, limit, offset }: Window,
  ): Promise<number[]> {
    const { limited, toKnownValue } = this.#sql
    const { sql } = toAnd(range === undefined ? conditions : [...conditions, range])
    const values = [...conditions.flatMap((each) => each.values), ...(range?.values ?? []).map(toKnownValue)]
    const query = `SELECT id FROM ${from} WHERE ${sql} ORDER BY ${toOrderSql(order)} ${limited}`
    const rows = await this.#prepare<{ id: number }>(query).all(...first, ...values, limit, offset)
    return rows.map(({ id }) => id)
  }
}

/** For the writer, which keeps no columns in memory: its transaction may have changed them. */
export function createFindMatches(db: Database, sql: ListSql): FindMatches {
  const rows = new ListRows(db, sql)
  return async (filters, limit) => {
    const ids = await rows.find(filters, { order: [{ field: 'id', isDescending: false }], limit: limit + 1, offset: 0 })
    return ids.length <= limit ? { ids, count: ids.length } : { ids: [], count: await rows.count(filters) }
  }
}
