import type { Database } from 'bun:sqlite'
import { toErrorCode } from '../../error-code.ts'
import type { VersionTag } from '../../record/command.ts'
import type { AccessToken, StoredSession } from '../../store/access.ts'
import type { RecordExtras, StoredVersion } from '../../store/change-log.ts'
import type { Counters } from '../../store/counters.ts'
import { createReads } from '../../store/read/create-reads.ts'
import {
  type AccessTokenRow,
  type ChecksumRow,
  type ExtrasRow,
  readerSql,
  toExtras,
  toStoredVersion,
  toToken,
  toVersionTagOf,
  type WholeVersionRow,
} from '../../store/read/record.ts'
import { createDeadline } from '../../store/read/statements.ts'
import { NewerSchema, sqliteMigrations } from '../../store/schema/migrations.ts'
import { type SessionRow, sessionSql, toStoredSession } from '../../store/sessions.ts'
import { openForReading, openForReadingChanges, openForWriting } from '../../store/sqlite/connection.ts'
import { createSchemaReader, createSqliteDatabase } from '../../store/sqlite/database.ts'
import { createIndexes, createListSql } from '../../store/sqlite/list.ts'
import { readStoreId } from '../../store/sqlite/store-id.ts'
import { createFileWatch, createWriter, type FileWatch, refuseWhenLost } from '../../store/sqlite/writer.ts'
import type { StoredRecord } from '../../store/store.ts'
import { createChecksumCheck } from '../../store/write/version-rows.ts'
import { sqliteBatchSettings } from '../writer/batch-runner.ts'
import type { Backend } from './backend.ts'

/** Short, because it blocks the thread; the queue retries. */
const busyTimeoutMs = 20
/** How long a group stays open for more commands. */
const maxGroupMs = 50

export const sqliteBackend: Backend = {
  async openWriter({ address: path, counters, report }) {
    const db = openForWriting(path, busyTimeoutMs)
    const findLoss = createLossCheck(createFileWatch(path), counters, report)
    const writer = refuseWhenLost(createWriter({ db, now: Date.now, onError: report, maxGroupMs }), findLoss)
    const readSchema = createSchemaReader(db)
    /** Also noticed without a write (decision 66). */
    function isUpgraded(): boolean {
      const schema = counters.hasNewerSchema() ? 0 : readSchema()
      if (schema > sqliteMigrations.length) report(new NewerSchema(schema, sqliteMigrations.length))
      return counters.hasNewerSchema()
    }
    // An earlier writer may have died after a commit and before it bumped the counters.
    counters.bumpAll()
    counters.publish(await writer.readLastSeq())
    return {
      writer,
      batches: sqliteBatchSettings,
      canWrite: writer.canWrite,
      isLost: () => findLoss() || isUpgraded(),
      isPolled: true,
    }
  },

  openQueries(deps) {
    const db = createSqliteDatabase(openForReading(deps.address))
    const watch = createFileWatch(deps.address)
    const engine = {
      ...{ db, deadline: createDeadline(), readStoreId, createIndexes, createListSql },
      bodyContains: 'instr(body, ?) > 0',
    }
    return {
      ...createReads(engine, { ...deps, maxPageBytes: deps.limits.maxPageBytes }),
      isDown: deps.counters.isUnreadable,
      toFailure: (error) => (isBroken(error) || watch() !== null ? 'down' : 'bug'),
    }
  },

  openRecords({ address: path, counters }) {
    const db = openForReadingChanges(path)
    const reader = createSqliteReader(db)
    return {
      ...reader,
      read(id) {
        if (counters.isUnreadable()) throw new UnreadableFile()
        return reader.read(id)
      },
      unreadyReason: () => null,
      close: () => db.close(),
    }
  },
}

/** The file was overwritten or cut short while it was open (decision 30). */
class UnreadableFile extends Error {
  readonly code = 'SQLITE_UNREADABLE'

  constructor() {
    super('the file of the store was overwritten or cut short')
  }
}

interface SqliteReader {
  read(id: number): StoredRecord | null
  isErased(id: number): boolean
  findVersionTag(id: number, number: number): VersionTag | null
  readVersion(id: number, number: number): StoredVersion | null
  readExtras(id: number): RecordExtras
  findToken(hash: Uint8Array): AccessToken | null
  findSession(hash: Uint8Array): StoredSession | null
}

/** Synchronous reads for HTTP threads: each is one primary-key lookup of stored bytes. */
export function createSqliteReader(db: Database): SqliteReader {
  const findErased = db.query<{ id: number }, [number]>(readerSql.erased)
  const readOne = db.query<StoredRecord, [number]>(readerSql.record)
  const findChecksum = db.query<ChecksumRow, [number, number]>(readerSql.checksum)
  const check = createChecksumCheck()
  const readVersion = db.query<WholeVersionRow, [number, number]>(readerSql.version)
  const findOrigin = db.query<{ source: string; path: string }, [number]>(readerSql.origin)
  const readExtras = db.query<ExtrasRow, [number]>(readerSql.extras)
  const findToken = db.query<AccessTokenRow, [Uint8Array]>(readerSql.token)
  const findSession = db.query<SessionRow, [Uint8Array]>(sessionSql)
  return {
    read: (id) => check(readOne.get(id)),
    isErased: (id) => findErased.get(id) !== null,
    findVersionTag: (id, number) => toVersionTagOf(number, findChecksum.get(id, number)),
    readVersion: (id, number) => toStoredVersion(readVersion.get(id, number)),
    readExtras: (id) => toExtras(findOrigin.get(id), readExtras.get(id)),
    findToken: (hash) => toToken(findToken.get(hash)),
    findSession: (hash) => toStoredSession(findSession.get(hash)),
  }
}

/** Whether the file is lost. Reported once, and permanent: commits that went missing do not come back (decision 30). */
function createLossCheck(watch: FileWatch, counters: Counters, report: (error: unknown) => void): () => boolean {
  let isLost = false
  return () => {
    const loss = isLost ? null : watch()
    if (loss === null) return isLost
    isLost = true
    if (!loss.isReadable) counters.setUnreadable()
    report(new Error(`${loss.text}; writes are refused until the server is restarted`))
    return true
  }
}

/** Whether the file is damaged or missing, which is not a bug. */
function isBroken(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(toErrorCode(error))
}
