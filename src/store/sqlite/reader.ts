import type { Database } from 'bun:sqlite'
import type { VersionTag } from '../../record/command.ts'
import type { AccessToken, StoredSession } from '../access.ts'
import type { RecordExtras, StoredVersion } from '../change-log.ts'
import {
  type AccessTokenRow,
  type ChecksumRow,
  type ExtrasRow,
  readerSql,
  toExtras,
  toStoredVersion,
  toToken,
  toVersionTagOf,
  type WholeVersionRow,
} from '../read/item.ts'
import { type SessionRow, sessionSql, toStoredSession } from '../sessions.ts'
import type { StoredRecord } from '../store.ts'
import { createChecksumCheck } from '../write/version-rows.ts'

export interface SqliteReader {
  read(id: number): StoredRecord | null
  isErased(id: number): boolean
  findVersionTag(id: number, number: number): VersionTag | null
  readVersion(id: number, number: number): StoredVersion | null
  readExtras(id: number): RecordExtras
  findToken(hash: Uint8Array): AccessToken | null
  findSession(hash: Uint8Array): StoredSession | null
}

/** Synchronous reads for HTTP threads: each is one primary-key lookup of stored bytes. */
export function createSqliteReader(db: Database): SqliteReader {
  const findErased = db.query<{ id: number }, [number]>(readerSql.erased)
  const readOne = db.query<StoredRecord, [number]>(readerSql.record)
  const findChecksum = db.query<ChecksumRow, [number, number]>(readerSql.checksum)
  const check = createChecksumCheck()
  const readVersion = db.query<WholeVersionRow, [number, number]>(readerSql.version)
  const findOrigin = db.query<{ source: string; path: string }, [number]>(readerSql.origin)
  const readExtras = db.query<ExtrasRow, [number]>(readerSql.extras)
  const findToken = db.query<AccessTokenRow, [Uint8Array]>(readerSql.token)
  const findSession = db.query<SessionRow, [Uint8Array]>(sessionSql)
  return {
    read: (id) => check(readOne.get(id)),
    isErased: (id) => findErased.get(id) !== null,
    findVersionTag: (id, number) => toVersionTagOf(number, findChecksum.get(id, number)),
    readVersion: (id, number) => toStoredVersion(readVersion.get(id, number)),
    readExtras: (id) => toExtras(findOrigin.get(id), readExtras.get(id)),
    findToken: (hash) => toToken(findToken.get(hash)),
    findSession: (hash) => toStoredSession(findSession.get(hash)),
  }
}
