import type { Mark } from '../../record/command.ts'
import type { RecordExtras, StoredVersion } from '../change-log.ts'
import type { Database } from '../database.ts'
import type { StoredRecord, Token } from '../store.ts'
import { createErasedCheck } from './erased.ts'
import {
  type ChecksumRow,
  readerSql,
  type TokenRow,
  toExtras,
  toFoundMark,
  toStoredVersion,
  toToken,
  type WholeVersionRow,
} from './item-rows.ts'
import { createRecordCheck } from './record-check.ts'

export interface Reader {
  read(id: number): StoredRecord | null
  isErased(id: number): boolean
  findMark(id: number, number: number): Mark | null
  readVersion(id: number, number: number): StoredVersion | null
  readExtras(id: number): RecordExtras
  findToken(hash: Uint8Array): Token | null
}

/** Synchronous reads on a connection of one's own: one primary-key look-up of ready bytes. */
export function createReader(db: Database): Reader {
  const readOne = db.query<StoredRecord, [number]>(readerSql.record)
  const findChecksum = db.query<ChecksumRow, [number, number]>(readerSql.checksum)
  const check = createRecordCheck()
  const readVersion = db.query<WholeVersionRow, [number, number]>(readerSql.version)
  const findOrigin = db.query<{ source: string; path: string }, [number]>(readerSql.origin)
  const readExtras = db.query<{ body: Uint8Array }, [number]>(readerSql.extras)
  const findToken = db.query<TokenRow, [Uint8Array]>(readerSql.token)
  return {
    read: (id) => check(readOne.get(id)),
    isErased: createErasedCheck(db),
    findMark: (id, number) => toFoundMark(number, findChecksum.get(id, number)),
    readVersion: (id, number) => toStoredVersion(readVersion.get(id, number)),
    readExtras: (id) => toExtras(findOrigin.get(id), readExtras.get(id)),
    findToken: (hash) => toToken(findToken.get(hash)),
  }
}
