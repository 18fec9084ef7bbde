import { toErrorCode } from '../../error-code.ts'
import type { Counters } from '../../store/counters.ts'
import { createCategoryReader } from '../../store/read/category.ts'
import { createChangeLog } from '../../store/read/change-log.ts'
import { createRecordReader } from '../../store/read/item.ts'
import { createSiteReads } from '../../store/read/site.ts'
import { createDeadline } from '../../store/read/statements.ts'
import { createVocabulary } from '../../store/read/vocabulary.ts'
import { sqliteMigrations } from '../../store/schema/migrations.ts'
import { createSuggest } from '../../store/search/suggest.ts'
import { openForReading, openForReadingChanges, openForWriting } from '../../store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../store/sqlite/database.ts'
import { createFileWatch, type FileWatch } from '../../store/sqlite/file-watch.ts'
import { createIndexes, createList } from '../../store/sqlite/list.ts'
import { createSqliteReader } from '../../store/sqlite/reader.ts'
import { readStoreId } from '../../store/sqlite/store-id.ts'
import { createWriter, refuseWhenLost } from '../../store/sqlite/writer.ts'
import { sqliteBatchSettings } from '../writer/batch-jobs.ts'
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
    // An earlier writer may have died after a commit and before it bumped the counters.
    counters.bumpAll()
    counters.publish(await writer.readLastSeq())
    return {
      writer,
      batches: sqliteBatchSettings,
      canWrite: writer.canWrite,
      isLost: findLoss,
      isPolled: true,
    }
  },

  openQueries({ address: path, counters, limits, snapshot, report }) {
    const { loadChanges, loadPublished, isUnreadable } = counters
    const db = createSqliteDatabase(openForReading(path))
    const deadline = createDeadline()
    const watch = createFileWatch(path)
    const indexes = createIndexes(
      db,
      { onStep: deadline.check },
      snapshot && { ...snapshot, schema: sqliteMigrations.length, readStoreId, changesCounter: loadChanges, report },
    )
    return {
      list: createList({
        db,
        indexes,
        changesCounter: loadChanges,
        maxPageBytes: limits.maxPageBytes,
        onStep: deadline.check,
      }),
      vocabulary: createVocabulary(db, loadChanges, deadline.check, indexes.columns),
      suggest: createSuggest({ db, indexes, changesCounter: loadChanges, onStep: deadline.check }),
      categories: createCategoryReader(db),
      site: createSiteReads({ db, changesCounter: loadChanges }),
      changeLog: createChangeLog(db, { readStoreId, loadPublished }),
      records: createRecordReader(db),
      loaded: [
        indexes.columns,
        indexes.nameLoader,
        indexes.ranked,
        ...(indexes.snapshot === null ? [] : [indexes.snapshot]),
      ],
      deadline,
      isDown: isUnreadable,
      toFailure: (error) => (isBroken(error) || watch() !== null ? 'down' : 'bug'),
      async close() {
        await indexes.snapshot?.close()
        await db.close()
      },
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

/** The file was overwritten or cut short while it was open (ADR 30). */
class UnreadableFile extends Error {
  readonly code = 'SQLITE_UNREADABLE'

  constructor() {
    super('the file of the store was overwritten or cut short')
  }
}

/** Whether the file is lost. Reported once, and permanent: commits that went missing do not come back (ADR 30). */
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
