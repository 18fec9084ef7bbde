import type { Store } from '../store.ts'
import type { Versions } from '../versions.ts'
import { openForReading } from './connection.ts'
import { createReader } from './reader.ts'
import type { WriterLink } from './writer-link.ts'

/** One HTTP thread's view of the store: its own reading connection, and the line to the one writer. */
export function createSqliteStore(path: string, versions: Versions, link: WriterLink): Store {
  const db = openForReading(path)
  const reader = createReader(db)
  return {
    ...reader,
    execute: link.execute,
    noteTokenUse: link.noteTokenUse,
    tokensCounter: versions.loadTokens,
    isReady: link.isAttached,
    close: () => db.close(),
  }
}
