import { andThen, type MaybePromise } from '../../promises.ts'
import type { VersionTag } from '../../record/command.ts'
import type { JsonObject } from '../../record/json.ts'
import { isRole } from '../../record/role.ts'
import type { AccessStore, AccessToken } from '../access.ts'
import type { RecordExtras, StoredVersion } from '../change-log.ts'
import { anyVersion, type CompanionRow, companionSql, toCompanionContent } from '../companion/companion-rows.ts'
import type { Database } from '../database.ts'
import { limitsSql, type SessionRow, sessionSql, toStoredSession } from '../sessions.ts'
import type { RecordReads, StoredRecord } from '../store.ts'
import { createChecksumCheck, DamagedRecord, isChecksum, toVersionTag } from '../write/version-rows.ts'
import { toVersionLine, type VersionRow, versionColumns } from './change-log.ts'

type RecordReader = RecordReads & Pick<AccessStore, 'findToken' | 'findSession'>

/** Whether a record with this id was erased. */
export function createErasedCheck(db: Database): (id: number) => Promise<boolean> {
  const find = db.query<{ id: number }, [number]>(readerSql.erased)
  return async (id) => (await find.get(id)) !== null
}

/** What the reader needs of a connection: `Database` has it; HTTP threads read SQLite synchronously. */
export interface RowFinder {
  query<Row, Bound extends (number | string | Uint8Array)[]>(
    sql: string,
  ): { get(...values: Bound): MaybePromise<Row | null> }
}

/** Each read is one primary-key lookup of stored bytes. */
export function createRecordReader(db: RowFinder): RecordReader {
  const readOne = db.query<StoredRecord, [number]>(readerSql.record)
  const findErased = db.query<{ id: number }, [number]>(readerSql.erased)
  const findChecksum = db.query<ChecksumRow, [number, number]>(readerSql.checksum)
  const check = createChecksumCheck()
  const readVersion = db.query<WholeVersionRow, [number, number]>(readerSql.version)
  const readCompanion = db.query<CompanionRow, [number, string, number]>(companionSql)
  const findOrigin = db.query<{ source: string; path: string }, [number]>(readerSql.origin)
  const readExtras = db.query<ExtrasRow, [number]>(readerSql.extras)
  const findToken = db.query<AccessTokenRow, [Uint8Array]>(readerSql.token)
  const findSession = db.query<SessionRow, [Uint8Array]>(sessionSql)
  return {
    read: (id) => andThen(readOne.get(id), check),
    isErased: (id) => andThen(findErased.get(id), (row) => row !== null),
    findVersionTag: (id, number) => andThen(findChecksum.get(id, number), (row) => toVersionTagOf(number, row)),
    readVersion: (id, number) => andThen(readVersion.get(id, number), toStoredVersion),
    readCompanion: (id, name, number = anyVersion) =>
      andThen(readCompanion.get(id, name, number), (row) => ({ name, ...toCompanionContent(name, id, row) })),
    readExtras: (id) =>
      andThen(findOrigin.get(id), (origin) => andThen(readExtras.get(id), (row) => toExtras(origin, row))),
    findToken: (hash) => andThen(findToken.get(hash), toToken),
    findSession: (hash) => andThen(findSession.get(hash), toStoredSession),
  }
}

/** The SQL of single reads. */
export const readerSql = {
  record: 'SELECT id, version, mark AS "versionTag", state, updated, body FROM record WHERE id = ?',
  checksum: 'SELECT checksum FROM version WHERE record_id = ? AND number = ?',
  version: `SELECT ${versionColumns}, checksum, body FROM version WHERE record_id = ? AND number = ?`,
  origin: 'SELECT source, path FROM origin WHERE record_id = ?',
  extras: 'SELECT body FROM extras WHERE record_id = ?',
  erased: 'SELECT record_id AS id FROM tombstone WHERE record_id = ?',
  token: `SELECT id, name, role, expires, ${limitsSql} AS limits FROM token WHERE hash = ? AND revoked IS NULL`,
} as const

export type WholeVersionRow = VersionRow & { readonly checksum: Uint8Array; readonly body: Uint8Array }
export type ExtrasRow = { readonly body: Uint8Array }
export type ChecksumRow = { readonly checksum: Uint8Array }
export type AccessTokenRow = Omit<AccessToken, 'role' | 'isLimited'> & {
  readonly role: string
  readonly limits: number
}

export function toVersionTagOf(number: number, row: ChecksumRow | null): VersionTag | null {
  return row === null ? null : toVersionTag(number, row.checksum)
}

export function toStoredVersion(row: WholeVersionRow | null): StoredVersion | null {
  if (row === null) return null
  const { checksum, body, ...line } = row
  if (!isChecksum(checksum, body))
    throw new DamagedRecord(`version ${line.version} of a record does not match its checksum`)
  return { ...toVersionLine(line), versionTag: toVersionTag(line.version, checksum), body }
}

export function toExtras(origin: RecordExtras['origin'], row: ExtrasRow | null): RecordExtras {
  const extras: JsonObject = row === null ? {} : JSON.parse(Buffer.from(row.body).toString())
  return { origin, extras }
}

export function toToken(row: AccessTokenRow | null): AccessToken | null {
  if (row === null || !isRole(row.role)) return null
  const { id, name, role, expires, limits } = row
  return { id, name, role, expires, isLimited: limits > 0 }
}
