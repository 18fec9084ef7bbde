import type { EntryKind } from '../record/name.ts'

/** A value that both engines store and bind. */
export type Value = string | number | Uint8Array | null
export type NamedValues = { readonly [name: string]: Value }
/** Values in the order of their `?`, or one object for `$name`. */
export type Values = readonly Value[] | readonly [NamedValues]

export interface Query<Row, Bound extends Values = Values> {
  all(...values: Bound): Promise<Row[]>
  /** The first row; null if there is none. */
  get(...values: Bound): Promise<Row | null>
  /** Rows in chunks, so that memory stays flat. */
  iterate(...values: Bound): AsyncIterable<Row>
  /** Executes a write and waits for its result. */
  run(...values: Bound): Promise<{ readonly changes: number }>
  /**
   * Queues a write in the open transaction and ignores its result. It is executed before any later statement; its error
   * rejects that statement or the commit. SQLite executes it immediately.
   */
  send(...values: Bound): void
  /** Frees a prepared statement. */
  finalize(): void
}

/** Tables whose ids the database assigns. */
export type NumberedTable = EntryKind | 'batch'

/**
 * One connection (decision 39). The SQL passed to it means the same to both engines. Callers take turns: statements of two
 * transactions must never mix, so a connection refuses a second transaction while one is open.
 */
export interface Database {
  /** A prepared statement that lives as long as the connection. */
  query<Row = unknown, Bound extends Values = Values>(sql: string): Query<Row, Bound>
  /** A prepared statement for generated SQL; the caller finalizes it. */
  prepare<Row = unknown, Bound extends Values = Values>(sql: string): Query<Row, Bound>
  /** Inserts a row and returns its id. */
  insert(table: NumberedTable, row: NamedValues): Promise<number>
  /** Executes one or more statements without values. */
  script(sql: string): Promise<void>
  /**
   * Commits what `work` does, or none of it. `write` excludes all other writers from the beginning; `read` sees one
   * snapshot.
   */
  transaction<Result>(mode: 'read' | 'write', work: () => Promise<Result>): Promise<Result>
  /** Rolls back what `work` did if it throws, within the open transaction. Not after an error of the database itself. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether a transaction is open. The database may have rolled it back by itself. */
  readonly isInTransaction: boolean
  close(): Promise<void>
}

/** Passes a connection to `use` and closes it afterwards, even if `use` throws. */
export async function closeWhenDone<Db extends { close(): void | Promise<void> }, Result>(
  db: Db,
  use: (db: Db) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
