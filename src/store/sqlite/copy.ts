import type { Database } from 'bun:sqlite'
import { closeSync, openSync, statSync } from 'node:fs'
import { type Finding, type OnStep, toFindings } from './check/finding.ts'
import { checkPages } from './check/pages.ts'
import { checkVersions } from './check/versions.ts'
import { closeAfter, openBeside } from './connection.ts'
import { openUntouched } from './inspect.ts'

/** Copies a store as it is at one moment; others read and write it meanwhile. Who may read it may read the copy. */
export function copyStore(from: string, to: string): void {
  closeSync(openSync(to, 'wx', statSync(from).mode & 0o777))
  closeAfter(openBeside(from), (db) => db.query<null, [string]>('VACUUM INTO ?').run(to))
}

/** What speaks against trusting a file: damage, or a version that is missing or not what it was. */
export function findFault(path: string, onStep: OnStep): Finding | null {
  return closeAfter(openUntouched(path), (db) => {
    const [pages] = toFindings(() => checkPages(db))
    const [versions] = pages === undefined ? toFindings(() => checkVersions(db, onStep)) : []
    return pages ?? versions ?? null
  })
}

/** Brings a store's log into its file, as far as the store can still be read. */
export function foldLog(path: string): void {
  try {
    closeAfter(openBeside(path), (db) => db.run('PRAGMA wal_checkpoint(TRUNCATE)'))
  } catch {
    // A damaged one keeps its log.
  }
}

export interface Counts {
  readonly records: number
  readonly versions: number
}

/** How much is in a copy; null where the original had more or less at the moment when the copy was made. */
export function compareCounts(original: string, copy: string): Counts | null {
  return closeAfter(openUntouched(copy), (made) => {
    const found = made.query<Counts, []>(
      'SELECT (SELECT count(*) FROM record) AS records, (SELECT count(*) FROM version) AS versions',
    )
    const counts = found.get() ?? { records: 0, versions: 0 }
    const wanted = closeAfter(openBeside(original), (db) => countUpTo(db, readLast(made)))
    return wanted.records === counts.records && wanted.versions === counts.versions ? counts : null
  })
}

/** The last change that a store has seen. */
function readLast(db: Database): number {
  const row = db.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = 'version'`).get()
  return row?.seq ?? 0
}

function countUpTo(db: Database, last: number): Counts {
  const count = db.query<Counts, [number]>(
    'SELECT count(*) FILTER (WHERE number = 1) AS records, count(*) AS versions FROM version WHERE seq <= ?',
  )
  return count.get(last) ?? { records: 0, versions: 0 }
}
