import { createReader } from '../sql/reader.ts'
import type { Store } from '../store.ts'
import { createLinkedStore, type StoreLinks } from '../thread/store-links.ts'
import type { Versions } from '../versions.ts'
import { openForReading } from './connection.ts'

/** One HTTP thread's view of the store: its own reading connection, and the lines to the writer and the query thread. */
export function createSqliteStore(path: string, versions: Versions, links: StoreLinks): Store {
  const db = openForReading(path)
  return { ...createLinkedStore(versions, links), ...createReader(db), close: () => db.close() }
}
