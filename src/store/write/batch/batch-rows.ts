import { type Timestamp, toMs, toTimestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport, BatchState } from '../../batch-reads.ts'
import type { Database } from '../../database.ts'
import { createBatchLines } from '../../read/batch-lines.ts'
import { type BatchPart, hasSameRow, isNameChange, type NameChange, parseParts } from '../names/name-change.ts'

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

interface NewBatch {
  readonly kind: BatchKind
  readonly at: Timestamp
  readonly author: string
  readonly reason: string | null
  readonly undoes: number | null
  /** `running`: this writer processes it. */
  readonly state: BatchState
  readonly total: number
  readonly key: BatchKey | null
}

export interface BatchProgress {
  readonly done: number
  readonly changed: number
  readonly unchanged: number
}

export interface BatchNote {
  readonly id: number
  readonly kind: 'left' | 'refused'
  readonly why: string
  readonly fields: readonly string[]
}

export interface FoundBatch {
  readonly id: number
  readonly kind: BatchKind
  readonly author: string
  readonly state: BatchState
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
  /** How many records all batches together have processed: moves when any batch does. */
  readonly progress: number
  /** Started by this writer. */
  readonly isOurs: boolean
}

/** A record's first and last version in a batch, and its current version. */
export interface BatchMember {
  readonly id: number
  readonly first: number
  readonly last: number
  readonly current: number
}

export interface BatchRows {
  add(batch: NewBatch): Promise<number>
  /** Null if there is no such batch. */
  find(id: number): Promise<FoundBatch | null>
  /** The batch as the API returns it. */
  read(id: number): Promise<BatchReport>
  /** A running batch that undoes this one, except `own`. */
  findRunningUndo(id: number, own: number | null): Promise<number | null>
  /** The newest undo of this batch, if it was stopped and not undone. */
  findStoppedUndo(id: number): Promise<FoundBatch | null>
  /** The newest batch of this kind that was stopped and not undone, and whose change of names matches. */
  findStoppedNames(kind: BatchKind, isWanted: (names: NameChange) => boolean): Promise<FoundBatch | null>
  /** A running batch that concerns one of the same rows. */
  findRunningNames(names: NameChange): Promise<number | null>
  /** The batches that an author began in this period and that changed names, newest first. */
  listNameBatches(author: string, since: Timestamp, until: Timestamp): Promise<AuthoredBatch[]>
  /** The last other author who changed one of the same rows in a later batch. */
  findLaterAuthor(id: number, names: NameChange, author: string): Promise<string | null>
  /** The batch that the author started with this key within a day; `other` if the key belongs to another request. */
  findByKey(author: string, key: BatchKey, at: Timestamp): Promise<number | 'other' | null>
  /** Whether the batch is running, and belongs to this writer. Another node may have stopped it. */
  isOurs(id: number): Promise<boolean>
  addProgress(id: number, progress: BatchProgress, notes: readonly BatchNote[]): void
  /** Sets the changes of names, links and categories that the batch made or is about to make. */
  setParts(id: number, parts: readonly BatchPart[]): void
  setRename(id: number, rename: CategoryRename): void
  /** Marks the batch as done. */
  end(id: number): void
  /** Marks the batch as stopped, unless it is done, or any batch has made progress since `progress`. */
  stop(id: number, progress: number | null): void
  /** Deletes a batch that has changed nothing. */
  remove(id: number): void
  /** For imports, whose total is not known in advance. */
  addRecords(id: number, records: number): void
  listRunning(): Promise<RunningBatch[]>
  /** Members after this record, ordered by id. */
  listMembers(id: number, after: number, limit: number): Promise<BatchMember[]>
  /** All members, ascending; those that have been erased since too. */
  listMemberIds(id: number): Promise<number[]>
}

interface FoundRow {
  readonly id: number
  readonly kind: BatchKind
  readonly author: string
  readonly state: BatchState
  readonly category_id: number | null
  readonly old_title: string | null
  readonly new_title: string | null
  readonly names: string | null
}

