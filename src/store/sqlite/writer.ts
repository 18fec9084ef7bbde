import type * as sqlite from 'bun:sqlite'
import { lastSeqSql } from '../write/sequence-sql.ts'
import * as sql from '../write/writer.ts'
import { createSqliteDatabase, isSqliteError } from './database.ts'
import { canWrite } from './write-probe.ts'

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
