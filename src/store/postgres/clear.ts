import type { Database } from '../database.ts'
import { changesChannel } from './channel.ts'

/** So many rows at a time, so that no statement takes longer than the server lets it. */
const sliceRows = 10_000

const tables = {
  listing: 'id',
  record_speaker: 'record_id',
  record_tag: 'record_id',
  search: 'rowid',
  speaker_piece: 'rowid',
  tag_piece: 'rowid',
} as const

/** Removes what is derived from records, but for names; nodes that serve it will trust nothing that they remember. */
export async function clearDerived(db: Database): Promise<void> {
  for (const [table, key] of Object.entries(tables)) {
    const slice = db.query(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} LIMIT ${sliceRows})`)
    while ((await slice.run()).changes > 0);
  }
  await db.script(`NOTIFY ${changesChannel}, 'tokens'`)
}
