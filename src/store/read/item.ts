import type { VersionTag } from '../../record/command.ts'
import type { RecordExtras, StoredVersion } from '../change-log.ts'
import type { Database } from '../database.ts'
import type { AccessToken, StoredRecord } from '../store.ts'
import {
  type AccessTokenRow,
  type ChecksumRow,
  readerSql,
  toExtras,
  toStoredVersion,
  toToken,
  toVersionTagOf,
  type WholeVersionRow,
} from './item-rows.ts'
import { createChecksumCheck } from './record-check.ts'

export interface Reader {
  read(id: number): StoredRecord | null
  isErased(id: number): boolean
  findVersionTag(id: number, number: number): VersionTag | null
  readVersion(id: number, number: number): StoredVersion | null
  readExtras(id: number): RecordExtras
  findToken(hash: Uint8Array): AccessToken | null
}

/** Tells whether a record with this id was erased for good. */
export function createErasedCheck(db: Database): (id: number) => boolean {
  const find = db.query<{ id: number }, [number]>(readerSql.erased)
  return (id) => find.get(id) !== null
}

/** Synchronous reads: each is one primary-key lookup of stored bytes. */
export function createReader(db: Database): Reader {
  const readOne = db.query<StoredRecord, [number]>(readerSql.record)
  const findChecksum = db.query<ChecksumRow, [number, number]>(readerSql.checksum)
  const check = createChecksumCheck()
  const readVersion = db.query<WholeVersionRow, [number, number]>(readerSql.version)
  const findOrigin = db.query<{ source: string; path: string }, [number]>(readerSql.origin)
  const readExtras = db.query<{ body: Uint8Array }, [number]>(readerSql.extras)
  const findToken = db.query<AccessTokenRow, [Uint8Array]>(readerSql.token)
  return {
    read: (id) => check(readOne.get(id)),
    isErased: createErasedCheck(db),
    findVersionTag: (id, number) => toVersionTagOf(number, findChecksum.get(id, number)),
    readVersion: (id, number) => toStoredVersion(readVersion.get(id, number)),
    readExtras: (id) => toExtras(findOrigin.get(id), readExtras.get(id)),
    findToken: (hash) => toToken(findToken.get(hash)),
  }
}
