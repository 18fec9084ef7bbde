import type { Database } from './database.ts'

/** Tells whether there was a record with an id that was erased for good. */
export function createErasedCheck(db: Database): (id: number) => boolean {
  const find = db.query<{ id: number }, [number]>('SELECT record_id AS id FROM tombstone WHERE record_id = ?')
  return (id) => find.get(id) !== null
}
