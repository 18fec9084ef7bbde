import type { Database } from '../database.ts'

/** Removes what is derived from records, but for names. */
export async function clearDerived(db: Database): Promise<void> {
  for (const table of ['listing', 'record_speaker', 'record_tag']) await db.script(`DELETE FROM ${table}`)
  for (const index of ['search', 'speaker_piece', 'tag_piece']) {
    await db.script(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
  }
}
