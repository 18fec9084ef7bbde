import type { Database, Value } from '../database.ts'

/** Rows per statement. A power of two: the rest is written in halves of it, so few statements are prepared. */
const maxRows = 128
/**
 * Fewer rows are inserted one by one: in SQLite a statement with several rows opens a savepoint, at which FTS5 flushes
 * its buffer. A new record with its names would take twice as long.
 */
const minRows = 16
/** SQLite binds at most 32,766 values. */
const maxValues = 30_000
const maxBytes = 2_000_000

export type InsertValue = Value

/** Inserts many rows into one table, several per statement. Awaits each statement, so that memory stays flat. */
export interface BulkInsert {
  add(values: readonly InsertValue[]): Promise<void>
  /** Writes the buffered rows. Call after the last `add`. */
  flush(): Promise<void>
}

/** `onConflict`: the SQL clause for rows that already exist. */
export function createBulkInsert(db: Database, table: string, columns: readonly string[], onConflict = ''): BulkInsert {
  const toInsert = createInserts(db, table, columns, onConflict)
  const buffer = createBuffer(columns.length)
  async function flush(): Promise<void> {
    for (const rows of buffer.take()) await toInsert(rows.length).run(...rows.flat())
  }
  return {
    flush,
    async add(values) {
      if (buffer.add(values)) await flush()
    },
  }
}

/** Queues all rows in one call. Keeps no rows between calls, so a failed call leaves nothing to be written later. */
export function createInsertAll(db: Database, table: string, columns: readonly string[]) {
  const toInsert = createInserts(db, table, columns)
  return <T>(all: Iterable<T>, toRow: (each: T) => readonly InsertValue[]): void => {
    const buffer = createBuffer(columns.length)
    const sendAll = () => {
      for (const rows of buffer.take()) toInsert(rows.length).send(...rows.flat())
    }
    for (const each of all) if (buffer.add(toRow(each))) sendAll()
    sendAll()
  }
}

/** One prepared statement per number of rows; there are few such numbers. */
function createInserts(db: Database, table: string, columns: readonly string[], onConflict = '') {
  const row = `(${columns.map(() => '?').join(', ')})`
  const prepare = (rows: number) =>
    db.query<null, InsertValue[]>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${onConflict}`,
    )
  const statements = new Map<number, ReturnType<typeof prepare>>()
  return (rows: number) => {
    const statement = statements.get(rows) ?? prepare(rows)
    statements.set(rows, statement)
    return statement
  }
}

type Rows = readonly (readonly InsertValue[])[]

function createBuffer(columns: number) {
  const most = Math.min(maxRows, 2 ** Math.floor(Math.log2(maxValues / columns)))
  let waiting: Rows[number][] = []
  let bytes = 0
  return {
    /** Returns whether the buffer is full. */
    add(values: Rows[number]): boolean {
      waiting.push(values)
      bytes += toBytes(values)
      return waiting.length >= most || bytes >= maxBytes
    },
    /** Empties the buffer and yields the rows of each statement. */
    *take(): Generator<Rows> {
      const taken = waiting
      waiting = []
      bytes = 0
      let from = 0
      for (let size = most; from < taken.length; size = size > minRows ? size / 2 : 1) {
        for (; taken.length - from >= size; from += size) yield taken.slice(from, from + size)
      }
    },
  }
}

/** Approximate size of the values in memory. */
export function toBytes(values: readonly InsertValue[]): number {
  let bytes = 0
  for (const value of values) bytes += typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 8
  return bytes
}
