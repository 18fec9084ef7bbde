import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from './database.ts'

/** A category's new title, which all its records got as one batch. */
export interface CategoryRename {
  readonly categoryId: number
  readonly from: string
  readonly to: string
}

export interface NewBatch {
  readonly kind: 'rename category' | 'undo' | 'import'
  readonly at: Timestamp
  readonly author: string
  readonly reason: string | null
  readonly records: number
  readonly undoes: number | null
  readonly rename: CategoryRename | null
}

/** A record's versions in a batch, the first and the last of them, and the one it has now. */
export interface BatchMember {
  readonly id: number
  readonly first: number
  readonly last: number
  readonly current: number
}

export interface BatchRows {
  add(batch: NewBatch): number
  /** Null where there is no such batch. */
  find(id: number): { readonly rename: CategoryRename | null } | null
  listMembers(id: number): BatchMember[]
  /** Those of its members that are asked for. */
  listSome(id: number, recordIds: readonly number[]): BatchMember[]
  /** For batches that grow while they are made. */
  addRecords(id: number, records: number): void
}

interface RenameColumns {
  readonly category_id: number | null
  readonly old_title: string | null
  readonly new_title: string | null
}

export function createBatchRows(db: Database): BatchRows {
  const add = db.query(
    `INSERT INTO batch (kind, at, author, reason, records, undoes, category_id, old_title, new_title)
     VALUES ($kind, $at, $author, $reason, $records, $undoes, $categoryId, $from, $to)`,
  )
  const find = db.query<RenameColumns, [number]>('SELECT category_id, old_title, new_title FROM batch WHERE id = ?')
  const members = `
    SELECT record_id AS id, min(number) AS first, max(number) AS last, record.version AS current
    FROM version JOIN record ON record.id = record_id
    WHERE batch = ?`
  const listMembers = db.query<BatchMember, [number]>(
    `${members} GROUP BY record_id, record.version ORDER BY record_id`,
  )
  const listSome = (count: number) =>
    db.query<BatchMember, number[]>(
      `${members} AND record_id IN (${Array(count).fill('?')}) GROUP BY record_id, record.version ORDER BY record_id`,
    )
  const addRecords = db.query<null, [number, number]>('UPDATE batch SET records = records + ? WHERE id = ?')
  return {
    add({ rename, ...batch }) {
      const { categoryId = null, from = null, to = null } = rename ?? {}
      return Number(add.run({ ...batch, categoryId, from, to }).lastInsertRowid)
    },
    find(id) {
      const row = find.get(id)
      return row === null ? null : { rename: toRename(row) }
    },
    listMembers: (id) => listMembers.all(id),
    listSome: (id, recordIds) => (recordIds.length === 0 ? [] : listSome(recordIds.length).all(id, ...recordIds)),
    addRecords: (id, records) => void addRecords.run(records, id),
  }
}

function toRename({ category_id: categoryId, old_title: from, new_title: to }: RenameColumns): CategoryRename | null {
  return categoryId === null || from === null || to === null ? null : { categoryId, from, to }
}
