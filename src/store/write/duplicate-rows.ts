import { draft, type Visibility } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'

/** Records that were merged into another one, which their pages lead to while they are drafts (decision 86). */
export interface MergedRows {
  /** The record that this one was merged into, whether it is a draft or was published again; null if it was not. */
  find(id: number): Promise<number | null>
  /** The same, null also if it was published again. */
  findOfDraft(id: number): Promise<number | null>
  /** Where the pages of a record lead, through all records between. */
  findEnd(id: number): Promise<number>
  set(id: number, into: number, batch: number, at: Timestamp): void
  remove(id: number): void
}

export function createMergedRows(db: Database): MergedRows {
  const findRow = db.query<{ into: number; state: number }, [number]>(
    'SELECT into_id AS "into", state FROM merged_record JOIN record ON record.id = record_id WHERE record_id = ?',
  )
  const set = db.query<null, [number, number, number, Timestamp]>(
    `INSERT INTO merged_record (record_id, into_id, batch_id, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (record_id) DO UPDATE SET into_id = excluded.into_id, batch_id = excluded.batch_id, at = excluded.at`,
  )
  const remove = db.query<null, [number]>('DELETE FROM merged_record WHERE record_id = ?')
  async function findOfDraft(id: number): Promise<number | null> {
    const row = await findRow.get(id)
    return row?.state === draft ? row.into : null
  }

  return {
    find: async (id) => (await findRow.get(id))?.into ?? null,
    findOfDraft,
    async findEnd(id) {
      const seen = new Set([id])
      let end = id
      for (let next = await findOfDraft(id); next !== null && !seen.has(next); next = await findOfDraft(next)) {
        seen.add(next)
        end = next
      }
      return end
    },
    set: (...row) => set.send(...row),
    remove: (id) => remove.send(id),
  }
}

/** Records that a curator has called different talks, as pairs. `ids` ascend. */
export interface PairRows {
  /** Whether each two of these records are called different. */
  areDistinct(ids: readonly number[]): Promise<boolean>
  insert(ids: readonly number[], author: string, at: Timestamp): void
  /** Whether there was anything to remove. */
  remove(ids: readonly number[]): Promise<boolean>
}

export function createPairRows(db: Database): PairRows {
  const list = db.query<{ id: number }, [number]>('SELECT high_id AS id FROM distinct_pair WHERE low_id = ?')
  const insert = db.query<null, [number, number, string, Timestamp]>(
    `INSERT INTO distinct_pair (low_id, high_id, author, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (low_id, high_id) DO NOTHING`,
  )
  const remove = db.query<null, [number, number]>('DELETE FROM distinct_pair WHERE low_id = ? AND high_id = ?')

  /** Those after `low` in `ids` that it is called different from. */
  async function listKnown(low: number, ids: readonly number[]): Promise<number[]> {
    const known = new Set((await list.all(low)).map(({ id }) => id))
    return ids.filter((id) => id > low && known.has(id))
  }

  return {
    async areDistinct(ids) {
      for (const [i, low] of ids.entries()) {
        if ((await listKnown(low, ids)).length < ids.length - i - 1) return false
      }
      return true
    },
    insert(ids, author, at) {
      for (const [i, low] of ids.entries()) for (const high of ids.slice(i + 1)) insert.send(low, high, author, at)
    },
    async remove(ids) {
      let isAny = false
      for (const low of ids) {
        for (const high of await listKnown(low, ids)) {
          remove.send(low, high)
          isAny = true
        }
      }
      return isAny
    },
  }
}

/** Whether a row of `listing` is a draft that was merged into another record (decision 86). */
export const toMergedSql = (row: string) =>
  `(${row}.state <> 1 AND EXISTS (SELECT 1 FROM merged_record WHERE record_id = ${row}.id))`

/** Whether `other` has the video of `listing`, neither was merged, and nobody has called them different. */
export const sameVideoSql = `other.source_url = listing.source_url AND other.source_url <> '' AND other.id <> listing.id
  AND NOT ${toMergedSql('listing')} AND NOT ${toMergedSql('other')}
  AND NOT EXISTS (SELECT 1 FROM distinct_pair WHERE low_id = listing.id AND high_id = other.id)
  AND NOT EXISTS (SELECT 1 FROM distinct_pair WHERE low_id = other.id AND high_id = listing.id)`

/** Whether `listing` shares its video with a record that a caller sees. */
export const toSharedSql = (visibility: Visibility) =>
  `EXISTS (SELECT 1 FROM listing AS other WHERE ${visibility === 'live' ? 'other.state = 1 AND ' : ''}${sameVideoSql})`

/** Selects the records that share their videos only with those that they were merged with, or are called different from. */
export const toSettledVideosSql = (visibility: Visibility) => `SELECT id FROM listing WHERE id IN (
    SELECT low_id FROM distinct_pair UNION SELECT high_id FROM distinct_pair
    UNION SELECT same.id FROM merged_record JOIN listing AS merged ON merged.id = record_id
    JOIN listing AS same ON same.source_url = merged.source_url AND same.source_url <> ''
  ) AND NOT ${toSharedSql(visibility)}`
