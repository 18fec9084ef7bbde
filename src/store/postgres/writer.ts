import type { Counters } from '../counters.ts'
import type { Database } from '../database.ts'
import { createFindMatches } from '../read/list/list-rows.ts'
import type { Failure } from '../store.ts'
import * as sql from '../write/command-writer.ts'
import { isBusy, PostgresFailure } from './failure.ts'
import { listSql } from './list.ts'
import { noticeRestore } from './store-id.ts'

/**
 * How long a commit waits for its own notification. After the same time without notifications, a node counts as behind.
 */
const notifyTimeoutMs = 200

/** After this long, the server ends the transaction of a writer that stalls or is unreachable (`PostgresOptions`). */
export const maxSilenceMs = 5_000

export interface WriterDeps extends Omit<sql.CommandWriterDeps, 'transactions' | 'findMatches'> {
  readonly db: Database
  /** Absent for commands, which have no caches to invalidate. */
  readonly counters?: Counters
}

export function createWriter(deps: WriterDeps): sql.Writer {
  const { db, counters } = deps
  const transactions = createTransactions(db, counters)
  return sql.createCommandWriter({ ...deps, transactions, findMatches: createFindMatches(db, listSql) })
}

function createTransactions(db: Database, counters: Counters | undefined): sql.Transactions {
  return {
    isBusy,
    isDriverError: (error) => error instanceof PostgresFailure,
    toFailure,
    look(known) {
      const lastSeq = known ?? 0
      return { isForeign: counters !== undefined && !isNotified(counters, lastSeq), lastSeq }
    },
    canWrite: () => canWrite(db),
    noticeRestore: () => noticeRestore(db),
    close: () => db.close(),
  }
}

/**
 * Whether notifications of this change, and so of all earlier ones, have arrived at this node. Only then is the feed
 * complete up to it, and no cache has anything older (decision 15).
 */
function isNotified(counters: Counters, seq: number): boolean {
  return !counters.isBehind() && counters.waitForPublished(seq, notifyTimeoutMs)
}

function toFailure(error: unknown, otherwise: Failure): Failure {
  if (!(error instanceof PostgresFailure)) return otherwise
  if (error.code === 'POSTGRES_53100') return 'full'
  if (error.code === 'POSTGRES_UNCONFIRMED') return 'unconfirmed'
  // Statement timeout, too many connections, deadlock: nothing was done, and a retry may succeed.
  const isTransient = ['POSTGRES_57014', 'POSTGRES_53300', 'POSTGRES_40P01'].includes(error.code)
  return isTransient && otherwise === 'down' ? 'busy' : otherwise
}

/** Whether a write transaction can begin. If another node holds the lock, it could. */
export async function canWrite(db: Database): Promise<boolean> {
  // Rolled back, because even an empty COMMIT would wait for the replicas.
  const undone = new Error('rolled back on purpose')
  try {
    return await db.transaction('write', () => Promise.reject(undone))
  } catch (error) {
    return error === undone || isBusy(error)
  }
}
