import type { Counters } from '../store/counters.ts'
import { createReader } from '../store/read/item.ts'
import { openForReading, openForReadingChanges } from '../store/sqlite/connection.ts'
import { createQuietPeriod } from '../store/sqlite/quiet-period.ts'
import { createSharedReadTransaction } from '../store/sqlite/shared-read-transaction.ts'
import type { Store } from '../store/store.ts'
import { createRemoteStore, type StorePorts } from './port/store-ports.ts'

/** Reading on from a mapped file that was cut short would end the process (ADR 30). */
class UnreadableFile extends Error {
  readonly code = 'SQLITE_UNREADABLE'

  constructor() {
    super('the file of the store was overwritten or cut short')
  }
}

/**
 * One HTTP thread's view of the store: connections of its own, and the lines to the writer and the query thread. While
 * nobody writes, records are read by the one that maps the file, many in one transaction; else by the other, each by
 * itself: a transaction that is open at most times would keep the writer from tidying up its log.
 */
export function createSqliteStore(path: string, versions: Counters, links: StorePorts, listMs: number): Store {
  const mapped = openForReading(path)
  const unmapped = openForReadingChanges(path)
  const turn = createSharedReadTransaction(mapped, versions)
  const { read: readMapped } = createReader(mapped)
  const reader = createReader(unmapped)
  const isCalm = createQuietPeriod(versions)
  return {
    ...createRemoteStore(versions, links, listMs),
    ...reader,
    read(id) {
      if (versions.isUnreadable()) throw new UnreadableFile()
      if (!isCalm()) return reader.read(id)
      turn.begin()
      return readMapped(id)
    },
    close() {
      turn.end()
      for (const db of [mapped, unmapped]) db.close()
    },
  }
}
