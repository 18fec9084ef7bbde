import type { Database } from 'bun:sqlite'
import type { WritableName } from '../../record/fields.ts'
import { toBody } from '../../record/json-body.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toSlug } from '../../record/slug.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { StoredRecord } from '../store.ts'
import { type CategoryRows, createCategoryRows } from './category-rows.ts'
import { createDerived } from './derived.ts'
import { createIdempotencyRows, type IdempotencyRows } from './idempotency-rows.ts'
import { createSlugNumbers } from './slug-numbers.ts'

/** A decided version of a record, ready to be written. */
export interface NewVersion {
  readonly record: VideoRecord
  readonly version: number
  readonly changed: readonly WritableName[]
  readonly author: string
  /** The batch it belongs to, if any. */
  readonly batch: number | null
  readonly at: Timestamp
}

/** The writer's statements, prepared once; every call happens inside its transaction. */
export interface Rows {
  read(id: number): StoredRecord | null
  /** The title's slug, numbered if it is taken. */
  toSlug(title: string): string
  nextId(): number
  /** The record's row, its version in the log, and all that is derived from it. */
  store(version: NewVersion): StoredRecord
  useToken(id: number, at: Timestamp): void
  addBatch(batch: { kind: string; at: Timestamp; author: string; records: number }): number
  readonly categories: CategoryRows
  readonly idempotency: IdempotencyRows
  /** After a rollback: what was remembered of its slugs may be wrong. */
  forget(): void
}

export function createRows(db: Database): Rows {
  const read = db.query<StoredRecord, [number]>(
    'SELECT id, version, mark, state, updated, body FROM record WHERE id = ?',
  )
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM record WHERE slug = ?')
  const findLastId = db.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = 'record'`)
  const useToken = db.query<null, [Timestamp, number]>('UPDATE token SET last_used = ? WHERE id = ?')
  const slugs = createSlugNumbers((slug) => findSlug.get(slug) !== null)
  const categories = createCategoryRows(db)
  const addBatch = db.query<{ id: number }, [string, Timestamp, string, number]>(
    'INSERT INTO batch (kind, at, author, records) VALUES (?, ?, ?, ?) RETURNING id',
  )
  const saveVersion = createVersionRows(db)
  const derived = createDerived(db)

  return {
    read: (id) => read.get(id),
    toSlug: (title) => slugs.toFree(toSlug(title)),
    forget() {
      slugs.forget()
      categories.forget()
    },
    nextId: () => (findLastId.get()?.seq ?? 0) + 1,
    useToken: (id, at) => void useToken.run(at, id),
    addBatch: ({ kind, at, author, records }) => addBatch.get(kind, at, author, records)?.id ?? 0,
    categories,
    idempotency: createIdempotencyRows(db, (id) => read.get(id)),
    store(next) {
      const categoryId = categories.toId(next.record.category, next.at)
      const stored = saveVersion(next)
      if (next.version === 1) derived.insert(next.record, categoryId)
      else derived.update(next.record, categoryId, next.changed)
      return stored
    },
  }
}

function createVersionRows(db: Database): (version: NewVersion) => StoredRecord {
  const insertRecord = db.query(
    `INSERT INTO record (id, version, mark, state, slug, updated, body)
     VALUES ($id, $version, $mark, $state, $slug, $updated, $body)`,
  )
  const updateRecord = db.query(
    'UPDATE record SET version = $version, mark = $mark, state = $state, updated = $updated, body = $body WHERE id = $id',
  )
  const addVersion = db.query(
    `INSERT INTO version (record_id, number, at, author, batch, changed, checksum, body)
     VALUES ($id, $version, $updated, $author, $batch, $changed, $checksum, $body)`,
  )
  return ({ record, version, changed, author, batch }) => {
    const { id, state, slug, updated } = record
    const body = toBody(record)
    const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
    const mark = `${version}-${checksum.toString('hex', 0, 4)}`
    if (version === 1) insertRecord.run({ id, version, mark, state, slug, updated, body })
    else updateRecord.run({ id, version, mark, state, updated, body })
    addVersion.run({ id, version, updated, author, batch, changed: JSON.stringify(changed), checksum, body })
    return { id, version, mark, state, updated, body }
  }
}
