import type { Database } from 'bun:sqlite'
import type { Timestamp } from '../../record/timestamp.ts'
import { closeWhenDone } from '../database.ts'
import { eraseRecord } from '../maintain/erase.ts'
import { sync } from './atomic-file.ts'
import { openForWriting } from './connection.ts'
import { createSqliteDatabase } from './database.ts'

/** What was erased from a store. */
export interface ErasedRecords {
  readonly ids: readonly number[]
  readonly origins: readonly { readonly digest: Uint8Array; readonly at: Timestamp }[]
}

/**
 * Erases these records from a store that is not being served, and makes imports skip these origins. Returns the ids
 * that were erased.
 */
export async function eraseAll(path: string, { ids, origins }: ErasedRecords, at: Timestamp): Promise<number[]> {
  return closeWhenDone(openForWriting(path, 0), async (raw) => {
    const db = createSqliteDatabase(raw)
    const erased: number[] = []
    for (const id of ids) if (await eraseRecord(db, id, at)) erased.push(id)
    const keep = raw.query<null, [Uint8Array, string]>('INSERT OR IGNORE INTO erased_origin (digest, at) VALUES (?, ?)')
    raw.transaction(() => {
      for (const origin of origins) keep.run(origin.digest, origin.at)
    })()
    if (erased.length > 0) wipe(raw)
    return erased
  })
}

/** Index pages per slice, about 10 ms of work. */
const mergePages = 100
/** Pause between slices for other writers, which retry every few milliseconds. */
const pauseMs = 25
/** More than any index needs; a merge that does not end is a bug. */
const maxSlices = 1_000_000

/**
 * Overwrites the remains of deleted rows (decision 11): tokens in the search indexes, which vanish only when the index is
 * rewritten, free pages, and the log. False if a reader of the log prevented its truncation.
 */
export function wipe(db: Database): boolean {
  db.run('PRAGMA secure_delete = ON')
  for (const index of ['search', 'speaker_piece', 'tag_piece']) rewriteIndex(db, index)
  wipeFreePages(db)
  const isEmptied = db.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  // SQLite does not flush the truncation; a power cut would bring the bytes back.
  sync(`${db.filename}-wal`)
  return isEmptied
}

function rewriteIndex(db: Database, index: string): void {
  const merge = db.query<null, [number]>(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`)
  const countChanges = db.query<{ n: number }, []>('SELECT total_changes() AS n')
  // A negative size in the first slice merges all segments; the next slices continue it.
  for (let slice = 0; slice < maxSlices; slice++) {
    const before = countChanges.get()?.n ?? 0
    merge.run(slice === 0 ? -mergePages : mergePages)
    // Documented by SQLite: the merge is complete if nothing changed except the statement itself.
    if ((countChanges.get()?.n ?? 0) - before < 2) return
    Bun.sleepSync(pauseMs)
  }
  throw new Error(`${index} could not be rewritten`)
}

/** Pages of zeros per row. */
const maxZeroPages = 8192

/** Fills all free pages with a table of zeros, and drops it. */
function wipeFreePages(db: Database): void {
  const countFree = db.query<{ freelist_count: number }, []>('PRAGMA freelist_count')
  const { page_size: pageSize = 0 } = db.query<{ page_size: number }, []>('PRAGMA page_size').get() ?? {}
  const readFree = () => countFree.get()?.freelist_count ?? 0
  const wipeAll = db.transaction(() => {
    db.run('CREATE TABLE zeros (pages BLOB)')
    const add = db.query<null, [number]>('INSERT INTO zeros VALUES (zeroblob(?))')
    for (let free = readFree(); free > 0; free = readFree()) add.run(Math.min(free, maxZeroPages) * (pageSize - 4))
    add.finalize()
    db.run('DROP TABLE zeros')
  })
  wipeAll.immediate()
}
