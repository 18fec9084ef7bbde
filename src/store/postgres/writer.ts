import type { Counters } from '../counters.ts'
import type { Database } from '../database.ts'
import type { Failure } from '../store.ts'
import * as sql from '../write/writer.ts'
import { beginWriting } from './connection.ts'
import { PostgresFailure } from './failure.ts'

/** A commit is told to this node within a millisecond; a node that hears nothing for so long is deaf, and says so soon. */
const toldTimeoutMs = 200

/** Whoever falls silent in the middle of a group, since it stands still or cannot be reached, has lost its turn then. */
const maxSilenceMs = 5_000
export const beginGroup = `${beginWriting}; SET LOCAL idle_in_transaction_session_timeout = ${maxSilenceMs}`

export interface WriterNeeds extends Omit<sql.WriterNeeds, 'transactions'> {
  readonly db: Database
  /** Without, nobody is told but by the database: for commands. */
  readonly versions?: Counters
}

export function createWriter(needs: WriterNeeds): sql.Writer {
  return sql.createWriter({ ...needs, transactions: createTransactions(needs.db, needs.versions) })
}

function createTransactions(db: Database, versions: Counters | undefined): sql.Transactions {
  return {
    begin: () => begin(db),
    isDriverError: (error) => error instanceof PostgresFailure,
    toFailure,
    look(known) {
      const lastSeq = known ?? 0
      return { isForeign: versions !== undefined && !isTold(versions, lastSeq), lastSeq }
    },
    close: () => db.close(),
  }
}

/**
 * Whether this node has been told of a change, and so of all before it, by whichever node: only then is the feed
 * complete up to there, and no cache has anything older.
 */
function isTold(versions: Counters, seq: number): boolean {
  return !versions.isDeaf() && versions.waitForPublished(seq, toldTimeoutMs)
}

/** False where another node holds the store; the session is in no transaction then. */
export function begin(db: Database): boolean {
  try {
    db.run(beginGroup)
    return true
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    if (!(error instanceof PostgresFailure) || error.code !== 'POSTGRES_55P03') throw error
    return false
  }
}

function toFailure(error: unknown, otherwise: Failure): Failure {
  if (!(error instanceof PostgresFailure)) return otherwise
  if (error.code === 'POSTGRES_53100') return 'full'
  // Too slow, or too many at once: nothing was done, and later it may be.
  const isBusy = ['POSTGRES_57014', 'POSTGRES_53300', 'POSTGRES_40P01'].includes(error.code)
  return isBusy && otherwise === 'down' ? 'busy' : otherwise
}
