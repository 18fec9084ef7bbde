import type * as sqlite from 'bun:sqlite'
import type { Failure, Outcome } from '../store.ts'
import { lastSeqSql } from '../write/sequence-sql.ts'

import * as sql from '../write/writer.ts'
import { createSqliteDatabase, isSqliteError } from './database.ts'

export type { Writer } from '../write/writer.ts'

export type WriterNeeds = Omit<sql.WriterNeeds, 'transactions' | 'db'> & { readonly db: sqlite.Database }

/** `db` is used by nobody else while the writer runs. */
export function createWriter(needs: WriterNeeds): sql.Writer {
  const { db: raw } = needs
  return sql.createWriter({ ...needs, db: createSqliteDatabase(raw), transactions: createTransactions(raw) })
}

function createTransactions(raw: sqlite.Database): sql.Transactions {
  const dataVersion = raw.query<{ data_version: number }, []>('PRAGMA data_version')
  const readDataVersion = () => dataVersion.get()?.data_version ?? 0
  let seen = readDataVersion()
  const findLastSeq = raw.query<{ seq: number | null }, []>(lastSeqSql)
  return {
    isBusy: (error) => isSqliteError(error) && error.code.startsWith('SQLITE_BUSY'),
    isDriverError: isSqliteError,
    toFailure: (error, otherwise) => (isSqliteError(error) && error.code === 'SQLITE_FULL' ? 'full' : otherwise),
    look(lastSeq) {
      const version = readDataVersion()
      // A look for each group of writes: the second question is spared where nobody else has written.
      if (version === seen && lastSeq !== null) return { isForeign: false, lastSeq }
      // What is committed from here on may be counted already, and is foreign to the next look all the same.
      const seq = findLastSeq.get()?.seq ?? 0
      seen = version
      return { isForeign: true, lastSeq: Math.max(lastSeq ?? 0, seq) }
    },
    canWrite: async () => canWrite(raw),
    async close() {
      // Brings the log into the file, so that a copied file is whole; fails while others read, which does no harm.
      raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
      raw.close()
    },
  }
}

/** Whether the file takes a write: one page, which stays what it is, in a transaction like any other. */
export function canWrite(db: sqlite.Database): boolean {
  try {
    const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    db.transaction(() => db.run(`PRAGMA user_version = ${version}`)).immediate()
    return true
  } catch {
    // That is the answer. SQLite has given up the transaction, or `transaction` has rolled it back.
    return false
  }
}

/** What is written to a file that is no longer there is lost with us: nobody is told that it was stored. */
export function refuseWhenLost(writer: sql.Writer, isLost: () => boolean): sql.Writer {
  const failAll = (count: number, failure: Failure): readonly Outcome[] =>
    Array.from({ length: count }, () => ({ is: 'failed', failure }))
  /** What is done while the file is lost may be in it or not. */
  const unlessLost = async <Result>(work: () => Promise<Result | 'busy'>): Promise<Result | sql.Failed | 'busy'> => {
    if (isLost()) return { is: 'failed', failure: 'down' }
    const result = await work()
    return result !== 'busy' && isLost() ? { is: 'failed', failure: 'unknown' } : result
  }
  return {
    ...writer,
    async run(commands, usedTokens) {
      if (isLost()) return failAll(commands.length, 'down')
      const outcomes = await writer.run(commands, usedTokens)
      return outcomes !== 'busy' && isLost() ? failAll(outcomes.length, 'unknown') : outcomes
    },
    runSlice: (...slice) => unlessLost(() => writer.runSlice(...slice)),
    readBatch: async (id) => (isLost() ? null : await writer.readBatch(id)),
    canWrite: async () => !isLost() && (await writer.canWrite()),
    stopBatches: (seen) => unlessLost(() => writer.stopBatches(seen)),
  }
}
