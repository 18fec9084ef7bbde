import { createReader } from '../sql/reader.ts'
import type { Store } from '../store.ts'
import { createLinkedStore, type StoreLinks } from '../thread/store-links.ts'
import type { Versions } from '../versions.ts'
import { openForReading } from './connection.ts'
import { createTurnReads } from './turn-reads.ts'

/** One HTTP thread's view of the store: its own reading connection, and the lines to the writer and the query thread. */
export function createSqliteStore(path: string, versions: Versions, links: StoreLinks): Store {
  const db = openForReading(path)
  const reader = createReader(db)
  const turn = createTurnReads(db, versions)
  const apart =
    <Asked extends readonly unknown[], T>(read: (...asked: Asked) => T) =>
    (...asked: Asked): T => {
      turn.end()
      return read(...asked)
    }
  return {
    ...createLinkedStore(versions, links),
    read(id) {
      turn.begin()
      return reader.read(id)
    },
    isErased: apart(reader.isErased),
    readVersion: apart(reader.readVersion),
    readExtras: apart(reader.readExtras),
    findToken: apart(reader.findToken),
    close() {
      turn.end()
      db.close()
    },
  }
}
