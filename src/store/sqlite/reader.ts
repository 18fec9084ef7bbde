import type { Database } from 'bun:sqlite'
import { isRole } from '../../record/command.ts'
import type { StoredRecord, Token } from '../store.ts'

export interface Reader {
  read(id: number): StoredRecord | null
  findToken(hash: Uint8Array): Token | null
}

/** Synchronous reads on a connection of one's own: one primary-key look-up of ready bytes. */
export function createReader(db: Database): Reader {
  const readOne = db.query<StoredRecord, [number]>(
    'SELECT id, version, mark, state, updated, body FROM record WHERE id = ?',
  )
  const findToken = db.query<{ id: number; name: string; role: string }, [Uint8Array]>(
    'SELECT id, name, role FROM token WHERE hash = ? AND revoked IS NULL',
  )
  return {
    read: (id) => readOne.get(id),
    findToken(hash) {
      const row = findToken.get(hash)
      return row !== null && isRole(row.role) ? { id: row.id, name: row.name, role: row.role } : null
    },
  }
}
