import type { Database } from '../database.ts'
import { readerSql } from './item-rows.ts'

/** Tells whether there was a record with an id that was erased for good. */
export function createErasedCheck(db: Database): (id: number) => boolean {
  const find = db.query<{ id: number }, [number]>(readerSql.erased)
  return (id) => find.get(id) !== null
}
