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
  read(id: number): Promise<StoredRecord | null>
  isErased(id: number): Promise<boolean>
  findVersionTag(id: number, number: number): Promise<VersionTag | null>
  readVersion(id: number, number: number): Promise<StoredVersion | null>
  readExtras(id: number): Promise<RecordExtras>
  findToken(hash: Uint8Array): Promise<AccessToken | null>
}

/** Tells whether a record with this id was erased for good. */
export function createErasedCheck(db: Database): (id: number) => Promise<boolean> {
  const find = db.query<{ id: number }, [number]>(readerSql.erased)
  return async (id) => (await find.get(id)) !== null
}

/** Each read is one primary-key lookup of stored bytes. */
export function createReader(db: Database): Reader {
  const readOne = db.query<StoredRecord, [number]>(readerSql.record)
  const findChecksum = db.query<ChecksumRow, [number, number]>(readerSql.checksum)
  const check = createChecksumCheck()
  const readVersion = db.query<WholeVersionRow, [number, number]>(readerSql.version)
  const findOrigin = db.query<{ source: string; path: string }, [number]>(readerSql.origin)
  const readExtras = db.query<{ body: Uint8Array }, [number]>(readerSql.extras)
  const findToken = db.query<AccessTokenRow, [Uint8Array]>(readerSql.token)
  return {
    read: async (id) => check(await readOne.get(id)),
    isErased: createErasedCheck(db),
    findVersionTag: async (id, number) => toVersionTagOf(number, await findChecksum.get(id, number)),
    readVersion: async (id, number) => toStoredVersion(await readVersion.get(id, number)),
    readExtras: async (id) => toExtras(await findOrigin.get(id), await readExtras.get(id)),
    findToken: async (hash) => toToken(await findToken.get(hash)),
  }
}
