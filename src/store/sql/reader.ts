import { isRole } from '../../record/command.ts'
import type { RecordExtras, StoredVersion } from '../log.ts'
import type { StoredRecord, Token } from '../store.ts'
import type { Database } from './database.ts'
import { createErasedCheck } from './erased.ts'
import { toVersionLine, type VersionRow, versionColumns } from './log.ts'
import { toMark } from './version-rows.ts'

export interface Reader {
  read(id: number): StoredRecord | null
  isErased(id: number): boolean
  readVersion(id: number, number: number): StoredVersion | null
  readExtras(id: number): RecordExtras
  findToken(hash: Uint8Array): Token | null
}

/** Synchronous reads on a connection of one's own: one primary-key look-up of ready bytes. */
export function createReader(db: Database): Reader {
  const readOne = db.query<StoredRecord, [number]>(
    'SELECT id, version, mark, state, updated, body FROM record WHERE id = ?',
  )
  const readVersion = db.query<VersionRow & { checksum: Uint8Array; body: Uint8Array }, [number, number]>(
    `SELECT ${versionColumns}, checksum, body FROM version WHERE record_id = ? AND number = ?`,
  )
  const findOrigin = db.query<{ source: string; path: string }, [number]>(
    'SELECT source, path FROM origin WHERE record_id = ?',
  )
  const readExtras = db.query<{ body: Uint8Array }, [number]>('SELECT body FROM extras WHERE record_id = ?')
  const findToken = db.query<{ id: number; name: string; role: string }, [Uint8Array]>(
    'SELECT id, name, role FROM token WHERE hash = ? AND revoked IS NULL',
  )
  return {
    read: (id) => readOne.get(id),
    isErased: createErasedCheck(db),
    readVersion(id, number) {
      const row = readVersion.get(id, number)
      if (row === null) return null
      const { checksum, body, ...line } = row
      return { ...toVersionLine(line), mark: toMark(number, checksum), body }
    },
    readExtras(id) {
      const row = readExtras.get(id)
      return { origin: findOrigin.get(id), extras: row === null ? {} : JSON.parse(Buffer.from(row.body).toString()) }
    },
    findToken(hash) {
      const row = findToken.get(hash)
      return row !== null && isRole(row.role) ? { id: row.id, name: row.name, role: row.role } : null
    },
  }
}
