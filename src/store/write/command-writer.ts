import { createInTurn } from '../../promises.ts'
import { type Command, type FindingCommand, isBatchCommand } from '../../record/command.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import type { BatchReport } from '../batch-reads.ts'
import type { Database } from '../database.ts'
import { createMomentRows } from '../moment/moment-rows.ts'
import { NewerSchema } from '../schema/migrations.ts'
import type { Failure, Outcome } from '../store.ts'
import { acceptFindings, hideFindings } from './accept-findings.ts'
import type { RunningBatch } from './batch/batch-rows.ts'
import {
  type BatchJob,
  type BatchRunDeps,
  type BegunBatch,
  endRolledBack,
  type JobWatch,
  type NextSlice,
  runJob,
  startBatch,
} from './batch/batches.ts'
import { refuseCommand } from './batch/plan.ts'
import { RolledBack } from './batch/run-batch.ts'
import { createSelectionRows, type FindMatches } from './batch/selection-rows.ts'
import { type PlainCommand, runCommand } from './commands.ts'
import { limitToEvents } from './event-limits.ts'
import { createRecordRows } from './record-rows.ts'

/** The one writer of a process. Its methods run strictly one after another, in the order of their calls (decision 39). */
export interface Writer {
  /**
   * Runs the commands as one group: one transaction, one fsync. Returns the outcomes of the first commands, as many as
   * the time limit allowed. `busy`: another process has locked the store; nothing was done, try again.
   */
  run(
    commands: readonly Command[],
    usedTokens: ReadonlySet<number>,
    /** Hashes in hex. */
    usedSessions?: ReadonlySet<string>,
  ): Promise<readonly (Outcome | BegunBatch)[] | 'busy'>
  /** Runs a begun batch in its own transaction, or the next slice of it (decision 74). */
  runBatch(job: BatchJob, watch: JobWatch): Promise<Outcome | NextSlice | 'busy'>
  /** Marks batches as stopped, unless any batch has made progress since `progress`. */
  stopBatches(seen: readonly { readonly id: number; readonly progress?: number }[]): Promise<'done' | Failed | 'busy'>
  /** Batches in state `running`, in progress or abandoned; null if the store cannot be read now. */
  listRunningBatches(): Promise<readonly RunningBatch[] | null>
  /** Whether a draft is to be published now. */
  hasDue(): Promise<boolean>
  /**
   * Indexes a part of a transcript that has changed, in its own transaction. `none`: there was none. `failed`: the store
   * cannot be written now.
   */
  indexMoments(): Promise<'none' | 'some' | 'all' | 'failed'>
  /** Null if the store cannot be read now. */
  readBatch(id: number): Promise<BatchReport | null>
  /** Seq of the last change in the store. */
  readLastSeq(): Promise<number>
  /** Whether another process has changed the store since the last call, and the last known seq. */
  look(): { readonly isForeign: boolean; readonly lastSeq: number }
  /** Whether a write would succeed; changes nothing. */
  canWrite(): Promise<boolean>
  close(): Promise<void>
}

export type Failed = Extract<Outcome, { is: 'failed' }>

/** What differs between the engines. */
export interface Transactions {
  /** Whether a transaction could not start because another process has locked the store. */
  isBusy(error: unknown): boolean
  /** Whether the error comes from the driver, not from a bug in Rostrum. */
  isDriverError(error: unknown): boolean
  toFailure(error: unknown, otherwise: Failure): Failure
  /** As `Writer.look`. Never foreign if notifications have reported every change. */
  look(lastSeq: number | null): { readonly isForeign: boolean; readonly lastSeq: number }
  canWrite(): Promise<boolean>
  /** As `Engine.noticeRestore`, within the transaction of the writer. */
  noticeRestore(): Promise<boolean>
  close(): Promise<void>
}

export interface CommandWriterDeps {
  readonly db: Database
  readonly transactions: Transactions
  readonly findMatches: FindMatches
  now(): number
  /** Time limit of a group; without it, each call runs all commands. */
  readonly maxGroupMs?: number
  /** Called with errors that no outcome describes: bugs, a broken disk. */
  onError(error: unknown): void
}

const noSessions: ReadonlySet<string> = new Set()

