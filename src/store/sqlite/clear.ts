import type { Database } from '../database.ts'

/** Removes what is derived from records, but for names. */
export function clearDerived(db: Database): void {
  for (const table of ['listing', 'record_speaker', 'record_tag']) db.run(`DELETE FROM ${table}`)
  for (const index of ['search', 'speaker_piece', 'tag_piece']) {
    db.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
  }
}
