import type { Database } from '../database.ts'
import { type InsertValue, toBytes } from '../write/bulk-insert.ts'
import { createBlockingCall, type IoRows } from './client/blocking-call.ts'
import type { Ahead, PreparedQuery } from './client/io-thread.ts'
import { createStatement } from './client/statement.ts'
import { translate } from './client/translate.ts'
import { PostgresFailure } from './failure.ts'
import { createOwnMemory, type NodeMemory } from './primary/timeline.ts'

/** So long a thread stands still for a statement and those that go along; the server ends its own statements before. */
const usualTimeoutMs = 30_000
/** So many statements wait for the next one, and so much of what they carry. */
const maxAhead = 64
const maxAheadBytes = 250_000

/** Keeps the store's other writers away until the transaction ends; they wait their turn at this row. */
export const beginWriting = 'BEGIN; SELECT 1 FROM store FOR UPDATE'
/** What is sent along with whatever comes next. */
const deferred = /^(?:SAVEPOINT|RELEASE) /
/** One snapshot for all that is read. */
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/**
 * A connection that answers at once, as a file's does, so that both engines share the code between: the calling thread
 * stands still while a thread of its own asks the server. Not for HTTP threads.
 *
 * Within a transaction that writes, what nobody needs the answer of waits for the next statement whose answer is needed,
 * at the latest its COMMIT, and goes along with it. Should it fail, so does that one, with its error.
 */
export function openPostgres(
  address: string,
  answerTimeoutMs = usualTimeoutMs,
  memory: NodeMemory = createOwnMemory(),
  /** How long the statements of a transaction that reads may take from its beginning. */
  toReadingMs: (() => number) | null = null,
): Database {
  const { ask, leave } = createBlockingCall(address, memory, answerTimeoutMs)
  const known = new Map<string, object>()
  let isInTransaction = false
  let isWriting = false
  let before: Ahead[] = []
  let beforeBytes = 0

  function takeBefore(): readonly Ahead[] {
    const taken = before
    before = []
    beforeBytes = 0
    return taken
  }

  function run(sql: string): void {
    if (deferred.test(sql)) return void before.push(sql)
    if (/^BEGIN/.test(sql)) {
      isInTransaction = true
      isWriting = !sql.includes('READ ONLY')
    }
    const isEnd = sql === 'COMMIT' || sql === 'ROLLBACK'
    // What is undone need not be done first.
    if (sql === 'ROLLBACK') takeBefore()
    try {
      ask({ is: 'script', text: sql === 'BEGIN IMMEDIATE' ? beginWriting : sql, before: takeBefore() })
    } catch (error) {
      if (isEnd || (error instanceof PostgresFailure && error.isLost)) isInTransaction = false
      throw error
    }
    if (isEnd) isInTransaction = false
  }

  function readRows(statement: PreparedQuery): IoRows {
    try {
      return ask({ is: 'rows', ...statement, before: takeBefore() })
    } catch (error) {
      if (error instanceof PostgresFailure && error.isLost) isInTransaction = false
      throw error
    }
  }

  function write(statement: PreparedQuery): { readonly changes: number } {
    // Values are what bun:sqlite takes.
    const bytes = toBytes(statement.values as readonly InsertValue[])
    const isFull = before.length >= maxAhead || beforeBytes + bytes > maxAheadBytes
    if (!isInTransaction || !isWriting || isFull) return { changes: readRows(statement).count }
    before.push(statement)
    beforeBytes += bytes
    return {
      get changes() {
        if (before.at(-1) !== statement)
          throw new Error('how many rows are changed is asked for at once, or not at all')
        before.pop()
        return readRows(statement).count
      },
    }
  }

  const runner = { readRows, write, run, isInTransaction: () => isInTransaction }

  function prepare(sql: string) {
    const statement = known.get(sql) ?? createStatement(translate(sql), runner)
    known.set(sql, statement)
    return statement
  }

  /** Within another one it is just a part of that. */
  function runWriting<T>(action: () => T): T {
    if (isInTransaction) return action()
    try {
      run('BEGIN IMMEDIATE')
      const result = action()
      run('COMMIT')
      return result
    } catch (error) {
      if (isInTransaction) run('ROLLBACK')
      throw error
    }
  }

  /** Whether its end succeeds does not matter. */
  function runReading<T>(action: () => T): T {
    if (isInTransaction) return action()
    const begin = toBegin(toReadingMs)
    before.push(begin)
    isInTransaction = true
    isWriting = false
    try {
      return action()
    } finally {
      // Where nothing was read, nothing was begun.
      if (before.at(-1) === begin) before.pop()
      else if (isInTransaction) leave()
      isInTransaction = false
    }
  }

  const database = {
    query: prepare,
    prepare,
    run,
    transaction: (action: (...values: unknown[]) => unknown) =>
      Object.assign((...values: unknown[]) => runReading(() => action(...values)), {
        immediate: (...values: unknown[]) => runWriting(() => action(...values)),
      }),
    get inTransaction() {
      return isInTransaction
    },
    close: () => void ask({ is: 'end' }),
  }
  // It does what `Database` says that shared code may use of bun:sqlite's, and nothing else.
  return database as unknown as Database
}

/** A limit that the server keeps: 1 ms at least, since 0 would be none. */
function toBegin(toReadingMs: (() => number) | null): string {
  if (toReadingMs === null) return beginReading
  return `${beginReading}; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(toReadingMs()))}`
}