const progressSql = 'SELECT coalesce(sum(done), 0) FROM batch AS every'

const foundColumns = 'id, kind, author, state, category_id, old_title, new_title, names'

export function createBatchRows(db: Database): BatchRows {
  /** Identifies this writer in the rows of its batches. */
  const runner = crypto.randomUUID()
  return { ...createFinders(db), ...createProgress(db, runner), ...createMembers(db) }
}

type Finders =
  | 'find'
  | 'read'
  | 'findRunningUndo'
  | 'findStoppedUndo'
  | 'findStoppedNames'
  | 'findRunningNames'
  | 'listNameBatches'
  | 'findLaterAuthor'
  | 'findByKey'

function createFinders(db: Database): Pick<BatchRows, Finders> {
  const lines = createBatchLines(db)
  const find = db.query<FoundRow, [number]>(`SELECT ${foundColumns} FROM batch WHERE id = ?`)
  const findRunningUndo = db.query<{ id: number | null }, [number, number]>(
    `SELECT max(id) AS id FROM batch WHERE undoes = ? AND state = 'running' AND id <> ?`,
  )
  const findStoppedUndo = db.query<FoundRow, [number]>(
    toStoppedSql(
      `undoes = ? AND names IS NOT NULL AND NOT EXISTS (SELECT 1 FROM batch AS newer
       WHERE newer.undoes = batch.undoes AND newer.id > batch.id AND (newer.state = 'done' OR newer.names IS NOT NULL))`,
    ),
  )
  const listStopped = db.query<FoundRow, [BatchKind]>(toStoppedSql('kind = ? AND names IS NOT NULL'))
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
  const findByKey = db.query<{ id: number; request: string }, [string, string, Timestamp]>(
    'SELECT id, request FROM batch WHERE author = ? AND request_key = ? AND at > ? ORDER BY id DESC LIMIT 1',
  )
  return {
    read: async (id) => (await lines.read(id)) ?? fail(id),
    find: async (id) => toFoundOrNull(await find.get(id)),
    findRunningUndo: async (id, own) => (await findRunningUndo.get(id, own ?? 0))?.id ?? null,
    findStoppedUndo: async (id) => toFoundOrNull(await findStoppedUndo.get(id)),
    async findStoppedNames(kind, isWanted) {
      const found = (await listStopped.all(kind)).map(toFound)
      return found.find(({ parts }) => parts.filter(isNameChange).some(isWanted)) ?? null
    },
    findRunningNames: async (names) => (await listRunning.all()).find((each) => hasRowOf(each, names))?.id ?? null,
    listNameBatches: async (...period) =>
      (await listByAuthor.all(...period)).map((row) => ({ ...row, ...toFound(row) })),
    findLaterAuthor: async (id, names, author) =>
      (await listLater.all(id, author)).find((each) => hasRowOf(each, names))?.author ?? null,
    async findByKey(author, { key, request }, at) {
      const row = await findByKey.get(author, key, toTimestamp(toMs(at) - dayMs))
      if (row === null) return null
      return row.request === request ? row.id : 'other'
    },
  }
}

type Progress =
  | 'add'
  | 'isOurs'
  | 'addProgress'
  | 'setParts'
  | 'setRename'
  | 'end'
  | 'stop'
  | 'remove'
  | 'addRecords'
  | 'listRunning'

