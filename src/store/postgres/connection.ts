import type { Database, NamedValues, Query, Values } from '../database.ts'
import { type InsertValue, toBytes } from '../write/bulk-insert.ts'
import { createQuery } from './client/query.ts'
import {
  type Ahead,
  type BoundStatement,
  createSession,
  type Rows,
  type Session,
  type Step,
  savepoint,
} from './client/session.ts'
import { PostgresFailure } from './failure.ts'
import { createOwnMemory, type NodeMemory } from './primary/timeline.ts'

/** How long a step may take; the server ends its own statements before. */
const usualTimeoutMs = 30_000
/** How many statements are queued before they are sent on, and how many bytes of values. */
const maxQueued = 64
const maxQueuedBytes = 250_000

/** Locks out the store's other writers until the transaction ends; they wait for this row. */
const beginWriting = 'BEGIN; SELECT 1 FROM store FOR UPDATE'
/** One snapshot for all that is read. */
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'

export interface PostgresOptions {
  readonly answerTimeoutMs?: number
  /** What the threads of a node share. */
  readonly memory?: NodeMemory
  /** How long the statements of a transaction that reads may take from its beginning. */
  toReadingMs?(): number
  /** After how long the server ends a transaction that writes and says nothing: others wait for it. */
  readonly maxSilenceMs?: number
}

/** What only PostgreSQL's own code uses: transactions that begin in other words. */
export interface PostgresDatabase extends Database {
  begin(sql: string): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/**
 * One connection that opens when it is used, and opens again where it was lost. Within a transaction that writes, what is
 * queued by `send` goes along with the next statement, at the latest the COMMIT, in one round trip (ADR 39).
 */
export function openPostgres(address: string, options: PostgresOptions = {}): PostgresDatabase {
  const { answerTimeoutMs = usualTimeoutMs, memory = createOwnMemory(), toReadingMs, maxSilenceMs } = options
  let session: Session | null = null
  let queue: Ahead[] = []
  let queuedBytes = 0
  /** What was sent on since the queue was full; awaited by the next step. */
  let flushing: Promise<Rows> | null = null
  let cursors = 0
  const known = new Map<string, unknown>()

  /** Only within a transaction is anything queued. */
  const isInTransaction = () => queue.length > 0 || (session !== null && session.state() !== 'idle')

  function takeQueue(): readonly Ahead[] {
    const taken = queue
    queue = []
    queuedBytes = 0
    return taken
  }

  /** A connection that does not answer in time is given up. */
  async function runStep(ahead: readonly Ahead[], step: Step): Promise<Rows> {
    session ??= createSession(address, memory)
    const asked = session
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      session = null
      asked.abandon()
      reject(new PostgresFailure('TIMEOUT', 'PostgreSQL did not answer in time', true))
    }, answerTimeoutMs)
    try {
      return await Promise.race([asked.run(ahead, step), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async function run(step: Step): Promise<Rows> {
    const ahead = takeQueue()
    const earlier = flushing
    flushing = null
    if (step.is !== 'rollback') {
      await earlier
      return runStep(ahead, step)
    }
    // What is undone need not be done first, nor succeed.
    await earlier?.catch(() => undefined)
    return runStep([], step)
  }

  function send(statement: BoundStatement): void {
    // Where the last flush has failed, the next step says so.
    if (!isInTransaction() && flushing === null) throw new Error('only statements of a transaction can be queued')
    queue.push(statement)
    queuedBytes += toBytes(statement.values as readonly InsertValue[]) // what callers may bind
    if (queue.length < maxQueued && queuedBytes < maxQueuedBytes) return
    const ahead = takeQueue()
    const earlier = flushing
    flushing = (earlier ?? Promise.resolve()).then(() => runStep(ahead, { is: 'flush' }))
    // The next step reports it.
    flushing.catch(() => undefined)
  }

  const runner = {
    readRows: (statement: BoundStatement) => run({ is: 'rows', ...statement }),
    send,
    script: async (sql: string) => void (await run({ is: 'script', text: sql })),
    isInTransaction,
    toCursorName: () => `cursor_${++cursors}`,
  }

  function query<Row, Bound extends Values>(sql: string): Query<Row, Bound> {
    const found = known.get(sql) ?? createQuery<Row, Bound>(sql, runner)
    known.set(sql, found)
    // Made from the same SQL; rows and values are typed by the caller.
    return found as Query<Row, Bound>
  }

  async function begin(sql: string): Promise<void> {
    refuseSecond()
    try {
      await run({ is: 'begin', begin: { begin: 'write', text: sql } })
    } catch (error) {
      if (isInTransaction()) await rollback().catch(() => undefined)
      throw error
    }
  }
  const commit = async () => void (await run({ is: 'commit' }))
  const rollback = async () => void (await run({ is: 'rollback' }))

  function refuseSecond(): void {
    if (isInTransaction()) throw new Error('a transaction is open already')
  }

  async function runWriting<Result>(work: () => Promise<Result>): Promise<Result> {
    await begin(toBeginWriting(maxSilenceMs))
    try {
      const result = await work()
      await commit()
      return result
    } catch (error) {
      takeQueue()
      // A connection that is lost takes its transaction along.
      if (isInTransaction()) await rollback().catch(() => undefined)
      flushing = null
      throw error
    }
  }

  /** Whether its end succeeds does not matter. */
  async function runReading<Result>(work: () => Promise<Result>): Promise<Result> {
    refuseSecond()
    const first: Ahead = { begin: 'read', text: toBeginReading(toReadingMs) }
    queue.push(first)
    try {
      return await work()
    } finally {
      // Where nothing was read, nothing was begun.
      takeQueue()
      if (isInTransaction()) session?.leave()
    }
  }

  async function runSavepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    queue.push(`SAVEPOINT ${savepoint}`)
    try {
      const result = await work()
      queue.push(`RELEASE ${savepoint}`)
      return result
    } catch (error) {
      if (isInTransaction() && !(error instanceof PostgresFailure)) {
        await run({ is: 'rollback to savepoint' })
        queue.push(`RELEASE ${savepoint}`)
      }
      throw error
    }
  }

  return {
    query,
    prepare: (sql) => createQuery(sql, runner),
    async insert(table, row) {
      const found = await query<{ id: number }, [NamedValues]>(toInsertSql(table, row)).get(row)
      if (found === null) throw new Error(`${table} has given no id`)
      return found.id
    },
    script: runner.script,
    transaction: (mode, work) => (mode === 'read' ? runReading(work) : runWriting(work)),
    savepoint: runSavepoint,
    get isInTransaction() {
      return isInTransaction()
    },
    begin,
    commit,
    rollback,
    async close() {
      await session?.end()
      session = null
    },
  }
}

function toInsertSql(table: string, row: NamedValues): string {
  const columns = Object.keys(row)
  const values = columns.map((name) => `$${name}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')}) RETURNING id`
}

function toBeginWriting(maxSilenceMs: number | undefined): string {
  if (maxSilenceMs === undefined) return beginWriting
  return `${beginWriting}; SET LOCAL idle_in_transaction_session_timeout = ${maxSilenceMs}`
}

/** A limit that the server keeps: 1 ms at least, since 0 would be none. */
function toBeginReading(toReadingMs: (() => number) | undefined): string {
  if (toReadingMs === undefined) return beginReading
  return `${beginReading}; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(toReadingMs()))}`
}
