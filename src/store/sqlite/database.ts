import type * as sqlite from 'bun:sqlite'
import { toErrorCode } from '../../error-code.ts'
import type { Database, NamedValues, NumberedTable, Query, Values } from '../database.ts'
import type { RowFinder } from '../read/record.ts'
import { refuseNewerSchema, sqliteMigrations } from '../schema/migrations.ts'

type Statement = sqlite.Statement<unknown, sqlite.SQLQueryBindings[]>

/** A connection of `bun:sqlite` as both engines' shared code uses it. Every promise is settled when it is returned (decision 39). */
export function createSqliteDatabase(raw: sqlite.Database): Database {
  // With `query`, not `prepare`: its statements are finalized on close; others would keep the file open.
  const begin = { read: raw.query('BEGIN'), write: raw.query('BEGIN IMMEDIATE') }
  const commit = raw.query('COMMIT')
  const savepoint = raw.query('SAVEPOINT part')
  const release = raw.query('RELEASE part')
  const readSchema = createSchemaReader(raw)

  async function transaction<Result>(mode: 'read' | 'write', work: () => Promise<Result>): Promise<Result> {
    if (raw.inTransaction) throw new Error('a transaction is open already')
    begin[mode].run()
    try {
      if (mode === 'write') refuseNewerSchema(readSchema(), sqliteMigrations.length)
      const result = await work()
      commit.run()
      return result
    } catch (error) {
      // A full disk may have ended the transaction.
      if (raw.inTransaction) raw.run('ROLLBACK')
      throw error
    }
  }

  async function runSavepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    savepoint.run()
    try {
      const result = await work()
      release.run()
      return result
    } catch (error) {
      if (raw.inTransaction && !isSqliteError(error)) raw.run('ROLLBACK TO part; RELEASE part')
      throw error
    }
  }

  return {
    query: <Row, Bound extends Values>(sql: string) => createQuery<Row, Bound>(raw.query(sql)),
    prepare: <Row, Bound extends Values>(sql: string) => createQuery<Row, Bound>(raw.prepare(sql)),
    async insert(table, row) {
      // RETURNING would create a temporary table each time, at ten times the cost of the insert.
      return Number(raw.query(toNumberedSql(table, row)).run(row).lastInsertRowid)
    },
    async script(sql) {
      raw.run(sql)
    },
    transaction,
    savepoint: runSavepoint,
    get isInTransaction() {
      return raw.inTransaction
    },
    async close() {
      raw.close()
    },
  }
}

/** For HTTP threads, whose reads of one row are synchronous. */
export function createRowFinder(raw: sqlite.Database): RowFinder {
  return {
    query<Row, Bound extends (number | string | Uint8Array)[]>(sql: string) {
      const statement = raw.query<Row, (number | string | Uint8Array)[]>(sql)
      return { get: (...values: Bound) => statement.get(...values) }
    },
  }
}

function createQuery<Row, Bound extends Values>(statement: Statement): Query<Row, Bound> {
  // Callers bind only what bun:sqlite accepts, and only they know the type of the rows that their SQL selects.
  const toBindings = (values: Bound) => values as unknown as sqlite.SQLQueryBindings[]
  return {
    all: async (...values) => statement.all(...toBindings(values)) as Row[],
    get: async (...values) => statement.get(...toBindings(values)) as Row | null,
    async *iterate(...values) {
      yield* statement.iterate(...toBindings(values)) as Iterable<Row>
    },
    run: async (...values) => ({ changes: statement.run(...toBindings(values)).changes }),
    send: (...values) => void statement.run(...toBindings(values)),
    finalize: () => statement.finalize(),
  }
}

/** The schema number of a file: how many migrations it has. */
export function createSchemaReader(raw: sqlite.Database): () => number {
  const read = raw.query<{ user_version: number }, []>('PRAGMA user_version')
  return () => read.get()?.user_version ?? 0
}

/** `$name` for each column. The names come from our code. */
function toInsertSql(table: string, row: NamedValues): string {
  const columns = Object.keys(row)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `$${name}`).join(', ')})`
}

/** Without AUTOINCREMENT, SQLite would use the id of a deleted row again (decision 52). */
function toNumberedSql(table: NumberedTable, row: NamedValues): string {
  if (table === 'batch') return toInsertSql(table, row)
  const columns = Object.keys(row)
  const retired = `SELECT max(id) FROM retired_name WHERE kind = '${table}'`
  const next = `1 + max(coalesce((SELECT max(id) FROM ${table}), 0), coalesce((${retired}), 0))`
  return `INSERT INTO ${table} (id, ${columns.join(', ')}) VALUES (${next}, ${columns.map((name) => `$${name}`).join(', ')})`
}

export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return toErrorCode(error).startsWith('SQLITE_')
}
