import type { Database } from '../database.ts'
import { createSteps, type OnStep } from '../maintain/check/finding.ts'
import { rebuildCategories } from '../write/category-version.ts'
import { insertRecords } from './insert-records.ts'
import { createNameRows } from './names.ts'

/**
 * Rebuilds, in one transaction, everything that can be derived from the bytes of the versions. `clear` deletes what is
 * derived from records except names, which keep their ids.
 */
export function rebuildDerived(db: Database, clear: () => void, onStep: OnStep): void {
  const count = db.query<{ n: number }, []>('SELECT count(DISTINCT record_id) AS n FROM version')
  const rebuild = db.transaction(() => {
    clear()
    rebuildCategories(db)
    recountBatches(db)
    for (const table of ['speaker', 'tag'] as const) createNameRows(db, table).reindex()
    insertRecords(db, createSteps(count.get()?.n ?? 0, onStep))
  })
  rebuild.immediate()
}

function recountBatches(db: Database): void {
  db.run('UPDATE batch SET records = (SELECT count(DISTINCT record_id) FROM version WHERE batch = batch.id)')
}
