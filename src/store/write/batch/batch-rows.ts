import { type Timestamp, toMs, toTimestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport, BatchState } from '../../change-log.ts'
import type { Database } from '../../database.ts'
import { createBatchLines } from './batch-lines.ts'
import { type BatchMembers, createBatchMembers } from './batch-members.ts'
import type { CategoryCreation } from './category-references.ts'

const dayMs = 86_400_000

/** The rename of a category, which changes all its records in one batch. */
export interface CategoryRename {
  readonly categoryId: number
  readonly from: string
  readonly to: string
}

/** An Idempotency-Key with the hash of its request. */
export interface BatchKey {
  readonly key: string
  /** SHA-256, in hex. */
  readonly request: string
}

export interface NewBatch {
  readonly kind: BatchKind
  readonly at: Timestamp
  readonly author: string
  readonly reason: string | null
  readonly undoes: number | null
  readonly rename: CategoryRename | null
  /** `running`: this writer processes it. */
  readonly state: BatchState
  readonly total: number
  readonly key: BatchKey | null
}

export interface FoundBatch {
  readonly id: number
  readonly author: string
  readonly state: BatchState
  readonly lastId: number
  readonly rename: CategoryRename | null
}

/** Progress of a batch. */
export interface BatchProgress {
  readonly done: number
  readonly changed: number
  readonly unchanged: number
  readonly lastId: number
}

/** A batch in state `running`, in progress or abandoned. */
export interface RunningBatch {
  readonly id: number
  /** Records processed so far. */
  readonly done: number
  /** Started or resumed by this writer. */
  readonly isOurs: boolean
}

export interface BatchNote {
  readonly id: number
  readonly kind: 'left' | 'refused'
  readonly why: string
  readonly fields: readonly string[]
}

export interface BatchRows extends BatchMembers {
  add(batch: NewBatch): Promise<number>
  /** Null if there is no such batch. */
  find(id: number): Promise<FoundBatch | null>
  /** The batch as the API returns it. */
  read(id: number): Promise<BatchReport>
  /** A running batch that undoes this one. */
  findRunningUndo(id: number): Promise<number | null>
  /** The newest undo of this batch that was stopped and not undone. */
  findStoppedUndo(id: number): Promise<FoundBatch | null>
  /** The newest rename of this category to this title that was stopped and not undone. */
  findStoppedRename(wanted: Pick<CategoryRename, 'categoryId' | 'to'>): Promise<FoundBatch | null>
  /** Whether a rename of this category to this title has this author and time. */
  hasCreated(wanted: Pick<CategoryRename, 'categoryId' | 'to'>, creation: CategoryCreation): Promise<boolean>
  /** A running batch that renames this category, or moves records to this title. */
  findRunningRename(categoryId: number, title: string): Promise<{ readonly id: number; readonly to: string } | null>
  /** The batch that the author started with this key within a day; `other` if the key had another request. */
  findByKey(author: string, key: BatchKey, at: Timestamp): Promise<number | 'other' | null>
  /** The last processed record; null if the batch is not this writer's any longer. Others may have stopped it. */
  findOurs(id: number): Promise<number | null>
  /** Continues a stopped batch. */
  resume(id: number, key: BatchKey | null): void
  addProgress(id: number, progress: BatchProgress, notes: readonly BatchNote[]): void
  /** Marks the batch as done. */
  end(id: number): void
  /** Marks the batch as stopped, unless it is done or has progressed beyond `done`. */
  stop(id: number, done: number | null): void
  setRename(id: number, rename: CategoryRename | null): void
  /** For imports, whose total is not known in advance. */
  addRecords(id: number, records: number): void
  listRunning(): Promise<RunningBatch[]>
}

interface FoundRow {
  readonly id: number
  readonly author: string
  readonly state: BatchState
  readonly last_id: number
  readonly category_id: number | null
  readonly old_title: string | null
  readonly new_title: string | null
}

