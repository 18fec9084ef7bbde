import type { Database } from '../database.ts'

/** Rows of a statement. A power of two: the rest is written by halves of it, so few statements are prepared. */
const maxRows = 128
/**
 * Fewer rows go one by one: in SQLite a statement of several rows opens a savepoint, at which FTS5 writes out what it
 * holds. A new record with its names takes twice as long then.
 */
const minRows = 16
/** SQLite takes at most 32,766 values. */
const maxValues = 30_000
const maxBytes = 2_000_000

export type InsertValue = string | number | Uint8Array | null

/** Buffers the rows of a table and inserts many with one statement. */
export interface BulkInsert {
  add(values: readonly InsertValue[]): void
  /** Writes the rest, after the last row. */
  flush(): void
}

/** `onConflict`: what to do with rows that exist already. */
export function createBulkInsert(db: Database, table: string, columns: readonly string[], onConflict = ''): BulkInsert {
  return createBuffer(createInsert(db, table, columns, onConflict), columns.length)
}

/** Inserts all rows at once. Holds none of them between two calls, so a failed call leaves nothing to be written later. */
export function createInsertAll(db: Database, table: string, columns: readonly string[]) {
  const insert = createInsert(db, table, columns)
  return <T>(all: Iterable<T>, toRow: (each: T) => readonly InsertValue[]): void => {
    const buffer = createBuffer(insert, columns.length)
    for (const each of all) buffer.add(toRow(each))
    buffer.flush()
  }
}

type Insert = (rows: readonly (readonly InsertValue[])[]) => void

/** One prepared statement for each number of rows, of which there are few. */
function createInsert(db: Database, table: string, columns: readonly string[], onConflict = ''): Insert {
  const row = `(${columns.map(() => '?').join(', ')})`
  const prepare = (rows: number) =>
    db.query<null, InsertValue[]>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${onConflict}`,
    )
  const statements = new Map<number, ReturnType<typeof prepare>>()
  return (rows) => {
    const statement = statements.get(rows.length) ?? prepare(rows.length)
    statements.set(rows.length, statement)
    statement.run(...rows.flat())
  }
}

function createBuffer(insert: Insert, columns: number): BulkInsert {
  const most = Math.min(maxRows, 2 ** Math.floor(Math.log2(maxValues / columns)))
  let waiting: (readonly InsertValue[])[] = []
  let bytes = 0

  function flush(): void {
    for (let size = most; waiting.length > 0; size = size > minRows ? size / 2 : 1) {
      for (; waiting.length >= size; waiting = waiting.slice(size)) insert(waiting.slice(0, size))
    }
    bytes = 0
  }

  return {
    flush,
    add(values) {
      waiting.push(values)
      bytes += toBytes(values)
      if (waiting.length >= most || bytes >= maxBytes) flush()
    },
  }
}

/** Approximate size of the values in memory. */
export function toBytes(values: readonly InsertValue[]): number {
  let bytes = 0
  for (const value of values) bytes += typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 8
  return bytes
}
