import type { Database } from 'bun:sqlite'
import type { WritableName } from '../../record/fields.ts'
import { toFolded } from '../../record/fold.ts'
import { toBody } from '../../record/json-body.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toFreeSlug, toSlug } from '../../record/slug.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { StoredRecord } from '../store.ts'

/** A decided version of a record, ready to be written. */
export interface NewVersion {
  readonly record: VideoRecord
  readonly version: number
  readonly changed: readonly WritableName[]
  readonly author: string
  readonly at: Timestamp
}

/** The writer's statements, prepared once; every call happens inside its transaction. */
export interface Rows {
  read(id: number): StoredRecord | null
  /** The title's slug, numbered if it is taken. */
  toSlug(title: string): string
  nextId(): number
  /** The record's row, its version in the log, its category: all that a write writes. */
  store(version: NewVersion): StoredRecord
  useToken(id: number, at: Timestamp): void
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
  const toCategoryId = createCategoryRows(db)
  const saveVersion = createVersionRows(db)

  return {
    read: (id) => read.get(id),
    toSlug: (title) => slugs.toFree(toSlug(title)),
    forget: slugs.forget,
    nextId: () => (findLastId.get()?.seq ?? 0) + 1,
    useToken: (id, at) => void useToken.run(at, id),
    store: (version) => saveVersion(version, toCategoryId(version.record.category, version.at)),
  }
}

/** How many slugs' numbers are remembered. */
const maxNumbers = 10_000

/** Slugs are never given back, so the number that was free last time is where to look next time. */
function createSlugNumbers(isTaken: (slug: string) => boolean) {
  const numbers = new Map<string, number>()
  return {
    toFree(wanted: string): string {
      const { slug, number } = toFreeSlug(wanted, isTaken, numbers.get(wanted))
      if (numbers.size >= maxNumbers) numbers.clear()
      if (number > 1) numbers.set(wanted, number)
      return slug
    },
    forget: () => numbers.clear(),
  }
}

function createCategoryRows(db: Database): (title: string, at: Timestamp) => number {
  const find = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE title = ?')
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const insert = db.query<{ id: number }, [string, string, Timestamp]>(
    'INSERT INTO category (title, slug, added) VALUES (?, ?, ?) RETURNING id',
  )
  return (title, at) => {
    const slug = () => toFreeSlug(toSlug(title, 'category'), (each) => findSlug.get(each) !== null).slug
    const row = find.get(title) ?? insert.get(title, slug(), at)
    if (row === null) throw new Error('a category was neither found nor made')
    return row.id
  }
}

function createVersionRows(db: Database): (version: NewVersion, categoryId: number) => StoredRecord {
  const saveRecord = db.query(
    `INSERT INTO record (id, version, mark, state, category_id, slug, title_key, recorded, updated, body)
     VALUES ($id, $version, $mark, $state, $categoryId, $slug, $titleKey, $recorded, $updated, $body)
     ON CONFLICT (id) DO UPDATE SET
       version = excluded.version, mark = excluded.mark, state = excluded.state, category_id = excluded.category_id,
       title_key = excluded.title_key, recorded = excluded.recorded, updated = excluded.updated, body = excluded.body`,
  )
  const addVersion = db.query(
    `INSERT INTO version (record_id, number, at, author, changed, checksum, body)
     VALUES ($id, $version, $updated, $author, $changed, $checksum, $body)`,
  )
  return ({ record, version, changed, author }, categoryId) => {
    const { id, state, slug, title, recorded, updated } = record
    const body = toBody(record)
    const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
    const mark = `${version}-${checksum.toString('hex', 0, 4)}`
    saveRecord.run({ id, version, mark, state, categoryId, slug, titleKey: toFolded(title), recorded, updated, body })
    addVersion.run({ id, version, updated, author, changed: JSON.stringify(changed), checksum, body })
    return { id, version, mark, state, updated, body }
  }
}
