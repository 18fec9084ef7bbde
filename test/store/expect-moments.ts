import { expect } from 'bun:test'
import type { RecordColumns } from '../../src/store/columns/record-columns.ts'
import type { Database } from '../../src/store/database.ts'

/** The versions by which live records became live. */
export async function expectMoments(db: Database, columns: RecordColumns): Promise<void> {
  const sql = `SELECT id, (SELECT max(seq) FROM version WHERE record_id = listing.id AND kind = 'created') AS seq
    FROM listing WHERE state = 1`
  for (const { id, seq } of await db.query<{ id: number; seq: number }, []>(sql).all()) {
    expect({ id, seq: columns.data.arrays().liveSeqs[columns.toSlot(id)] }).toEqual({ id, seq })
  }
}
