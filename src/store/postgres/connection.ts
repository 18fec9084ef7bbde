import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ioThread } from '../../io-program.ts'
import { toBytes } from '../sql/bulk.ts'
import type { Database } from '../sql/database.ts'
import { PostgresFailure } from './failure.ts'
import { waitForFlag } from './flag.ts'
import type { IoAnswer, IoAsk } from './io-thread.ts'
import { type Translated, translate } from './translate.ts'

/** So long a thread stands still for one statement; the server ends its own statements before. */
const usualTimeoutMs = 30_000
/** So many rows come at a time where not all are wanted at once: few at first, then as many as are about so large. */
const firstRows = 16
const maxRows = 512
const chunkBytes = 2_000_000

/** Keeps the store's other writers away until the transaction ends; they wait their turn at this row. */
export const beginWriting = 'BEGIN; SELECT 1 FROM store FOR UPDATE'
/** What is sent along with whatever comes next. */
const deferred = /^(?:SAVEPOINT|RELEASE) /
/** One snapshot for all that is read. */
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/**
 * A connection that answers at once, as a file's does, so that both engines share the code between: the calling thread
 * stands still while a thread of its own asks the server. Not for HTTP threads.
 */
export function openPostgres(address: string, answerTimeoutMs = usualTimeoutMs): Database {
  const { ask, leave } = createLine(address, answerTimeoutMs)
  const known = new Map<string, object>()
  let isInTransaction = false
  /** What the next statement takes along; it saves the waiting for an answer that says nothing. */
  let before: string[] = []

  function takeBefore(): readonly string[] {
    const taken = before
    before = []
    return taken
  }

  function run(sql: string): void {
    if (deferred.test(sql)) return void before.push(sql)
    if (/^BEGIN/.test(sql)) isInTransaction = true
    const isEnd = sql === 'COMMIT' || sql === 'ROLLBACK'
    try {
      ask({ is: 'script', text: sql === 'BEGIN IMMEDIATE' ? beginWriting : sql, before: takeBefore() })
    } catch (error) {
      if (isEnd || (error instanceof PostgresFailure && error.isLost)) isInTransaction = false
      throw error
    }
    if (isEnd) isInTransaction = false
  }

  function readRows(text: string, values: readonly unknown[]): Extract<IoAnswer, { is: 'rows' }> {
    try {
      return ask({ is: 'rows', text, values, before: takeBefore() })
    } catch (error) {
      if (error instanceof PostgresFailure && error.isLost) isInTransaction = false
      throw error
    }
  }

  function prepare(sql: string) {
    const statement =
      known.get(sql) ?? createStatement(translate(sql), { readRows, run, isInTransaction: () => isInTransaction })
    known.set(sql, statement)
    return statement
  }

  /** Within another one it is just a part of that. */
  function write<T>(action: () => T): T {
    if (isInTransaction) return action()
    run('BEGIN IMMEDIATE')
    try {
      const result = action()
      run('COMMIT')
      return result
    } catch (error) {
      if (isInTransaction) run('ROLLBACK')
      throw error
    }
  }

  /** Whether its end succeeds does not matter. */
  function read<T>(action: () => T): T {
    if (isInTransaction) return action()
    before.push(beginReading)
    isInTransaction = true
    try {
      return action()
    } finally {
      // Where nothing was read, nothing was begun.
      if (before.at(-1) === beginReading) before.pop()
      else if (isInTransaction) leave()
      isInTransaction = false
    }
  }

  const database = {
    query: prepare,
    prepare,
    run,
    transaction: (action: (...values: unknown[]) => unknown) =>
      Object.assign((...values: unknown[]) => read(() => action(...values)), {
        immediate: (...values: unknown[]) => write(() => action(...values)),
      }),
    get inTransaction() {
      return isInTransaction
    },
    close: () => void ask({ is: 'end' }),
  }
  // It does what `Database` says that shared code may use of bun:sqlite's, and nothing else.
  return database as unknown as Database
}