export function createBatchRows(db: Database): BatchRows {
  /** Identifies this writer in the rows of its batches. */
  const runner = crypto.randomUUID()
  const lines = createBatchLines(db)
  const find = db.query<FoundRow, [number]>(`SELECT ${foundColumns} FROM batch WHERE id = ?`)
  const findRunningUndo = db.query<{ id: number | null }, [number]>(
    `SELECT max(id) AS id FROM batch WHERE undoes = ? AND state = 'running'`,
  )
  const findStoppedUndo = db.query<FoundRow, [number]>(toStoppedSql('undoes = ?'))
  const findStoppedRename = db.query<FoundRow, [number, string]>(
    toStoppedSql(`kind = 'rename category' AND category_id = ? AND new_title = ?`),
  )
  const findMaker = db.query<unknown, [number, string, Timestamp, string]>(
    `SELECT 1 FROM batch
     WHERE kind = 'rename category' AND category_id = ? AND new_title = ? AND at = ? AND author = ? LIMIT 1`,
  )
  const findRunningRename = db.query<{ id: number; to: string }, [number, string]>(
    `SELECT id, new_title AS "to" FROM batch
     WHERE state = 'running' AND (category_id = ? OR new_title = ?) ORDER BY id DESC LIMIT 1`,
  )
  const addRecords = db.query(
    'UPDATE batch SET records = records + $n, total = total + $n, done = done + $n WHERE id = $id',
  )
  return {
    ...createBatchMembers(db),
    ...createProgressRows(db, runner),
    read: async (id) => (await lines.read(id)) ?? fail(id),
    find: async (id) => toFoundOrNull(await find.get(id)),
    findRunningUndo: async (id) => (await findRunningUndo.get(id))?.id ?? null,
    findStoppedUndo: async (id) => toFoundOrNull(await findStoppedUndo.get(id)),
    findStoppedRename: async ({ categoryId, to }) => toFoundOrNull(await findStoppedRename.get(categoryId, to)),
    hasCreated: async ({ categoryId, to }, { at, author }) =>
      (await findMaker.get(categoryId, to, at, author)) !== null,
    findRunningRename: (categoryId, title) => findRunningRename.get(categoryId, title),
    async findByKey(author, { key, request }, at) {
      const row = await db
        .query<{ id: number; request: string }, [string, string, Timestamp]>(
          'SELECT id, request FROM batch WHERE author = ? AND request_key = ? AND at > ? ORDER BY id DESC LIMIT 1',
        )
        .get(author, key, toTimestamp(toMs(at) - dayMs))
      if (row === null) return null
      return row.request === request ? row.id : 'other'
    },
    addRecords: (id, n) => addRecords.send({ id, n }),
  }
}

/** Statements that record the progress of a batch. */
function createProgressRows(db: Database, runner: string) {
  const findOurs = db.query<{ last_id: number }, [number, string]>(
    `SELECT last_id FROM batch WHERE id = ? AND state = 'running' AND runner = ?`,
  )
  const addProgress = db.query(
    `UPDATE batch SET done = done + $done, records = records + $changed, unchanged = unchanged + $unchanged,
       total = CASE WHEN total < done + $done THEN done + $done ELSE total END, last_id = $lastId
     WHERE id = $id`,
  )
  const addNote = db.query(
    `INSERT INTO batch_note (batch, record_id, kind, why, fields) VALUES ($batch, $id, $kind, $why, $fields)
     ON CONFLICT (batch, kind, record_id, why) DO UPDATE SET fields = excluded.fields`,
  )
  const listRunning = db.query<{ id: number; done: number; runner: string | null }, []>(
    `SELECT id, done, runner FROM batch WHERE state = 'running' ORDER BY id`,
  )
  return {
    add({ rename, key, ...batch }: NewBatch): Promise<number> {
      const { categoryId = null, from = null, to = null } = rename ?? {}
      const request = { request_key: key?.key ?? null, request: key?.request ?? null }
      const names = { category_id: categoryId, old_title: from, new_title: to }
      return db.insert('batch', { ...batch, ...request, ...names, records: 0, runner })
    },
    findOurs: async (id: number) => (await findOurs.get(id, runner))?.last_id ?? null,
    resume(id: number, key: BatchKey | null): void {
      db.query(
        `UPDATE batch SET state = 'running', runner = $runner, request_key = coalesce($key, request_key),
           request = coalesce($request, request) WHERE id = $id`,
      ).send({ id, runner, key: key?.key ?? null, request: key?.request ?? null })
    },
    addProgress(batch: number, progress: BatchProgress, notes: readonly BatchNote[]): void {
      addProgress.send({ id: batch, ...progress })
      for (const { fields, ...note } of notes) addNote.send({ batch, ...note, fields: JSON.stringify(fields) })
    },
    end(id: number): void {
      db.query<null, [number]>(`UPDATE batch SET state = 'done' WHERE id = ?`).send(id)
    },
    stop(id: number, done: number | null): void {
      const sql = `UPDATE batch SET state = 'stopped' WHERE id = ? AND state = 'running' AND done = coalesce(?, done)`
      db.query<null, [number, number | null]>(sql).send(id, done)
    },
    setRename(id: number, rename: CategoryRename | null): void {
      const { categoryId = null, from = null, to = null } = rename ?? {}
      db.query('UPDATE batch SET category_id = $categoryId, old_title = $from, new_title = $to WHERE id = $id').send({
        id,
        categoryId,
        from,
        to,
      })
    },
    listRunning: async () =>
      (await listRunning.all()).map((row) => ({ id: row.id, done: row.done, isOurs: row.runner === runner })),
  }
}

const foundColumns = 'id, author, state, last_id, category_id, old_title, new_title'

const toStoppedSql = (which: string) => `
  SELECT ${foundColumns} FROM batch WHERE ${which} AND state = 'stopped'
    AND NOT EXISTS (SELECT 1 FROM batch AS later WHERE later.undoes = batch.id)
  ORDER BY id DESC LIMIT 1`

const toFoundOrNull = (row: FoundRow | null) => (row === null ? null : toFound(row))

function toFound({ last_id: lastId, category_id, old_title: from, new_title: to, ...row }: FoundRow): FoundBatch {
  const isRename = category_id !== null && from !== null && to !== null
  return { ...row, lastId, rename: isRename ? { categoryId: category_id, from, to } : null }
}

function fail(id: number): never {
  throw new Error(`batch ${id} vanished within a transaction`)
}
