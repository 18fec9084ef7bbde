import { statSync } from 'node:fs'
import { toErrorCode } from '../../error-code.ts'
import type { Counters } from '../../store/counters.ts'
import { createReads } from '../../store/read/create-reads.ts'
import { createRecordReader } from '../../store/read/record.ts'
import { createDeadline } from '../../store/read/statements.ts'
import { NewerSchema, sqliteMigrations } from '../../store/schema/migrations.ts'
import { openForReading, openForReadingChanges, openForWriting } from '../../store/sqlite/connection.ts'
import { createRowFinder, createSchemaReader, createSqliteDatabase } from '../../store/sqlite/database.ts'
import { createIndexes, createListSql } from '../../store/sqlite/list.ts'
import { readStoreId } from '../../store/sqlite/store-id.ts'
import { createFileWatch, createWriter, type FileWatch, refuseWhenLost } from '../../store/sqlite/writer.ts'
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
      readBytes: async () => toSize(deps.address) + toSize(`${deps.address}-wal`),
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
    const reader = createRecordReader(createRowFinder(db))
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

/** 0 for a file that does not exist. */
const toSize = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The file was overwritten or cut short while it was open (decision 30). */
class UnreadableFile extends Error {
  readonly code = 'SQLITE_UNREADABLE'

  constructor() {
    super('the file of the store was overwritten or cut short')
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
