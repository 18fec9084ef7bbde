import type { Database } from '../../database.ts'

/** A record's first and last version in a batch, and its current version. */
export interface BatchMember {
  readonly id: number
  readonly first: number
  readonly last: number
  readonly current: number
}

/** The records of batches. */
export interface BatchMembers {
  /** Members after this record, ordered by id. */
  listMembers(id: number, after: number, limit: number): Promise<BatchMember[]>
  countMembers(id: number): Promise<number>
  /** How many of these records, which the batch has just changed, it had changed before. */
  countRepeated(id: number, records: readonly number[]): Promise<number>
  /** Members that have been erased since. */
  listErased(id: number): Promise<number[]>
}

export function createBatchMembers(db: Database): BatchMembers {
  const listMembers = db.query<BatchMember, [number, number, number]>(
    `SELECT members.id, first, last, record.version AS current
     FROM (
       SELECT record_id AS id, min(number) AS first, max(number) AS last FROM version
       WHERE batch = ? AND record_id > ? GROUP BY record_id ORDER BY record_id LIMIT ?
     ) AS members JOIN record ON record.id = members.id ORDER BY members.id`,
  )
  const countMembers = db.query<{ n: number }, [number]>(
    'SELECT count(DISTINCT record_id) AS n FROM version WHERE batch = ?',
  )
  const listRepeated = db.query<{ id: number }, [number, number, number]>(
    `SELECT record_id AS id FROM version WHERE batch = ? AND record_id BETWEEN ? AND ?
     GROUP BY record_id HAVING count(*) > 1`,
  )
  const listErased = db.query<{ id: number }, [number]>(
    `SELECT record_id AS id FROM batch_note WHERE batch = ? AND kind = 'erased' ORDER BY record_id`,
  )
  return {
    listMembers: (id, after, limit) => listMembers.all(id, after, limit),
    countMembers: async (id) => (await countMembers.get(id))?.n ?? 0,
    async countRepeated(id, records) {
      const sorted = records.toSorted((one, other) => one - other)
      const [first, last] = [sorted[0], sorted.at(-1)]
      if (first === undefined || last === undefined) return 0
      const among = new Set(records)
      return (await listRepeated.all(id, first, last)).filter((row) => among.has(row.id)).length
    },
    listErased: async (id) => (await listErased.all(id)).map((row) => row.id),
  }
}
