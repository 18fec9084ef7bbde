import type { Counters } from '../counters.ts'
import type { Database } from '../database.ts'
import type { Failure } from '../store.ts'
import * as sql from '../write/writer.ts'
import { isBusy, PostgresFailure } from './failure.ts'

/** How long a commit waits for its notification; a node that hears nothing for so long is deaf, and says so soon. */
const toldTimeoutMs = 200

/** A writer that falls silent in the middle of a group, since it stalls or cannot be reached, loses its turn then. */
export const maxSilenceMs = 5_000

export interface WriterNeeds extends Omit<sql.WriterNeeds, 'transactions'> {
  readonly db: Database
  /** Without, nobody is told but by the database: for commands. */
  readonly counters?: Counters
}

export function createWriter(needs: WriterNeeds): sql.Writer {
  return sql.createWriter({ ...needs, transactions: createTransactions(needs.db, needs.counters) })
}

function createTransactions(db: Database, counters: Counters | undefined): sql.Transactions {
  return {
    isBusy,
    isDriverError: (error) => error instanceof PostgresFailure,
    toFailure,
    look(known) {
      const lastSeq = known ?? 0
      return { isForeign: counters !== undefined && !isTold(counters, lastSeq), lastSeq }
    },
    canWrite: () => canWrite(db),
    close: () => db.close(),
  }
}

/**
 * Whether this node has been told of a change, and so of all before it, by whichever node: only then is the feed
 * complete up to there, and no cache has anything older.
 */
function isTold(counters: Counters, seq: number): boolean {
  return !counters.isBehind() && counters.waitForPublished(seq, toldTimeoutMs)
}

function toFailure(error: unknown, otherwise: Failure): Failure {
  if (!(error instanceof PostgresFailure)) return otherwise
  if (error.code === 'POSTGRES_53100') return 'full'
  // Too slow, or too many at once: nothing was done, and later it may be.
  const isTransient = ['POSTGRES_57014', 'POSTGRES_53300', 'POSTGRES_40P01'].includes(error.code)
  return isTransient && otherwise === 'down' ? 'busy' : otherwise
}

/** Whether a primary lets us begin to write. Where another node is writing just now, it would. */
export async function canWrite(db: Database): Promise<boolean> {
  // A commit would wait for the replicas, even with nothing in it.
  const undone = new Error('nothing was to be written')
  try {
    return await db.transaction('write', () => Promise.reject(undone))
  } catch (error) {
    return error === undone || isBusy(error)
  }
}
