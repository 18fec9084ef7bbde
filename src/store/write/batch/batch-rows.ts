import { type Timestamp, toMs, toTimestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport, BatchState } from '../../change-log.ts'
import type { Database } from '../../database.ts'
import { type BatchPart, hasSameRow, isNameChange, type NameChange, parseParts } from '../names/name-change.ts'
import { createBatchLines } from './batch-lines.ts'
import { type BatchMembers, createBatchMembers } from './batch-members.ts'
import { createProgressRows } from './batch-progress.ts'
import type { CategoryCreation } from './category-references.ts'
import type { BatchKey, BatchNote, BatchProgress, CategoryRename, NewBatch } from './new-batch.ts'

const dayMs = 86_400_000

export interface FoundBatch {
  readonly id: number
  readonly author: string
  readonly state: BatchState
  readonly lastId: number
  readonly rename: CategoryRename | null
  readonly parts: readonly BatchPart[]
}

/** A batch that changed names or categories. */
export interface AuthoredBatch extends FoundBatch {
  /** The batch that it undid. */
  readonly undoes: number | null
}

/** A batch in state `running`, in progress or abandoned. */
export interface RunningBatch {
  readonly id: number
  /** Records processed so far. */
  readonly done: number
  /** Started or resumed by this writer. */
  readonly isOurs: boolean
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
  /** The newest batch of this kind that was stopped and not undone, and did this to names. */
  findStoppedNames(kind: BatchKind, isWanted: (names: NameChange) => boolean): Promise<FoundBatch | null>
  /** A running batch that concerns one of the same rows. */
  findRunningNames(names: NameChange): Promise<number | null>
  /** The batches that an author began from one time to another and that changed names, newest first. */
  listNameBatches(author: string, since: Timestamp, until: Timestamp): Promise<AuthoredBatch[]>
  /** Who has last changed one of the same rows by a batch after this one, except this author. */
  findLaterAuthor(id: number, names: NameChange, author: string): Promise<string | null>
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
  setParts(id: number, parts: readonly BatchPart[]): void
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
  readonly names: string | null
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
  const listStopped = db.query<FoundRow, [BatchKind]>(toStoppedSql('kind = ? AND names IS NOT NULL', ''))
  const listRunning = db.query<{ id: number; names: string }, []>(
    `SELECT id, names FROM batch WHERE state = 'running' AND names IS NOT NULL ORDER BY id`,
  )
  const listByAuthor = db.query<FoundRow & { undoes: number | null }, [string, Timestamp, Timestamp]>(
    `SELECT ${foundColumns}, undoes FROM batch
     WHERE author = ? AND at >= ? AND at <= ? AND names IS NOT NULL ORDER BY id DESC`,
  )
  const listLater = db.query<{ author: string; names: string }, [number, string]>(
    'SELECT author, names FROM batch WHERE id > ? AND author <> ? AND names IS NOT NULL ORDER BY id DESC',
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
    async findStoppedNames(kind, isWanted) {
      const found = (await listStopped.all(kind)).map(toFound)
      return found.find(({ parts }) => parts.filter(isNameChange).some(isWanted)) ?? null
    },
    findRunningNames: async (names) => (await listRunning.all()).find((each) => hasRowOf(each, names))?.id ?? null,
    listNameBatches: async (...period) =>
      (await listByAuthor.all(...period)).map((row) => ({ ...row, ...toFound(row) })),
    findLaterAuthor: async (id, names, author) =>
      (await listLater.all(id, author)).find((each) => hasRowOf(each, names))?.author ?? null,
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

const hasRowOf = ({ names: json }: { readonly names: string }, names: NameChange) =>
  parseParts(json)
    .filter(isNameChange)
    .some((each) => hasSameRow(each, names))

const foundColumns = 'id, author, state, last_id, category_id, old_title, new_title, names'

const toStoppedSql = (which: string, limit = 'LIMIT 1') => `
  SELECT ${foundColumns} FROM batch WHERE ${which} AND state = 'stopped'
    AND NOT EXISTS (SELECT 1 FROM batch AS later WHERE later.undoes = batch.id)
  ORDER BY id DESC ${limit}`

const toFoundOrNull = (row: FoundRow | null) => (row === null ? null : toFound(row))

function toFound({ last_id: lastId, category_id, old_title: from, new_title: to, ...row }: FoundRow): FoundBatch {
  const isRename = category_id !== null && from !== null && to !== null
  const { id, author, state, names } = row
  const rename = isRename ? { categoryId: category_id, from, to } : null
  return { id, author, state, lastId, rename, parts: parseParts(names) }
}

function fail(id: number): never {
  throw new Error(`batch ${id} vanished within a transaction`)
}
