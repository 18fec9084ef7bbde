import type { Database } from 'bun:sqlite'
import { lastSeqSql } from '../write/sequence-sql.ts'
import * as sql from '../write/writer.ts'

export type { Writer } from '../write/writer.ts'

export type WriterNeeds = Omit<sql.WriterNeeds, 'transactions'> & { readonly db: Database }

export function createWriter(needs: WriterNeeds): sql.Writer {
  return sql.createWriter({ ...needs, transactions: createTransactions(needs.db) })
}

function createTransactions(db: Database): sql.Transactions {
  const dataVersion = db.query<{ data_version: number }, []>('PRAGMA data_version')
  const readDataVersion = () => dataVersion.get()?.data_version ?? 0
  let seen = readDataVersion()
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  return {
    begin: () => begin(db),
    isDriverError,
    toFailure: (error, otherwise) => (isDriverError(error) && error.code === 'SQLITE_FULL' ? 'full' : otherwise),
    look(lastSeq) {
      const version = readDataVersion()
      // A look for each group of writes: the second question is spared where nobody else has written.
      if (version === seen && lastSeq !== null) return { isForeign: false, lastSeq }
      // What is committed from here on may be counted already, and is foreign to the next look all the same.
      const seq = findLastSeq.get()?.seq ?? 0
      seen = version
      return { isForeign: true, lastSeq: Math.max(lastSeq ?? 0, seq) }
    },
    close() {
      // Brings the log into the file, so that a copied file is whole; fails while others read, which does no harm.
      db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      db.close()
    },
  }
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

function isDriverError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}
