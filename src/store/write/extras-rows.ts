import type { StoredExtras } from '../../record/links.ts'
import type { Database } from '../database.ts'
import { toAlias } from '../derive/aliases.ts'

/** The extras of a record: values that fit no field, and what belongs to them (decision 12). */
export interface ExtrasRows {
  find(id: number): Promise<StoredExtras | null>
  save(id: number, extras: StoredExtras): void
}

export function createExtrasRows(db: Database): ExtrasRows {
  const find = db.query<{ body: Uint8Array; basis: Uint8Array }, [number]>(
    'SELECT body, basis FROM extras WHERE record_id = ?',
  )
  const save = db.query<null, [number, Uint8Array, Uint8Array, string | null]>(
    `INSERT INTO extras (record_id, body, basis, alias) VALUES (?, ?, ?, ?)
     ON CONFLICT (record_id) DO UPDATE SET body = excluded.body, basis = excluded.basis, alias = excluded.alias`,
  )
  return {
    async find(id) {
      const row = await find.get(id)
      return row === null ? null : { values: parse(row.body), basis: parse(row.basis) }
    },
    save: (id, { values, basis }) => save.send(id, toBytes(values), toBytes(basis), toAlias(values)),
  }
}

const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
const toBytes = (value: StoredExtras['values']) => Buffer.from(JSON.stringify(value))
