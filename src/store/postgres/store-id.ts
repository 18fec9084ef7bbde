import type { Database } from '../database.ts'
import { changesChannel } from './notifications.ts'

/**
 * Where the row of `store` is (decisions 37 and 68). Another system identifier is another installation; a new timeline
 * begins when a standby is promoted or a backup is recovered; `pg_restore` creates other oids. No special role is
 * needed. The timeline is not read from the control file, which has a new one only after the next checkpoint.
 */
const placeSql = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (SELECT oid FROM pg_database WHERE datname = current_database()), store.tableoid)`

/** Whether the store is where it got its id. Only then are its sessions valid. */
export const isInPlaceSql = `EXISTS (SELECT 1 FROM store WHERE id_place = ${placeSql})`

/** For a new store. */
export const setPlaceSql = `UPDATE store SET id_place = ${placeSql}`

interface StoreRow {
  readonly id: string
  readonly madeAt: string
  readonly place: string
}

async function readRow(db: Database): Promise<StoreRow> {
  const row = await db.query<StoreRow, []>(`SELECT id, id_place AS "madeAt", ${placeSql} AS place FROM store`).get()
  if (row === null) throw new Error('the store has no id')
  return row
}

export async function isInPlace(db: Database): Promise<boolean> {
  const { madeAt, place } = await readRow(db)
  return madeAt === place
}

/** The stored id, unless the place has changed since it was written; then an id derived from both. */
export async function readStoreId(db: Database): Promise<string> {
  return toId(await readRow(db))
}

/** Every node derives the same id. */
function toId({ id, madeAt, place }: StoreRow): string {
  if (madeAt === place) return id
  return new Bun.CryptoHasher('sha256').update(`${id}/${place}`).digest('hex').slice(0, 16)
}

/** Ends all sessions, and notifies every node. */
export async function writeStoreId(db: Database, id: string): Promise<void> {
  await db.transaction('write', () => setId(db, id))
}

async function setId(db: Database, id: string): Promise<void> {
  db.query<null, [string]>(`UPDATE store SET id = ?, id_place = ${placeSql}`).send(id)
  db.query('DELETE FROM session').send()
  await db.script(`NOTIFY ${changesChannel}, 'changes'`)
}

/**
 * Whether the store was restored or taken over by another server since it got its id. Then it gets the derived id,
 * and all sessions end: some may have been ended before (decision 68). Call within a write transaction.
 */
export async function noticeRestore(db: Database): Promise<boolean> {
  const row = await readRow(db)
  if (row.madeAt === row.place) return false
  await setId(db, toId(row))
  return true
}
