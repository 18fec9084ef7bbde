import type { Command } from '../../record/command.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import type { BatchReport } from '../change-log.ts'
import type { Database } from '../database.ts'
import type { Failure, Outcome } from '../store.ts'
import { type BatchJob, runSlice as runSliceOf, type Slice, type SliceLimits } from './batch/batch-job.ts'
import type { RunningBatch } from './batch/batch-rows.ts'
import type { Begun } from './batch/undo.ts'
import { runCommand } from './commands.ts'
import { createRecordRows, type RecordRows } from './record-rows.ts'
import { lastSeqSql } from './sequence-sql.ts'

export interface Writer {
  /**
   * Runs the commands as one group: one transaction, one fsync, an outcome for each of those that there was time for,
   * which are the first ones. `busy` when another process holds the store: nothing was done, try again.
   */
  run(commands: readonly Command[], usedTokens: ReadonlySet<number>): readonly (Outcome | Begun)[] | 'busy'
  /** Goes on with a batch, in a transaction of its own; `needsRow`: somebody has to be told its number. */
  runSlice(job: BatchJob, limits: SliceLimits, needsRow: boolean): Slice | Failed | 'busy'
  /** Says of batches that nobody works on them any more, unless they have gone on since they were seen. */
  stopBatches(seen: readonly { readonly id: number; readonly done?: number }[]): 'done' | Failed | 'busy'
  /** Batches that somebody works on, or has left; null where that cannot be known now. */
  listRunningBatches(): readonly RunningBatch[] | null
  /** As it is told; null where that cannot be known now. */
  readBatch(id: number): BatchReport | null
  /** The last change that was committed when the last group was, or at the start. */
  lastSeq(): number
  /** Whether another process has changed the store since the last call. */
  hasForeignChange(): boolean
  close(): void
}

export type Failed = Extract<Outcome, { is: 'failed' }>

/** Where engines differ. */
export interface Transactions {
  /** Begins one that nobody else writes beside; false where somebody else holds the store. */
  begin(): boolean
  /** An error of the database's own rather than a mistake of ours. */
  isDriverError(error: unknown): boolean
  toFailure(error: unknown, otherwise: Failure): Failure
  /**
   * Whether others may have changed what this process does not know of, and the last change that it knows of then.
   * Where every change is heard of by itself there is nothing foreign.
   */
  look(lastSeq: number | null): { readonly isForeign: boolean; readonly lastSeq: number }
  close(): void
}

export interface WriterNeeds {
  readonly db: Database
  readonly transactions: Transactions
  now(): number
  /** How long a group may take; without, each call does all that it is asked. */
  readonly maxGroupMs?: number
  /** Told of errors that no outcome can carry: bugs, a broken disk. */
  onError(error: unknown): void
}

export function createWriter(needs: WriterNeeds): Writer {
  const { db, transactions, now, onError, maxGroupMs = Number.POSITIVE_INFINITY } = needs
  const rows = createRecordRows(db)
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const readLastSeq = () => findLastSeq.get()?.seq ?? 0
  /** Not known before it is asked for: the store may be away when we begin. */
  let knownSeq: number | null = null
  const lastSeq = () => (knownSeq ??= readLastSeq())

  /**
   * What `work` does is committed or did not happen; of a commit that failed nobody may know. `mistake`: what an error
   * that is not the database's is called.
   */
  function transact<Result>(
    work: (at: Timestamp) => Result,
    mistake: Failure = 'down',
  ): { readonly done: Result } | Failed | 'busy' {
    let failure: Failure = 'down'
    try {
      if (!transactions.begin()) return 'busy'
      const done = work(toTimestamp(now()))
      const seq = readLastSeq()
      failure = 'unknown'
      db.run('COMMIT')
      knownSeq = seq
      return { done }
    } catch (error) {
      giveUp(needs, rows, error)
      const isMistake = failure === 'down' && !transactions.isDriverError(error)
      return { is: 'failed', failure: isMistake ? mistake : transactions.toFailure(error, failure) }
    }
  }

  function run(commands: readonly Command[], usedTokens: ReadonlySet<number>) {
    let tried = commands.length
    const ran = transact((at) => {
      const outcomes = runSome(commands, at)
      tried = outcomes.length
      for (const id of usedTokens) rows.useToken(id, at)
      return outcomes
    })
    if (ran === 'busy') return ran
    return 'done' in ran ? ran.done : commands.slice(0, tried).map(() => ran)
  }

  function runSlice(job: BatchJob, limits: SliceLimits, needsRow: boolean): Slice | Failed | 'busy' {
    // Others may have written since the last one.
    rows.forget()
    const ran = transact((at) => runSliceOf(rows, job, at, limits, needsRow), 'bug')
    return ran !== 'busy' && 'done' in ran ? ran.done : ran
  }

  function stopBatches(seen: Parameters<Writer['stopBatches']>[0]): 'done' | Failed | 'busy' {
    const ran = transact(() => {
      for (const { id, done } of seen) rows.batches.stop(id, done ?? null)
    })
    return ran !== 'busy' && 'done' in ran ? 'done' : ran
  }

  function lookUp<Found>(find: () => Found): Found | null {
    try {
      return find()
    } catch (error) {
      onError(error)
      return null
    }
  }

  /** As many as the time of a group allows, and at least one. */
  function runSome(commands: readonly Command[], at: Timestamp): (Outcome | Begun)[] {
    const outcomes: (Outcome | Begun)[] = []
    const until = performance.now() + maxGroupMs
    for (const command of commands) {
      if (outcomes.length > 0 && performance.now() > until) break
      outcomes.push(runOne(command, at))
    }
    return outcomes
  }

  function runOne(command: Command, at: Timestamp): Outcome | Begun {
    db.run('SAVEPOINT command')
    try {
      const outcome = runCommand(rows, command, at)
      db.run('RELEASE command')
      return outcome
    } catch (error) {
      // The database may have given up the whole transaction (disk full); then the group fails, not just this command.
      if (transactions.isDriverError(error) || !db.inTransaction) throw error
      onError(error)
      rows.forget()
      db.run('ROLLBACK TO command')
      db.run('RELEASE command')
      return { is: 'failed', failure: 'bug' }
    }
  }

  function hasForeignChange(): boolean {
    const seen = transactions.look(knownSeq)
    knownSeq = seen.lastSeq
    return seen.isForeign
  }

  return {
    run,
    runSlice,
    stopBatches,
    listRunningBatches: () => lookUp(rows.batches.listRunning),
    readBatch: (id) => lookUp(() => rows.batches.read(id)),
    hasForeignChange,
    lastSeq,
    close: transactions.close,
  }
}

/** Nothing of the group stays; a connection that is lost meanwhile takes its transaction along. */
function giveUp({ db, onError }: WriterNeeds, rows: RecordRows, error: unknown): void {
  onError(error)
  rows.forget()
  try {
    if (db.inTransaction) db.run('ROLLBACK')
  } catch (lost) {
    if (db.inTransaction) throw lost
    onError(lost)
  }
}