interface Runner {
  readRows(text: string, values: readonly unknown[]): Extract<IoAnswer, { is: 'rows' }>
  run(sql: string): void
  isInTransaction(): boolean
}

function createStatement({ text, names, givesId }: Translated, runner: Runner) {
  const { readRows } = runner
  const toValues = (given: readonly unknown[]): readonly unknown[] => {
    if (names === null) return given
    // A statement with names is given one object.
    const [object] = given as [{ readonly [name: string]: unknown }]
    return names.map((name) => object[name])
  }
  const all = (...given: unknown[]) => [...readRows(text, toValues(given)).rows]
  return {
    all,
    get: (...given: unknown[]) => all(...given)[0] ?? null,
    values: (...given: unknown[]) => all(...given).map(Object.values),
    run(...given: unknown[]) {
      const { rows, count } = readRows(text, toValues(given))
      const [row] = rows as readonly { readonly id?: number }[]
      return { changes: count, lastInsertRowid: givesId ? (row?.id ?? 0) : 0 }
    },
    iterate: (...given: unknown[]) => readChunks(text, toValues(given), runner),
    finalize: () => undefined,
  }
}

let cursors = 0

/** Rows of a statement, some at a time, so that memory stays flat. */
function* readChunks(text: string, values: readonly unknown[], runner: Runner): Iterable<object> {
  const { readRows, run, isInTransaction } = runner
  const name = `cursor_${++cursors}`
  const hold = isInTransaction() ? 'WITHOUT HOLD' : 'WITH HOLD'
  readRows(`DECLARE ${name} NO SCROLL CURSOR ${hold} FOR ${text}`, values)
  // What fails here took its cursor along, or leaves it to the end of the connection.
  let isOpen = true
  try {
    for (let wanted = firstRows; ; ) {
      isOpen = false
      const { rows } = readRows(`FETCH ${wanted} FROM ${name}`, [])
      isOpen = true
      yield* rows
      if (rows.length < wanted) return
      wanted = toNextRows(rows, wanted)
    }
  } finally {
    if (isOpen) run(`CLOSE ${name}`)
  }
}

/** A power of two, so that few statements are enough. */
function toNextRows(rows: readonly object[], wanted: number): number {
  const bytes = rows.reduce((sum, row) => sum + toBytes(Object.values(row)), 0)
  if (bytes > chunkBytes) return Math.max(1, wanted / 2)
  return bytes * 2 > chunkBytes ? wanted : Math.min(maxRows, wanted * 2)
}

/** One question at a time: asks the thread, and stands still until it has answered. */
function createLine(address: string, answerTimeoutMs: number) {
  let line: Line | null = null

  function ask(ask: IoAsk): Extract<IoAnswer, { is: 'rows' }> {
    line ??= startThread(address)
    const { thread, port, done } = line
    Atomics.store(done, 0, 0)
    port.postMessage(ask)
    if (!waitForFlag(done, answerTimeoutMs)) {
      // Its answer, should it come, is nobody's any more.
      thread.terminate()
      line = null
      throw new PostgresFailure('TIMEOUT', 'PostgreSQL did not answer in time', true)
    }
    const answer: IoAnswer = receiveMessageOnPort(port)?.message
    if (ask.is === 'end') thread.terminate()
    if (answer.is === 'rows') return answer
    const { code, message, isLost } = answer.failure
    throw new PostgresFailure(code, message, isLost)
  }

  return { ask, leave: () => line?.port.postMessage({ is: 'leave' } satisfies IoAsk) }
}

interface Line {
  readonly thread: Worker
  readonly port: MessagePort
  readonly done: Int32Array
}

function startThread(address: string): Line {
  const flag = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(ioThread)
  thread.unref()
  port1.unref()
  thread.postMessage({ address, port: port2, flag }, [port2])
  return { thread, port: port1, done: new Int32Array(flag) }
}
