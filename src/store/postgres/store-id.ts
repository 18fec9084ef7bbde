import type { Database } from '../database.ts'
import { changesChannel } from './notifications.ts'

/**
 * The system identifier and timeline of the server (ADR 37). Another system identifier is another installation; a new
 * timeline begins when a standby is promoted or a backup is recovered. No special role is needed. Not read from the
 * control file, which has a new timeline only after the next checkpoint.
 */
const placeSql = `(SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`

interface StoreRow {
  readonly id: string
  readonly madeAt: string
  readonly place: string
}

/**
 * The stored id, unless the system identifier or timeline has changed since it was written; then an id derived from
 * both.
 */
export async function readStoreId(db: Database): Promise<string> {
  const row = await db.query<StoreRow, []>(`SELECT id, id_place AS "madeAt", ${placeSql} AS place FROM store`).get()
  if (row === null) throw new Error('the store has no id')
  return row.madeAt === row.place ? row.id : `${row.id}-${toShort(row.place)}`
}

/** Also notifies every node. */
export async function writeStoreId(db: Database, id: string): Promise<void> {
  await db.transaction('write', async () => {
    db.query<null, [string]>(`UPDATE store SET id = ?, id_place = ${placeSql}`).send(id)
    await db.script(`NOTIFY ${changesChannel}, 'changes'`)
  })
}

function toShort(place: string): string {
  return new Bun.CryptoHasher('sha256').update(place).digest('hex').slice(0, 16)
}
