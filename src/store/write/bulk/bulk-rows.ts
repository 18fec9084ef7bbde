import { maxSelected, type Selection } from '../../../record/bulk/bulk-request.ts'
import { isWritableName, type WritableName } from '../../../record/fields.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { createLookup } from '../../read/lookup-many.ts'
import { createFilterResolver } from '../../read/names/current-entries.ts'
import { createChecksumCheck } from '../../read/record-check.ts'
import type { StoredRecord } from '../../store.ts'
import { lastSeqSql } from '../sequence-sql.ts'

/** Ids in ascending order, and their number. If there are more than the limit, `ids` is empty. */
export interface Selected {
  readonly ids: readonly number[]
  readonly count: number
}

/** The records that match filters, by SQL of the engine. */
export type FindMatches = (filters: Filters, limit: number) => Promise<Selected>

/** A version without its body. */
export interface Step {
  readonly number: number
  readonly author: string
  readonly at: Timestamp
  readonly changed: readonly WritableName[]
}

/** The versions of an author from one time to another, both included. */
export type AuthorPeriod = Omit<Extract<Selection, { is: 'by' }>, 'is'>

/** Statements that only bulk changes need. Call them within the writer's transaction. */
export interface BulkRows {
  select(selection: Selection): Promise<Selected>
  /** Those of up to `maxLookup` records that exist, in any order. */
  readMany(ids: readonly number[]): Promise<StoredRecord[]>
  /** The fields that changes after this seq have changed, by record. */
  listLater(seq: number): AsyncIterable<{ readonly id: number; readonly changed: readonly WritableName[] }>
  /** The versions of a record from the author's first one in that time on. */
  listSteps(id: number, period: AuthorPeriod): Promise<Step[]>
  readLastSeq(): Promise<number>
  /** Deletes a batch that has changed nothing. */
  removeBatch(id: number): void
  /** Deletes what an earlier attempt has said about records. */
  removeNotes(batch: number): void
}

const endOfTime = '9999-12-31T23:59:59.999'

const byAuthor = 'author = ? AND at >= ? AND at <= ?'

type StepRow = Omit<Step, 'changed'> & { readonly changed: string }

export function createBulkRows(db: Database, findMatches: FindMatches): BulkRows {
  const removeNotes = (batch: number) => db.query<null, [number]>('DELETE FROM batch_note WHERE batch = ?').send(batch)
  const readMany = createLookup<StoredRecord, number>(
    db,
    (ids) => `SELECT id, version, mark AS "versionTag", state, updated, body FROM record WHERE id IN ${ids}`,
  )
  const check = createChecksumCheck()
  // As lists do: the slug or id of what was merged stands for the other.
  const resolve = createFilterResolver(db)
  const listBy = db.query<{ id: number }, [string, Timestamp, Timestamp, number]>(
    `SELECT DISTINCT record_id AS id FROM version WHERE ${byAuthor} ORDER BY record_id LIMIT ?`,
  )
  const countBy = db.query<{ n: number }, [string, Timestamp, Timestamp]>(
    `SELECT count(DISTINCT record_id) AS n FROM version WHERE ${byAuthor}`,
  )
  const listLater = db.query<{ id: number; changed: string }, [number]>(
    'SELECT record_id AS id, changed FROM version WHERE seq > ?',
  )
  const listSteps = db.query<StepRow, [number, number, string, Timestamp, Timestamp]>(
    `SELECT number, author, at, changed FROM version WHERE record_id = ? AND number >=
       (SELECT min(number) FROM version WHERE record_id = ? AND ${byAuthor}) ORDER BY number`,
  )
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)

  async function selectBy({ author, since, until }: AuthorPeriod): Promise<Selected> {
    const time = [author, since, until ?? endOfTime] as const
    const rows = await listBy.all(...time, maxSelected + 1)
    if (rows.length <= maxSelected) return { ids: rows.map(({ id }) => id), count: rows.length }
    return { ids: [], count: (await countBy.get(...time))?.n ?? 0 }
  }

  return {
    async select(selection) {
      if (selection.is === 'ids') return { ids: selection.ids, count: selection.ids.length }
      return selection.is === 'by' ? selectBy(selection) : findMatches(await resolve(selection.filters), maxSelected)
    },
    async readMany(ids) {
      const found = await readMany(ids)
      for (const record of found) check(record)
      return found
    },
    async *listLater(seq) {
      for await (const { id, changed } of listLater.iterate(seq)) yield { id, changed: parseNames(changed) }
    },
    async listSteps(id, { author, since, until }) {
      const rows = await listSteps.all(id, id, author, since, until ?? endOfTime)
      return rows.map((row) => ({ ...row, changed: parseNames(row.changed) }))
    },
    readLastSeq: async () => (await findLastSeq.get())?.seq ?? 0,
    removeNotes,
    removeBatch(id) {
      removeNotes(id)
      db.query<null, [number]>('DELETE FROM batch WHERE id = ?').send(id)
    },
  }
}

const parseNames = (changed: string) => (JSON.parse(changed) as string[]).filter(isWritableName)
