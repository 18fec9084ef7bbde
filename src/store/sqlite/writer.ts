import type { Database } from 'bun:sqlite'
import type { Command } from '../../record/command.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import type { Failure, Outcome } from '../store.ts'
import { runCommand } from './commands.ts'
import { lastSeqSql } from './log.ts'
import { createRows, type Rows } from './rows.ts'

export interface Writer {
  /**
   * Runs the commands as one group: one transaction, one fsync, an outcome for each of those that there was time for,
   * which are the first ones. `busy` when another process holds the file: nothing was done, try again.
   */
  run(commands: readonly Command[], usedTokens: ReadonlySet<number>): readonly Outcome[] | 'busy'
  /** The last change that was committed when the last group was, or at the start. */
  lastSeq(): number
  /** Whether another process has changed the file since the last call. */
  hasForeignChange(): boolean
  close(): void
}

export interface WriterNeeds {
  readonly db: Database
  now(): number
  /** How long a group may take; without, each call does all that it is asked. */
  readonly maxGroupMs?: number
  /** Told of errors that no outcome can carry: bugs, a broken disk. */
  onError(error: unknown): void
}

export function createWriter({ db, now, onError, maxGroupMs = Number.POSITIVE_INFINITY }: WriterNeeds): Writer {
  const rows = createRows(db)
  const dataVersion = db.query<{ data_version: number }, []>('PRAGMA data_version')
  const readDataVersion = () => dataVersion.get()?.data_version ?? 0
  let seen = readDataVersion()
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const readLastSeq = () => findLastSeq.get()?.seq ?? 0
  let lastSeq = readLastSeq()

  function run(commands: readonly Command[], usedTokens: ReadonlySet<number>): readonly Outcome[] | 'busy' {
    const at = toTimestamp(now())
    try {
      if (!begin(db)) return 'busy'
      const outcomes = runSome(commands, at)
      for (const id of usedTokens) rows.useToken(id, at)
      const seq = readLastSeq()
      const committed = commit(db, rows, outcomes, onError)
      if (committed === outcomes) lastSeq = seq
      return committed
    } catch (error) {
      onError(error)
      rows.forget()
      if (db.inTransaction) db.run('ROLLBACK')
      return failAll(commands, toFailure(error, 'down'))
    }
  }

  /** As many as the time of a group allows, and at least one. */
  function runSome(commands: readonly Command[], at: Timestamp): Outcome[] {
    const outcomes: Outcome[] = []
    const until = performance.now() + maxGroupMs
    for (const command of commands) {
      if (outcomes.length > 0 && performance.now() > until) break
      outcomes.push(runOne(command, at))
    }
    return outcomes
  }

  function runOne(command: Command, at: Timestamp): Outcome {
    db.run('SAVEPOINT command')
    try {
      const outcome = runCommand(rows, command, at)
      db.run('RELEASE command')
      return outcome
    } catch (error) {
      // SQLite may have given up the whole transaction (disk full); then the group fails, not just this command.
      if (isDriverError(error) || !db.inTransaction) throw error
      onError(error)
      rows.forget()
      db.run('ROLLBACK TO command')
      db.run('RELEASE command')
      return { is: 'failed', failure: 'bug' }
    }
  }

  /** The number is read first: a commit after that is the next look's. */
  function hasForeignChange(): boolean {
    const seq = readLastSeq()
    const version = readDataVersion()
    const isForeign = version !== seen
    seen = version
    lastSeq = Math.max(lastSeq, seq)
    return isForeign
  }

  return { run, hasForeignChange, lastSeq: () => lastSeq, close: () => closeDatabase(db) }
}

function begin(db: Database): boolean {
  try {
    db.run('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (isDriverError(error) && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}

function commit(
  db: Database,
  rows: Rows,
  outcomes: readonly Outcome[],
  onError: (error: unknown) => void,
): readonly Outcome[] {
  try {
    db.run('COMMIT')
    return outcomes
  } catch (error) {
    onError(error)
    rows.forget()
    if (db.inTransaction) db.run('ROLLBACK')
    return failAll(outcomes, toFailure(error, 'unknown'))
  }
}

const failAll = (group: readonly unknown[], failure: Failure): Outcome[] => group.map(() => ({ is: 'failed', failure }))

function toFailure(error: unknown, otherwise: Failure): Failure {
  return isDriverError(error) && error.code === 'SQLITE_FULL' ? 'full' : otherwise
}

function isDriverError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}

/** Brings the log into the file, so that a copied file is whole; fails while others read, which does no harm. */
function closeDatabase(db: Database): void {
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