function createProgress(db: Database, runner: string): Pick<BatchRows, Progress> {
  const run = (sql: string, ...values: (string | number | null)[]) => db.query(sql).send(...values)
  const findOurs = db.query<unknown, [number, string]>(
    `SELECT 1 FROM batch WHERE id = ? AND state = 'running' AND runner = ?`,
  )
  const addProgress = db.query(
    `UPDATE batch SET done = done + $done, records = records + $changed, unchanged = unchanged + $unchanged
     WHERE id = $id`,
  )
  const addNote = db.query(
    `INSERT INTO batch_note (batch, record_id, kind, why, fields) VALUES ($batch, $id, $kind, $why, $fields)
     ON CONFLICT (batch, kind, record_id, why) DO UPDATE SET fields = excluded.fields`,
  )
  const listRunning = db.query<{ id: number; progress: number; runner: string | null }, []>(
    `SELECT id, (${progressSql}) AS progress, runner FROM batch WHERE state = 'running' ORDER BY id`,
  )
  return {
    add({ key, ...batch }) {
      const request = { request_key: key?.key ?? null, request: key?.request ?? null }
      return db.insert('batch', { ...batch, ...request, records: 0, runner })
    },
    isOurs: async (id) => (await findOurs.get(id, runner)) !== null,
    addProgress(batch, progress, notes) {
      addProgress.send({ id: batch, ...progress })
      for (const { fields, ...note } of notes) addNote.send({ batch, ...note, fields: JSON.stringify(fields) })
    },
    setParts: (id, parts) =>
      run('UPDATE batch SET names = ? WHERE id = ?', parts.length === 0 ? null : JSON.stringify(parts), id),
    setRename: (id, { categoryId, from, to }) =>
      run('UPDATE batch SET category_id = ?, old_title = ?, new_title = ? WHERE id = ?', categoryId, from, to, id),
    end: (id) => run(`UPDATE batch SET state = 'done' WHERE id = ?`, id),
    stop(id, progress) {
      const unless = progress === null ? '' : `AND ${progress} = (${progressSql})`
      run(`UPDATE batch SET state = 'stopped' WHERE id = ? AND state = 'running' ${unless}`, id)
    },
    remove(id) {
      run('DELETE FROM batch_note WHERE batch = ?', id)
      run('DELETE FROM batch WHERE id = ?', id)
    },
    addRecords: (id, n) =>
      run('UPDATE batch SET records = records + ?, total = total + ?, done = done + ? WHERE id = ?', n, n, n, id),
    listRunning: async () =>
      (await listRunning.all()).map(({ id, progress, ...row }) => ({ id, progress, isOurs: row.runner === runner })),
  }
}

function createMembers(db: Database): Pick<BatchRows, 'listMembers' | 'listMemberIds'> {
  const listMembers = db.query<BatchMember, [number, number, number]>(
    `SELECT members.id, first, last, record.version AS current
     FROM (
       SELECT record_id AS id, min(number) AS first, max(number) AS last FROM version
       WHERE batch = ? AND record_id > ? GROUP BY record_id ORDER BY record_id LIMIT ?
     ) AS members JOIN record ON record.id = members.id ORDER BY members.id`,
  )
  const listIds = db.query<{ id: number }, [number, number]>(
    `SELECT record_id AS id FROM version WHERE batch = ?
     UNION SELECT record_id FROM batch_note WHERE batch = ? AND kind = 'erased' ORDER BY 1`,
  )
  return {
    listMembers: (id, after, limit) => listMembers.all(id, after, limit),
    listMemberIds: async (id) => (await listIds.all(id, id)).map((row) => row.id),
  }
}

const hasRowOf = ({ names: json }: { readonly names: string }, names: NameChange) =>
  parseParts(json)
    .filter(isNameChange)
    .some((each) => hasSameRow(each, names))

const toStoppedSql = (which: string) => `
  SELECT ${foundColumns} FROM batch WHERE ${which} AND state = 'stopped'
    AND NOT EXISTS (SELECT 1 FROM batch AS later WHERE later.undoes = batch.id)
  ORDER BY id DESC`

const toFoundOrNull = (row: FoundRow | null) => (row === null ? null : toFound(row))

function toFound({ category_id: categoryId, old_title: from, new_title: to, ...row }: FoundRow): FoundBatch {
  const isRename = categoryId !== null && from !== null && to !== null
  const { id, kind, author, state, names } = row
  return { id, kind, author, state, rename: isRename ? { categoryId, from, to } : null, parts: parseParts(names) }
}

function fail(id: number): never {
  throw new Error(`batch ${id} vanished within a transaction`)
}