export function createCommandWriter(deps: CommandWriterDeps): Writer {
  const { db, transactions, onError } = deps
  const rows = createRecordRows(db)
  const batches = { rows, selections: createSelectionRows(db, deps.findMatches) }
  const moments = createMomentRows(db)
  const { readLastSeq } = rows
  const runSome = createGroupRunner(deps, batches)
  const inTurn = createInTurn()
  /** Null until it is first read: the store may be unreachable at the start. */
  let knownSeq: number | null = null

  /**
   * Commits `work` or rolls it back. If COMMIT itself fails, the result is `unknown`. `mistake` is the failure to report
   * for errors that are not the driver's.
   */
  async function transact<Result>(
    work: (at: Timestamp) => Promise<Result>,
    mistake: Failure = 'down',
  ): Promise<{ readonly done: Result } | Failed | 'busy'> {
    let stage: 'begin' | 'work' | 'commit' = 'begin'
    let seq = 0
    try {
      const done = await db.transaction('write', async () => {
        stage = 'work'
        const result = await work(toTimestamp(deps.now()))
        seq = await readLastSeq()
        stage = 'commit'
        return result
      })
      knownSeq = seq
      return { done }
    } catch (error) {
      if (stage === ('begin' as typeof stage) && transactions.isBusy(error)) return 'busy'
      if (!(error instanceof RolledBack)) onError(error)
      rows.forget()
      // The rollback failed too: this writer cannot be used again.
      if (db.isInTransaction) throw error
      if (error instanceof NewerSchema) return { is: 'failed', failure: 'newer_schema' }
      const failure = stage === ('commit' as typeof stage) ? 'unknown' : 'down'
      const isMistake = failure === 'down' && !transactions.isDriverError(error)
      return { is: 'failed', failure: isMistake ? mistake : transactions.toFailure(error, failure) }
    }
  }

  async function run(commands: readonly Command[], usedTokens: ReadonlySet<number>, usedSessions = noSessions) {
    let tried = commands.length
    const ran = await transact(async (at) => {
      // A new session must not end because of a restore that is noticed only later.
      if (commands.some(({ kind }) => kind === 'open session')) await transactions.noticeRestore()
      const outcomes = await runSome(commands, at)
      tried = outcomes.length
      for (const id of usedTokens) rows.useToken(id, at)
      for (const hash of usedSessions) rows.sessions.recordUse(Buffer.from(hash, 'hex'), at)
      return outcomes
    })
    if (ran === 'busy') return ran
    return 'done' in ran ? ran.done : commands.slice(0, tried).map(() => ran)
  }

  async function runBatch(job: BatchJob, watch: JobWatch): Promise<Outcome | NextSlice | 'busy'> {
    // Other commands may have written since it was begun.
    rows.forget()
    const thrown: { rolledBack: RolledBack | null } = { rolledBack: null }
    const ran = await transact(async (at) => {
      try {
        return await runJob(batches, job, at, watch)
      } catch (error) {
        if (error instanceof RolledBack) thrown.rolledBack = error
        throw error
      }
    }, 'bug')
    const { rolledBack } = thrown
    const ended =
      rolledBack === null ? ran : await transact((at) => endRolledBack(batches, job, rolledBack, at, watch), 'bug')
    return ended !== 'busy' && 'done' in ended ? ended.done : ended
  }

  async function stopBatches(seen: Parameters<Writer['stopBatches']>[0]): Promise<'done' | Failed | 'busy'> {
    const ran = await transact(async () => {
      for (const { id, progress } of seen) rows.batches.stop(id, progress ?? null)
    })
    return ran !== 'busy' && 'done' in ran ? 'done' : ran
  }

  async function indexMoments(): Promise<'none' | 'some' | 'all' | 'failed'> {
    const prepared = await lookUp(moments.prepare)
    if (prepared === null) return 'failed'
    if (prepared === 'none') return 'none'
    if (prepared === 'slow') return 'some'
    const ran = await transact(moments.indexPart)
    if (ran === 'busy' || !('done' in ran)) return 'failed'
    return ran.done ? 'some' : 'all'
  }

  async function lookUp<Found>(find: () => Promise<Found>): Promise<Found | null> {
    try {
      return await find()
    } catch (error) {
      onError(error)
      return null
    }
  }

  return {
    run: (...given) => inTurn(() => run(...given)),
    runBatch: (...given) => inTurn(() => runBatch(...given)),
    stopBatches: (seen) => inTurn(() => stopBatches(seen)),
    listRunningBatches: () => inTurn(() => lookUp(rows.batches.listRunning)),
    hasDue: () =>
      inTurn(async () => {
        const due = await lookUp(() => rows.schedules.listDue(toTimestamp(deps.now()), 1))
        return due !== null && due.length > 0
      }),
    indexMoments: () => inTurn(indexMoments),
    readBatch: (id) => inTurn(() => lookUp(() => rows.batches.read(id))),
    readLastSeq: () =>
      inTurn(async () => {
        knownSeq = await readLastSeq()
        return knownSeq
      }),
    look() {
      const seen = transactions.look(knownSeq)
      knownSeq = seen.lastSeq
      return seen
    },
    canWrite: () => inTurn(transactions.canWrite),
    close: () => inTurn(transactions.close),
  }
}

/** Runs the commands of a group within the writer's transaction: as many as the time limit allows, and at least one. */
function createGroupRunner(deps: CommandWriterDeps, batches: BatchRunDeps) {
  const { rows } = batches
  const { db, transactions, onError, maxGroupMs = Number.POSITIVE_INFINITY } = deps

  async function runOne(command: Command, at: Timestamp): Promise<Outcome | BegunBatch> {
    try {
      return await db.savepoint<Outcome | BegunBatch>(async () => {
        const limited = await limitToEvents(rows, command)
        if (!limited.ok) return refuseCommand(limited.refusal)
        return isBatchCommand(limited.command)
          ? startBatch(batches, limited.command, at)
          : runInGroup(limited.command, at)
      })
    } catch (error) {
      // If the database has rolled back the transaction (disk full), the whole group fails, not just this command.
      if (transactions.isDriverError(error) || !db.isInTransaction) throw error
      onError(error)
      rows.forget()
      return { is: 'failed', failure: 'bug' }
    }
  }

  function runInGroup(command: PlainCommand | FindingCommand, at: Timestamp): Promise<Outcome> {
    switch (command.kind) {
      case 'accept findings':
        return acceptFindings(batches, command, at)
      case 'hide findings':
        return hideFindings(rows, command, at)
      default:
        return runCommand(rows, command, at)
    }
  }

  return async (commands: readonly Command[], at: Timestamp): Promise<(Outcome | BegunBatch)[]> => {
    const outcomes: (Outcome | BegunBatch)[] = []
    const until = performance.now() + maxGroupMs
    for (const command of commands) {
      if (outcomes.length > 0 && performance.now() > until) break
      outcomes.push(await runOne(command, at))
    }
    return outcomes
  }
}
