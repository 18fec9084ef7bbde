import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, lstatSync, openSync, readSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailure, exitCodes } from '../../command-failure.ts'
import { toErrorCode } from '../../error-code.ts'
import { closeWhenDone } from '../database.ts'
import { explainFailure, explainFile } from '../explain-failure.ts'
import { type OnStep, reportDamage, type StoreProblem } from '../maintain/check/problem.ts'
import { checkBodies, checkVersions } from '../maintain/check/records.ts'
import { createFileAtomically, publishUnlessTaken } from './atomic-file.ts'
import { checkForeignCode, checkPages } from './check.ts'
import { closeAfter, openBeside } from './connection.ts'
import { createSqliteDatabase } from './database.ts'
import { hasLog, openUntouched } from './inspect.ts'

/** Copies a snapshot of a store beside readers and writers. Only our user may read the copy. */
export function copyStore(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600))
  closeAfter(openOriginal(from), (db) => db.query<null, [string]>('VACUUM INTO ?').run(to))
}

/** Reads the file once, so that its errors are not reported as errors of the copy. */
function openOriginal(path: string): Database {
  return explainFailure(explainFile(`use the database ${path}`, path), () => {
    const db = openBeside(path)
    db.query('SELECT 1 FROM sqlite_schema').get()
    return db
  })
}

/**
 * Copies the store to a file beside it before an upgrade; returns the path of the copy. Never overwrites an earlier one,
 * but accepts one that an interrupted upgrade has made of the same store (decision 66).
 */
export async function keepCopy(path: string, schema: number): Promise<string> {
  const copy = `${path}.schema-${schema}`
  const refuse = (problem: string) =>
    new CommandFailure(exitCodes.cannotCreate, `${problem} Nothing was changed. To keep no copy: --upgrade-copy off`)
  const toTaken = () => refuse(`Cannot keep a copy of ${path}: ${copy} exists already. Rename or delete it.`)
  if (existsSync(copy) && !lstatSync(copy).isFile()) throw toTaken()
  const needed = statSync(path).size + (hasLog(path) ? statSync(`${path}-wal`).size : 0)
  const { bavail, bsize } = statfsSync(dirname(path))
  const toFull = () => refuse(`The disk has no room for a copy of ${path}, which may take ${needed} bytes.`)
  if (bavail * bsize < needed) throw toFull()
  const explain = (error: unknown) => (/^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/.test(toErrorCode(error)) ? toFull() : null)
  const isCreated = await explainFailure(explain, () =>
    createFileAtomically(copy, (temporary) => copyStore(path, temporary), publishOrKeep),
  )
  if (!isCreated) throw toTaken()
  return copy
}

const publishOrKeep = (temporary: string, copy: string) =>
  publishUnlessTaken(temporary, copy) || (lstatSync(copy).isFile() && isSameFile(temporary, copy))

const compared = 1 << 20

/** Whether two files have the same bytes, as copies of the same content have. */
function isSameFile(one: string, other: string): boolean {
  const size = statSync(one).size
  if (statSync(other).size !== size) return false
  const [first, second] = [openSync(one, 'r'), openSync(other, 'r')]
  const [left, right] = [Buffer.alloc(compared), Buffer.alloc(compared)]
  try {
    for (let offset = 0; offset < size; offset += compared) {
      const read = [readSync(first, left, 0, compared, offset), readSync(second, right, 0, compared, offset)]
      if (read[0] !== read[1] || !left.equals(right)) return false
    }
    return true
  } finally {
    closeSync(first)
    closeSync(second)
  }
}

/** Why a file cannot be trusted: damage, foreign triggers or views, or a version that does not match its checksum. */
export function findFault(path: string, onStep: OnStep): Promise<StoreProblem | null> {
  return closeWhenDone(openUntouched(path), async (raw) => {
    const db = createSqliteDatabase(raw)
    const checks = [
      () => checkPages(raw),
      () => checkForeignCode(raw),
      () => checkVersions(db, onStep),
      () => checkBodies(db),
    ]
    for (const check of checks) {
      for await (const problem of reportDamage(check)) return problem
    }
    return null
  })
}

/** Checkpoints the log into the file, if the store can be read. */
export function checkpointLog(path: string): void {
  try {
    closeAfter(openBeside(path), (db) => db.run('PRAGMA wal_checkpoint(TRUNCATE)'))
  } catch {
    // A damaged store keeps its log.
  }
}

interface RowCounts {
  readonly records: number
  readonly versions: number
}

/** What a copy contains; null if that differs from the original when it was copied. */
export function compareCounts(original: string, copy: string): RowCounts | null {
  return closeAfter(openUntouched(copy), (made) => {
    const last = readLast(made)
    const counts = count(made, last, [])
    const isSame = closeAfter(openOriginal(original), (db) => {
      const erased = listErasedSince(db, last)
      return Bun.deepEquals(count(db, last, erased), erased.length === 0 ? counts : count(made, last, erased))
    })
    return isSame && counts.records === countRecords(made) ? counts : null
  })
}

/** The number of the last change. */
function readLast(db: Database): number {
  const row = db.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = 'version'`).get()
  return row?.seq ?? 0
}

function count(db: Database, last: number, without: readonly number[]): RowCounts {
  const rows = db.query<RowCounts, [number, string]>(
    `SELECT count(*) FILTER (WHERE number = 1) AS records, count(*) AS versions FROM version
     WHERE seq <= ? AND record_id NOT IN (SELECT value FROM json_each(?))`,
  )
  return rows.get(last, JSON.stringify(without)) ?? { records: 0, versions: 0 }
}

function countRecords(db: Database): number {
  return db.query<{ n: number }, []>('SELECT count(*) AS n FROM record').get()?.n ?? 0
}

/** Records erased since the copy was made. */
function listErasedSince(db: Database, last: number): number[] {
  const rows = db.query<{ id: number }, [number]>('SELECT record_id AS id FROM tombstone WHERE seq > ?')
  return rows.all(last).map(({ id }) => id)
}
