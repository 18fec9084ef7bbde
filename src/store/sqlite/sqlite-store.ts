import type { Database } from 'bun:sqlite'
import { createReader } from '../sql/reader.ts'
import type { Store } from '../store.ts'
import { createLinkedStore, type StoreLinks } from '../thread/store-links.ts'
import type { Versions } from '../versions.ts'
import { createCalm } from './calm.ts'
import { openForReading, openForReadingChanges } from './connection.ts'
import { createTurnReads } from './turn-reads.ts'

/** One HTTP thread's view of the store: connections of its own, and the lines to the writer and the query thread. */
export function createSqliteStore(path: string, versions: Versions, links: StoreLinks): Store {
  const mapped = toSide(openForReading(path), versions)
  const unmapped = toSide(openForReadingChanges(path), versions)
  const isCalm = createCalm(versions)
  const apart =
    <Asked extends readonly unknown[], T>(read: (...asked: Asked) => T) =>
    (...asked: Asked): T => {
      unmapped.turn.end()
      return read(...asked)
    }
  return {
    ...createLinkedStore(versions, links),
    read(id) {
      const { turn, reader } = isCalm() ? mapped : unmapped
      turn.begin()
      return reader.read(id)
    },
    isErased: apart(unmapped.reader.isErased),
    readVersion: apart(unmapped.reader.readVersion),
    readExtras: apart(unmapped.reader.readExtras),
    findToken: apart(unmapped.reader.findToken),
    close() {
      for (const { db, turn } of [mapped, unmapped]) {
        turn.end()
        db.close()
      }
    },
  }
}

function toSide(db: Database, versions: Versions) {
  return { db, reader: createReader(db), turn: createTurnReads(db, versions) }
}
