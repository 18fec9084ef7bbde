import type { Database, NamedValues, Query, Values } from '../database.ts'
import { postgresMigrations, refuseNewerSchema } from '../schema/migrations.ts'
import { type InsertValue, toBytes } from '../write/insert-many.ts'
import { createQuery, type QueryRunner } from './client/query.ts'
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

interface PostgresOptions {
  readonly answerTimeoutMs?: number
  /** Shared by the threads of a node. */
  readonly memory?: NodeMemory
  /** The remaining time for the statements of a read transaction. */
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

export function openPostgres(address: string, options: PostgresOptions = {}): PostgresDatabase {
  return new PostgresConnection(address, options)
}

/**
 * One connection, opened on first use and again after a loss. Within a write transaction, statements queued by `send`
 * are sent with the next statement, at the latest with the COMMIT, in one round trip (decision 39).
 */
class PostgresConnection implements PostgresDatabase {
  readonly #address: string
  readonly #options: PostgresOptions
  readonly #memory: NodeMemory
  readonly #answerTimeoutMs: number
  #session: Session | null = null
  #queue: Ahead[] = []
  #queuedBytes = 0
  /** The flush of a full queue; awaited by the next step. */
  #flushing: Promise<Rows> | null = null
  #cursors = 0
  readonly #known = new Map<string, unknown>()
  readonly #runner: QueryRunner = {
    readRows: (statement) => this.#run({ is: 'rows', ...statement }),
    send: (statement) => this.#send(statement),
    script: (sql) => this.script(sql),
    isInTransaction: () => this.isInTransaction,
    toCursorName: () => `cursor_${++this.#cursors}`,
  }

  constructor(address: string, options: PostgresOptions) {
    this.#address = address
    this.#options = options
    this.#memory = options.memory ?? createOwnMemory()
    this.#answerTimeoutMs = options.answerTimeoutMs ?? usualTimeoutMs
  }

  prepare<Row, Bound extends Values>(sql: string): Query<Row, Bound> {
    return createQuery<Row, Bound>(sql, this.#runner)
  }

  async insert(table: string, row: NamedValues): Promise<number> {
    const found = await this.query<{ id: number }, [NamedValues]>(toInsertSql(table, row)).get(row)
    if (found === null) throw new Error(`${table} returned no id`)
    return found.id
  }

  async script(sql: string): Promise<void> {
    await this.#run({ is: 'script', text: sql })
  }

  transaction<Result>(mode: 'read' | 'write', work: () => Promise<Result>): Promise<Result> {
    return mode === 'read' ? this.#runReading(work) : this.#runWriting(work)
  }

  async begin(sql: string, mode?: 'read' | 'write'): Promise<void> {
    await this.#begin(sql, mode)
  }

  async commit(): Promise<void> {
    await this.#run({ is: 'commit' })
  }

  async rollback(): Promise<void> {
    await this.#run({ is: 'rollback' })
  }

  async close(): Promise<void> {
    await this.#session?.end()
    this.#session = null
  }

  /** The queue is empty outside a transaction. */
  get isInTransaction(): boolean {
    return this.#queue.length > 0 || (this.#session !== null && this.#session.state() !== 'idle')
  }

  #takeQueue(): readonly Ahead[] {
    const taken = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    return taken
  }

  /** Closes a connection that does not respond in time. */
  async #runStep(ahead: readonly Ahead[], step: SessionStep): Promise<Rows> {
    this.#session ??= createSession(this.#address, this.#memory)
    const asked = this.#session
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#session = null
      asked.abandon()
      reject(new PostgresFailure('TIMEOUT', nameHost('PostgreSQL did not answer in time', asked.hostName()), true))
    }, this.#answerTimeoutMs)
    try {
      return await Promise.race([asked.run(ahead, step), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #run(step: SessionStep): Promise<Rows> {
    const ahead = this.#takeQueue()
    const earlier = this.#flushing
    this.#flushing = null
    if (step.is !== 'rollback') {
      await earlier
      return this.#runStep(ahead, step)
    }
    // The rollback discards the queue, and the result of a flush does not matter.
    await earlier?.catch(() => undefined)
    return this.#runStep([], step)
  }

  #send(statement: BoundStatement): void {
    // A failed flush is reported by the next step.
    if (!this.isInTransaction && this.#flushing === null)
      throw new Error('only statements of a transaction can be queued')
    this.#queue.push(statement)
    this.#queuedBytes += toBytes(statement.values as readonly InsertValue[]) // what callers may bind
    if (this.#queue.length < maxQueued && this.#queuedBytes < maxQueuedBytes) return
    const ahead = this.#takeQueue()
    const earlier = this.#flushing
    this.#flushing = (earlier ?? Promise.resolve()).then(() => this.#runStep(ahead, { is: 'flush' }))
    // Reported by the next step.
    this.#flushing.catch(() => undefined)
  }

  query<Row, Bound extends Values>(sql: string): Query<Row, Bound> {
    const found = this.#known.get(sql) ?? createQuery<Row, Bound>(sql, this.#runner)
    this.#known.set(sql, found)
    // Created from the same SQL, whose rows and values the caller types.
    return found as Query<Row, Bound>
  }

  /** Returns the rows of all its statements. */
  async #begin(sql: string, mode: 'read' | 'write' = 'write'): Promise<readonly object[]> {
    this.#refuseSecond()
    try {
      return (await this.#run({ is: 'begin', begin: { begin: mode, text: sql } })).rows
    } catch (error) {
      if (this.isInTransaction) await this.rollback().catch(() => undefined)
      throw error
    }
  }

  #refuseSecond(): void {
    if (this.isInTransaction) throw new Error('a transaction is open already')
  }

  async #runWriting<Result>(work: () => Promise<Result>): Promise<Result> {
    const [store] = await this.#begin(toBeginWriting(this.#options.maxSilenceMs))
    try {
      // What `beginWriting` selects.
      refuseNewerSchema((store as { schema: number } | undefined)?.schema ?? 0, postgresMigrations.length)
      const result = await work()
      await this.commit()
      return result
    } catch (error) {
      this.#takeQueue()
      // A lost connection has no transaction to roll back.
      if (this.isInTransaction) await this.rollback().catch(() => undefined)
      this.#flushing = null
      throw error
    }
  }

  /** A read transaction ends without waiting, because its end cannot change the result. */
  async #runReading<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#refuseSecond()
    const first: Ahead = { begin: 'read', text: toBeginReading(this.#options.toReadingMs) }
    this.#queue.push(first)
    try {
      return await work()
    } finally {
      // If nothing was read, BEGIN is still in the queue.
      this.#takeQueue()
      if (this.isInTransaction) this.#session?.leave()
    }
  }

  async savepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#queue.push(`SAVEPOINT ${savepoint}`)
    try {
      const result = await work()
      this.#queue.push(`RELEASE ${savepoint}`)
      return result
    } catch (error) {
      if (this.isInTransaction && !(error instanceof PostgresFailure)) {
        await this.#run({ is: 'rollback to savepoint' })
        this.#queue.push(`RELEASE ${savepoint}`)
      }
      throw error
    }
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
