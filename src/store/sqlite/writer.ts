import type * as sqlite from 'bun:sqlite'
import { openSync, readSync, statSync } from 'node:fs'
import { createFindMatches } from '../read/list/list-rows.ts'
import { refuseNewerSchema, sqliteMigrations } from '../schema/migrations.ts'
import type { Failure, Outcome } from '../store.ts'
import * as sql from '../write/command-writer.ts'
import { lastSeqSql } from '../write/version-rows.ts'
import { createSchemaReader, createSqliteDatabase, isSqliteError } from './database.ts'
import { listSql } from './list.ts'

export type { Writer } from '../write/command-writer.ts'

export type WriterDeps = Omit<sql.CommandWriterDeps, 'transactions' | 'db' | 'findMatches'> & {
  readonly db: sqlite.Database
}

/** `db` must not be used elsewhere while the writer runs. */
export function createWriter(deps: WriterDeps): sql.Writer {
  const { db: raw } = deps
  const db = createSqliteDatabase(raw)
  const transactions = createTransactions(raw)
  return sql.createCommandWriter({ ...deps, db, transactions, findMatches: createFindMatches(db, listSql) })
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
      // Called once per group; the query is skipped unless another process has written.
      if (version === seen && lastSeq !== null) return { isForeign: false, lastSeq }
      // A commit between both reads may be included already; the next call reports it again, which is harmless.
      const seq = findLastSeq.get()?.seq ?? 0
      seen = version
      return { isForeign: true, lastSeq: Math.max(lastSeq ?? 0, seq) }
    },
    canWrite: async () => canWrite(raw),
    noticeRestore: async () => false,
    async close() {
      // Checkpoints the log, so that a copy of the file alone is complete. Fails while others read, which is harmless.
      raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
      raw.close()
    },
  }
}

/** Whether the file can be written: rewrites one page with the same content, in a transaction. */
export function canWrite(db: sqlite.Database): boolean {
  const readSchema = createSchemaReader(db)
  try {
    db.transaction(() => {
      const schema = readSchema()
      refuseNewerSchema(schema, sqliteMigrations.length)
      db.run(`PRAGMA user_version = ${schema}`)
    }).immediate()
    return true
  } catch {
    // The transaction has been rolled back.
    return false
  }
}

/** Reports no write as stored if the file was removed or replaced, because the write would be lost (decision 30). */
export function refuseWhenLost(writer: sql.Writer, isLost: () => boolean): sql.Writer {
  const failAll = (count: number, failure: Failure): readonly Outcome[] =>
    Array.from({ length: count }, () => ({ is: 'failed', failure }))
  /** If the file was lost meanwhile, the result is unknown. */
  const unlessLost = async <Result>(work: () => Promise<Result | 'busy'>): Promise<Result | sql.Failed | 'busy'> => {
    if (isLost()) return { is: 'failed', failure: 'down' }
    const result = await work()
    return result !== 'busy' && isLost() ? { is: 'failed', failure: 'unknown' } : result
  }
  return {
    ...writer,
    async run(commands, ...used) {
      if (isLost()) return failAll(commands.length, 'down')
      const outcomes = await writer.run(commands, ...used)
      return outcomes !== 'busy' && isLost() ? failAll(outcomes.length, 'unknown') : outcomes
    },
    runBatch: (...job) => unlessLost(() => writer.runBatch(...job)),
    readBatch: async (id) => (isLost() ? null : await writer.readBatch(id)),
    indexMoments: async () => (isLost() ? 'failed' : await writer.indexMoments()),
    canWrite: async () => !isLost() && (await writer.canWrite()),
    stopBatches: (seen) => unlessLost(() => writer.stopBatches(seen)),
  }
}

/** What happened to an open file (decision 30). */
interface Loss {
  readonly text: string
  /** Whether the open file still has the records. */
  readonly isReadable: boolean
}

/** Null while the file is intact. */
export type FileWatch = () => Loss | null

/**
 * The header of a SQLite file: magic string and page size at first, the number of pages at 28, the application id at
 * 68.
 */
const headerBytes = 72
const fixedParts = [
  [0, 18],
  [68, 72],
] as const

/**
 * Compares the open file with the one at its path. SQLite does not: it keeps writing to a file that was unlinked, and
 * to the log of one that was truncated. Costs a few microseconds.
 */
export function createFileWatch(path: string): FileWatch {
  // Never closed: with POSIX locks, close() would release the locks of every connection of this process.
  const handle = openSync(path, 'r')
  const { ino: inode, size } = statSync(path)
  const first = { inode, header: readHeader(handle) }
  let log: number | null = null
  let lastSize = size

  return () => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.ino !== first.inode) return { text: `${path} was removed or replaced`, isReadable: true }
    const header = readHeader(handle)
    if (fixedParts.some(([from, to]) => !header.subarray(from, to).equals(first.header.subarray(from, to)))) {
      return { text: `${path} was overwritten`, isReadable: false }
    }
    // VACUUM may shrink the file, and updates the header with it; while the file grows, the header may be ahead of its
    // size.
    if (stats.size < lastSize && stats.size < toSize(header))
      return { text: `${path} was cut short`, isReadable: false }
    lastSize = stats.size
    const found = statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino ?? null
    log ??= found
    return found === log ? null : { text: `the log ${path}-wal was removed or replaced`, isReadable: true }
  }
}

function readHeader(handle: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  readSync(handle, bytes, 0, headerBytes, 0)
  return bytes
}

function toSize(header: Buffer): number {
  const pageSize = header.readUInt16BE(16)
  return (pageSize === 1 ? 65536 : pageSize) * header.readUInt32BE(28)
}
