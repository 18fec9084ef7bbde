import type { Database, NamedValues, Query, Values } from '../database.ts'
import { postgresMigrations, refuseNewerSchema } from '../schema/migrations.ts'
import { type InsertValue, toBytes } from '../write/bulk-insert.ts'
import { createQuery } from './client/query.ts'
import {
  type Ahead,
  type BoundStatement,
  createSession,
  type Rows,
  type Session,
  type SessionStep,
  savepoint,
} from './client/session.ts'
import { nameHost, PostgresFailure } from './failure.ts'
import { createOwnMemory, type NodeMemory } from './primary/timeline.ts'

/** The timeout of a step; the statement timeout of the server is shorter. */
const usualTimeoutMs = 30_000
/** Statements, and bytes of values, that are queued before they are flushed. */
const maxQueued = 64
const maxQueuedBytes = 250_000

/**
 * Writers lock the row of `store`, so that only one transaction writes at a time (decision 15). READ WRITE for sessions that
 * began before the primary was confirmed (decision 67).
 */
const beginWriting = 'BEGIN READ WRITE; SELECT schema_number AS schema FROM store FOR UPDATE'
/** One snapshot for all reads of the transaction. */
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'

export interface PostgresOptions {
  readonly answerTimeoutMs?: number
  /** Shared by the threads of a node. */
  readonly memory?: NodeMemory
  /** The time that is left for the statements of a read transaction. */
  toReadingMs?(): number
  /**
   * After this long without a statement, the server ends a write transaction, because other writers wait for its lock.
   */
  readonly maxSilenceMs?: number
}

/** Transactions with other BEGIN statements, for PostgreSQL's own code. */
export interface PostgresDatabase extends Database {
  /** `read` if the statement says READ ONLY. */
  begin(sql: string, mode?: 'read' | 'write'): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/**
 * One connection, opened on first use and again after a loss. Within a write transaction, statements queued by `send`
 * go with the next statement, at the latest with the COMMIT, in one round trip (decision 39).
 */
export function openPostgres(address: string, options: PostgresOptions = {}): PostgresDatabase {
  const { answerTimeoutMs = usualTimeoutMs, memory = createOwnMemory(), toReadingMs, maxSilenceMs } = options
  let session: Session | null = null
  let queue: Ahead[] = []
  let queuedBytes = 0
  /** The flush of a full queue; awaited by the next step. */
  let flushing: Promise<Rows> | null = null
  let cursors = 0
  const known = new Map<string, unknown>()

  /** The queue is empty outside a transaction. */
  const isInTransaction = () => queue.length > 0 || (session !== null && session.state() !== 'idle')

  function takeQueue(): readonly Ahead[] {
    const taken = queue
    queue = []
    queuedBytes = 0
    return taken
  }

  /** Closes a connection that does not respond in time. */
  async function runStep(ahead: readonly Ahead[], step: SessionStep): Promise<Rows> {
    session ??= createSession(address, memory)
    const asked = session
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      session = null
      asked.abandon()
      reject(new PostgresFailure('TIMEOUT', nameHost('PostgreSQL did not answer in time', asked.hostName()), true))
    }, answerTimeoutMs)
    try {
      return await Promise.race([asked.run(ahead, step), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async function run(step: SessionStep): Promise<Rows> {
    const ahead = takeQueue()
    const earlier = flushing
    flushing = null
    if (step.is !== 'rollback') {
      await earlier
      return runStep(ahead, step)
    }
    // The rollback discards the queue, and the result of a flush does not matter.
    await earlier?.catch(() => undefined)
    return runStep([], step)
  }

  function send(statement: BoundStatement): void {
    // A failed flush is reported by the next step.
    if (!isInTransaction() && flushing === null) throw new Error('only statements of a transaction can be queued')
    queue.push(statement)
    queuedBytes += toBytes(statement.values as readonly InsertValue[]) // what callers may bind
    if (queue.length < maxQueued && queuedBytes < maxQueuedBytes) return
    const ahead = takeQueue()
    const earlier = flushing
    flushing = (earlier ?? Promise.resolve()).then(() => runStep(ahead, { is: 'flush' }))
    // Reported by the next step.
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
    // Created from the same SQL, whose rows and values the caller types.
    return found as Query<Row, Bound>
  }

  /** Returns the rows of all its statements. */
  async function begin(sql: string, mode: 'read' | 'write' = 'write'): Promise<readonly object[]> {
    refuseSecond()
    try {
      return (await run({ is: 'begin', begin: { begin: mode, text: sql } })).rows
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
    const [store] = await begin(toBeginWriting(maxSilenceMs))
    try {
      // What `beginWriting` selects.
      refuseNewerSchema((store as { schema: number } | undefined)?.schema ?? 0, postgresMigrations.length)
      const result = await work()
      await commit()
      return result
    } catch (error) {
      takeQueue()
      // A lost connection has no transaction to roll back.
      if (isInTransaction()) await rollback().catch(() => undefined)
      flushing = null
      throw error
    }
  }

  /** A read transaction ends without waiting, because its end cannot change the result. */
  async function runReading<Result>(work: () => Promise<Result>): Promise<Result> {
    refuseSecond()
    const first: Ahead = { begin: 'read', text: toBeginReading(toReadingMs) }
    queue.push(first)
    try {
      return await work()
    } finally {
      // If nothing was read, BEGIN is still in the queue.
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
    begin: async (sql, mode) => void (await begin(sql, mode)),
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

/** At least 1 ms, because 0 means no limit. */
function toBeginReading(toReadingMs: (() => number) | undefined): string {
  if (toReadingMs === undefined) return beginReading
  return `${beginReading}; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(toReadingMs()))}`
}
