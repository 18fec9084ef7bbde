import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import type { ReadBodies } from '../read/list/list.ts'
import type { MemoryIndexes } from '../search/memory-indexes.ts'

export interface SiteReadDeps {
  readonly db: Database
  readonly indexes: MemoryIndexes
  /** The SQL of lists. */
  readonly sql: { readonly readBodies: ReadBodies }
  /** Moves with every change of the store. */
  changesCounter(): number
}

/** Applies all changes to the columns; loads them within the request if they are not complete yet. */
export async function ensureColumns(columns: RecordColumns): Promise<void> {
  await columns.refresh()
  if (!columns.isComplete()) await columns.loadAll()
}
