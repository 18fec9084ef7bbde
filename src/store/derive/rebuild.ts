import type { Database } from '../database.ts'
import { createSteps, type OnStep } from '../maintain/check/finding.ts'
import { rebuildCategories } from '../write/category-version.ts'
import { insertRecords } from './insert-records.ts'
import { createNameRows } from './names.ts'

/**
 * Rebuilds, in one transaction, everything that can be derived from the bytes of the versions. `clear` deletes what is
 * derived from records except names, which keep their ids.
 */
export async function rebuildDerived(db: Database, clear: () => Promise<void>, onStep: OnStep): Promise<void> {
  const count = db.query<{ n: number }, []>('SELECT count(DISTINCT record_id) AS n FROM version')
  await db.transaction('write', async () => {
    await clear()
    await rebuildCategories(db)
    await recountBatches(db)
    for (const table of ['speaker', 'tag'] as const) await createNameRows(db, table).reindex()
    await insertRecords(db, createSteps((await count.get())?.n ?? 0, onStep))
  })
}

async function recountBatches(db: Database): Promise<void> {
  await db.script('UPDATE batch SET records = (SELECT count(DISTINCT record_id) FROM version WHERE batch = batch.id)')
}
