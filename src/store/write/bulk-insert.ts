import type { Database } from '../database.ts'

/** One statement takes so many rows. A power of two: what is left is written by halves of it, so few texts are enough. */
const maxRows = 128
/** And no more values than SQLite takes, or bytes than are worth holding. */
const maxValues = 30_000
const maxBytes = 2_000_000

export type InsertValue = string | number | Uint8Array | null

/** Many rows for one table, written some at a time: a statement has its price, whatever it carries. */
export interface BulkInsert {
  add(values: readonly InsertValue[]): void
  /** Writes what is left; after the last row. */
  flush(): void
}

/** `onConflict`: what to do with rows that are there already. */
export function createBulkInsert(db: Database, table: string, columns: readonly string[], onConflict = ''): BulkInsert {
  const most = Math.min(maxRows, 2 ** Math.floor(Math.log2(maxValues / columns.length)))
  const row = `(${columns.map(() => '?').join(', ')})`
  const insert = (rows: number) =>
    db.query<null, InsertValue[]>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${onConflict}`,
    )
  let waiting: (readonly InsertValue[])[] = []
  let bytes = 0

  function flush(): void {
    for (let size = most; waiting.length > 0; size /= 2) {
      for (; waiting.length >= size; waiting = waiting.slice(size)) insert(size).run(...waiting.slice(0, size).flat())
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

/** About so many bytes are held by them. */
export function toBytes(values: readonly InsertValue[]): number {
  let bytes = 0
  for (const value of values) bytes += typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 8
  return bytes
}
