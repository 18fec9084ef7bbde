import { expect } from 'bun:test'
import type { RecordColumns } from '../../src/store/columns/record-columns.ts'
import type { Database } from '../../src/store/database.ts'

/** How many records each speaker and tag has, as SQL counts them. */
export async function expectCounts(db: Database, columns: RecordColumns): Promise<void> {
  for (const kind of ['speaker', 'tag'] as const) {
    const sql = `SELECT ${kind}.id, count(listing.id) AS all_, sum(CASE WHEN state = 1 THEN 1 ELSE 0 END) AS live
      FROM ${kind} LEFT JOIN record_${kind} ON ${kind}_id = ${kind}.id LEFT JOIN listing ON listing.id = record_id
      GROUP BY ${kind}.id`
    const rows = await db.query<{ id: number; all_: number; live: number }, []>(sql).all()
    for (const { id, all_, live } of rows) {
      expect([columns.countOf(kind, id, 'all'), columns.countOf(kind, id, 'live')]).toEqual([all_, live])
    }
  }
}
