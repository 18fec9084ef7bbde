import type { Database } from '../database.ts'
import { changesChannel } from './notifications.ts'

/**
 * The system and timeline of the server that answers. Another system is another installation; a new timeline begins when a
 * standby takes over and when a backup is recovered. Any role may ask. Not from the control file, which is told of a new
 * timeline only by the next checkpoint.
 */
const placeSql = `(SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`

interface StoreRow {
  readonly id: string
  readonly madeAt: string
  readonly place: string
}

/** The id that was given, as long as the store stands where it got it; else one that says where it stands now. */
export async function readStoreId(db: Database): Promise<string> {
  const row = await db.query<StoreRow, []>(`SELECT id, id_place AS "madeAt", ${placeSql} AS place FROM store`).get()
  if (row === null) throw new Error('the store has no id')
  return row.madeAt === row.place ? row.id : `${row.id}-${toShort(row.place)}`
}

/** Every node is told. */
export async function writeStoreId(db: Database, id: string): Promise<void> {
  await db.transaction('write', async () => {
    db.query<null, [string]>(`UPDATE store SET id = ?, id_place = ${placeSql}`).send(id)
    await db.script(`NOTIFY ${changesChannel}, 'changes'`)
  })
}

function toShort(place: string): string {
  return new Bun.CryptoHasher('sha256').update(place).digest('hex').slice(0, 16)
}
