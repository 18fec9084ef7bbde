import type { Database } from 'bun:sqlite'
import { makeRecords } from '../sql/make-records.ts'
import { createWords } from '../sql/words.ts'
import { createSteps, type OnStep } from './check/finding.ts'

/** Makes everything anew that can be told from the bytes of the versions, all of it or nothing. */
export function rebuildDerived(db: Database, onStep: OnStep): void {
  const count = db.query<{ n: number }, []>('SELECT count(DISTINCT record_id) AS n FROM version')
  const rebuild = db.transaction(() => {
    clear(db)
    for (const table of ['speaker', 'tag'] as const) createWords(db, table).reindex()
    makeRecords(db, createSteps(count.get()?.n ?? 0, onStep))
  })
  rebuild.immediate()
}

function clear(db: Database): void {
  for (const table of ['listing', 'record_speaker', 'record_tag']) db.run(`DELETE FROM ${table}`)
  for (const index of ['search', 'speaker_piece', 'tag_piece']) {
    db.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
  }
}
