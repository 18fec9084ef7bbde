import type { Database } from 'bun:sqlite'
import { toErrorCode } from '../../error-code.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { eraseRecord } from '../maintain/erase.ts'
import { sync } from './atomic-file.ts'
import { closeAfter, openBeside, openForWriting, upgradeDatabase } from './connection.ts'

/** What a store knows of what was erased from it. */
export interface ErasedRecords {
  readonly ids: readonly number[]
  readonly origins: readonly { readonly digest: Uint8Array; readonly at: Timestamp }[]
}

/** Null where the store cannot be read; one of an older schema knows less, or nothing. */
export function listErased(path: string): ErasedRecords | null {
  try {
    return closeAfter(openBeside(path), (db) => ({
      ids: readIfThere<{ id: number }>(db, 'tombstone', 'record_id AS id').map(({ id }) => id),
      origins: readIfThere(db, 'erased_origin', 'digest, at'),
    }))
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(toErrorCode(error))) return null
    throw error
  }
}

function readIfThere<Row>(db: Database, table: string, columns: string): Row[] {
  const isThere = db.query<object, [string]>('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== null
  return isThere ? db.query<Row, []>(`SELECT ${columns} FROM ${table} ORDER BY 1`).all() : []
}

/** Erases those of these records that a store has, which nobody serves, and keeps the others away; gives their ids. */
export function eraseAll(path: string, { ids, origins }: ErasedRecords, at: Timestamp): number[] {
  upgradeDatabase(path)
  return closeAfter(openForWriting(path, 0), (db) => {
    const erased = ids.filter((id) => eraseRecord(db, id, at))
    const keep = db.query<null, [Uint8Array, string]>('INSERT OR IGNORE INTO erased_origin (digest, at) VALUES (?, ?)')
    db.transaction(() => {
      for (const origin of origins) keep.run(origin.digest, origin.at)
    })()
    if (erased.length > 0) wipe(db)
    return erased
  })
}

/** So many pages of an index are written at a time, in about 10 ms. */
const mergePages = 100
/** Then others may write; they ask for the file every few milliseconds. */
const pauseMs = 25
/** No index has so many slices; a merge that does not end is a mistake. */
const maxSlices = 1_000_000

/**
 * Wipes what removed rows leave behind: words in the indexes, which only vanish when those are written anew, pages that
 * are no longer used, and the log. False where a reader held on to the log, so that it could not be emptied.
 */
export function wipe(db: Database): boolean {
  db.run('PRAGMA secure_delete = ON')
  for (const index of ['search', 'speaker_piece', 'tag_piece']) rewriteIndex(db, index)
  wipeFreePages(db)
  const isEmptied = db.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  // SQLite leaves it to the disk when the log is cut; until then a power cut would bring its bytes back.
  sync(`${db.filename}-wal`)
  return isEmptied
}

function rewriteIndex(db: Database, index: string): void {
  const merge = db.query<null, [number]>(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`)
  const countChanges = db.query<{ n: number }, []>('SELECT total_changes() AS n')
  // The first slice, below zero, takes all parts of the index into one merge; those that follow go on with it.
  for (let slice = 0; slice < maxSlices; slice++) {
    const before = countChanges.get()?.n ?? 0
    merge.run(slice === 0 ? -mergePages : mergePages)
    // SQLite's own sign that there is nothing left to merge: no change but the one of asking.
    if ((countChanges.get()?.n ?? 0) - before < 2) return
    Bun.sleepSync(pauseMs)
  }
  throw new Error(`${index} could not be written anew`)
}

/** One row of zeros takes at most so many pages. */
const maxZeroPages = 8192

/** Takes all free pages for a table of zeros and gives them back. */
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
