import { constants, Database } from 'bun:sqlite'
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toErrorCode } from '../../error-code.ts'
import { canWriteTo } from '../explain-failure.ts'
import { explainFormerBuild, sqliteMigrations } from '../schema/migrations.ts'
import { wasServed } from './lock.ts'

/** "Rost", at byte 68 of the file: marks our databases. */
export const applicationId = 0x526f7374
/** "Rstr": of builds before the first release (decision 79). */
const formerApplicationId = 0x52737472
/** Files up to this size are checked completely at each start (about 0.1 s); `doctor` checks larger ones. */
const maxCheckedBytes = 64 * 1024 * 1024

type Inspection =
  | { readonly is: 'new' }
  | { readonly is: 'ours'; readonly schema: number }
  | { readonly is: 'refused'; readonly problem: string }

/** Advice for messages about a file that cannot be used. */
interface Advice {
  readonly foreign: string
  readonly damaged: string
}

const storeAdvice: Advice = {
  foreign: 'Name another file with --db',
  damaged: 'Restore a backup, or name another file with --db',
}

/** Inspects a database file without changing it or its sidecar files. */
export function inspectDatabase(path: string, advice: Advice = storeAdvice): Inspection {
  const wrongKind = findWrongKind(path)
  if (wrongKind !== null) return refuse(wrongKind)
  if (!existsSync(path)) return inspectMissing(path)
  const stats = statSync(path)
  if (stats.size === 0) return inspectEmpty(path, advice)
  const header = readHeader(path)
  if (header === null) return refuse(`${path} is not a Rostrum database (it is not a SQLite file). ${advice.foreign}.`)
  if (header.applicationId === formerApplicationId) return refuse(explainFormerBuild(path))
  if (header.applicationId !== applicationId && header.applicationId !== 0) return refuse(toForeign(path, advice))
  const isShort = stats.size < header.pageSize * header.pages
  if (isShort && !hasLog(path)) return refuse(toDamaged(path, 'it has been cut short', advice))
  return inspectContent(path, stats.size, advice)
}

/**
 * Why a path cannot be a store, and must not be replaced by one: a folder, a device, a pipe. Null for a file, or if
 * nothing exists there.
 */
export function findWrongKind(path: string): string | null {
  if (!existsSync(path)) return findWrongPlace(path)
  const stats = statSync(path)
  if (stats.isDirectory()) return `${path} is a folder. Name a file in it, such as ${path}/rostrum.db.`
  return stats.isFile() ? null : `${path} is not a regular file. Name another file with --db.`
}

function findWrongPlace(path: string): string | null {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink ? `${path} is a link that leads nowhere. Remove it, or name another file with --db.` : null
  } catch (error) {
    if (toErrorCode(error) !== 'ENOTDIR') throw error
    return `${path} cannot exist: a folder in this path is a file. Name another file with --db.`
  }
}

export const hasLog = (path: string) => existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0

const refuse = (problem: string): Inspection => ({ is: 'refused', problem })

const toForeign = (path: string, { foreign }: Advice) =>
  `${path} is a SQLite database of another program, not a Rostrum database. ${foreign}.`

const toDamaged = (path: string, what: string, { damaged }: Advice) =>
  `${path} is damaged (${what}). Nothing was changed. ${damaged}.`

function inspectMissing(path: string): Inspection {
  if (hasLog(path)) {
    return refuse(`${path} is missing, but its log ${path}-wal is still there. Nothing was changed. Put the file back.`)
  }
  if (wasServed(path)) {
    return refuse(
      `${path} is missing, but it has been served before. Nothing was changed. Put the file back, or remove ` +
        `${path}.lock to start with an empty store.`,
    )
  }
  const folder = dirname(path)
  // One missing folder (./data) is created. A longer missing path is more likely a typing error.
  if (existsSync(folder) ? statSync(folder).isDirectory() : existsSync(dirname(folder))) return { is: 'new' }
  return refuse(`The folder ${folder} for the database ${path} does not exist. Create it first.`)
}

