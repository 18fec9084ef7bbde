/** What both engines store and bind. */
export type Value = string | number | Uint8Array | null
export type NamedValues = { readonly [name: string]: Value }
/** Values in the order of their `?`, or one object for `$name`. */
export type Values = readonly Value[] | readonly [NamedValues]

export interface Query<Row, Bound extends Values = Values> {
  all(...values: Bound): Promise<Row[]>
  /** The first row; null where there is none. */
  get(...values: Bound): Promise<Row | null>
  /** Rows in chunks, so that memory stays flat. */
  iterate(...values: Bound): AsyncIterable<Row>
  /** Executes a write and waits for its result. */
  run(...values: Bound): Promise<{ readonly changes: number }>
  /**
   * Queues a write of the open transaction whose result nobody needs. It is executed before any later statement, and its
   * error rejects that statement or the commit. SQLite executes it at once.
   */
  send(...values: Bound): void
  /** Frees a prepared statement. */
  finalize(): void
}

/** Tables whose rows get their id from the database. */
export type NumberedTable = 'category' | 'speaker' | 'tag' | 'batch'

/**
 * One connection (ADR 39). SQL that goes through here means the same to both engines. Callers run one after another:
 * statements of two transactions must never mix, so a connection refuses a second transaction while one is open.
 */
export interface Database {
  /** A prepared statement, kept for the life of the connection. */
  query<Row = unknown, Bound extends Values = Values>(sql: string): Query<Row, Bound>
  /** The same for SQL that callers put together: the caller keeps it, and finalizes it. */
  prepare<Row = unknown, Bound extends Values = Values>(sql: string): Query<Row, Bound>
  /** Inserts a row and returns the id that the database gave it. */
  insert(table: NumberedTable, row: NamedValues): Promise<number>
  /** Executes one or more statements without values. */
  script(sql: string): Promise<void>
  /**
   * Commits what `work` does, or none of it. `write` excludes all other writers from the beginning; `read` sees one
   * snapshot.
   */
  transaction<Result>(mode: 'read' | 'write', work: () => Promise<Result>): Promise<Result>
  /** Undoes what `work` does where it throws, within the open transaction. Not after an error of the database itself. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether a transaction is open: the database may have given it up itself. */
  readonly isInTransaction: boolean
  close(): Promise<void>
}

/** Uses a connection, and closes it whatever comes of that. */
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