/** We never leave an empty file. A lock file beside it means that there was a store. */
function inspectEmpty(path: string, advice: Advice): Inspection {
  const isOld = existsSync(`${path}.lock`) || hasLog(path)
  return isOld ? refuse(toDamaged(path, 'it is empty, though it has been served before', advice)) : { is: 'new' }
}

interface Header {
  readonly pageSize: number
  readonly pages: number
  readonly applicationId: number
}

function readHeader(path: string): Header | null {
  const bytes = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, bytes, 0, 100, 0) < 100) return null
  } finally {
    closeSync(file)
  }
  if (bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null
  const pageSize = bytes.readUInt16BE(16)
  return {
    pageSize: pageSize === 1 ? 65536 : pageSize,
    pages: bytes.readUInt32BE(28),
    applicationId: bytes.readUInt32BE(68),
  }
}

function inspectContent(path: string, size: number, advice: Advice): Inspection {
  let db: Database | undefined
  try {
    db = openUntouched(path)
    return inspectTables(db, path, size, advice)
  } catch (error) {
    return refuse(toDamaged(path, toReason(error), advice))
  } finally {
    db?.close()
  }
}

/** Without a write-ahead log the file is opened as immutable, so that SQLite creates no files beside it. */
export function openUntouched(path: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  const uri = `file:${encodeURI(path).replaceAll('?', '%3f').replaceAll('#', '%23')}`
  if (!hasLog(path)) return new Database(`${uri}?immutable=1`, flags)
  if (existsSync(`${path}-shm`) || canWriteTo(dirname(path))) return new Database(uri, flags)
  // The index of the log cannot be created, so it is kept in memory. Locks would need write access; without that file
  // no other process has the store open (decision 73).
  const db = new Database(`${uri}?vfs=unix-none`, flags)
  db.run('PRAGMA locking_mode = EXCLUSIVE')
  return db
}

function inspectTables(db: Database, path: string, size: number, advice: Advice): Inspection {
  const { application_id } = readPragma(db, 'application_id')
  const tables = db.query('SELECT name FROM sqlite_schema').all().length
  if (application_id !== applicationId) return tables === 0 ? { is: 'new' } : refuse(toForeign(path, advice))
  const { user_version = 0 } = readPragma(db, 'user_version')
  if (user_version > sqliteMigrations.length) {
    return refuse(
      `${path} was written by a newer Rostrum (schema ${user_version}, this one knows ${sqliteMigrations.length}). ` +
        'Nothing was changed. Use that newer version.',
    )
  }
  const { quick_check } = size <= maxCheckedBytes ? readPragma(db, 'quick_check(1)') : { quick_check: 'ok' }
  if (String(quick_check) !== 'ok') return refuse(toDamaged(path, 'its pages are inconsistent', advice))
  db.query('SELECT body FROM record ORDER BY id DESC LIMIT 1').get()
  db.query('SELECT body FROM version ORDER BY seq DESC LIMIT 1').get()
  return { is: 'ours', schema: user_version }
}

function readPragma(db: Database, pragma: string): { readonly [name: string]: number } {
  return db.query<Record<string, number>, []>(`PRAGMA ${pragma}`).get() ?? {}
}

function toReason(error: unknown): string {
  const code = toErrorCode(error)
  return code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT' ? 'its pages are inconsistent' : `SQLite reports ${code}`
}

/** Names that we give to a file: while it is written, and when `restore` keeps the old one. */
const ownEnds = /^\.(?:\d+\.[0-9a-f]{8}\.new|before-restore-\w+)$/

/**
 * Whether a file has names other than those that we give it. SQLite has a log per name, so processes that use different
 * names do not see each other's changes (decision 30).
 */
export function hasHardLinks(path: string): boolean {
  if (!existsSync(path)) return false
  const stats = statSync(path)
  if (!stats.isFile() || stats.nlink === 1) return false
  const [folder, own] = [dirname(path), basename(path)]
  const ours = readdirSync(folder).filter((name) => {
    if (!name.startsWith(own) || !(name === own || ownEnds.test(name.slice(own.length)))) return false
    return statSync(join(folder, name), { throwIfNoEntry: false })?.ino === stats.ino
  })
  return ours.length < stats.nlink
}
