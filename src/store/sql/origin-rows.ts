import type { JsonObject } from '../../record/json-value.ts'
import type { Changes } from '../../record/record.ts'
import type { Extras } from '../import.ts'
import type { Database } from './database.ts'

export interface Origin {
  readonly id: number
  readonly source: string
  readonly path: string
  /** The fields as they came last time. */
  readonly imported: Changes
}

/** Where records came from, and what came with them. */
export interface OriginRows {
  find(source: string, path: string): Origin | null
  findOf(id: number): Origin | null
  save(origin: Origin): void
  /** Of a record that has none yet. */
  addExtras(id: number, extras: Extras): void
  /** Whether that changes anything; a rehearsal only says so. */
  saveExtras(id: number, extras: Extras | null, isRehearsal: boolean): boolean
  /** The category that a file was imported as, and what the file said then; null where it is new. */
  findCategory(source: string, path: string): { readonly categoryId: number; readonly basis: JsonObject } | null
  saveCategory(category: { source: string; path: string; categoryId: number; extras: Extras }): void
  listBySourceUrl(url: string): number[]
  findBySlug(slug: string): { readonly id: number; readonly category: string } | null
}

type OriginRow = Omit<Origin, 'imported'> & { readonly imported: string }

const toBytes = (value: JsonObject) => Buffer.from(JSON.stringify(value))

export function createOriginRows(db: Database): OriginRows {
  const columns = 'record_id AS id, source, path, imported'
  const find = db.query<OriginRow, [string, string]>(`SELECT ${columns} FROM origin WHERE source = ? AND path = ?`)
  const findOf = db.query<OriginRow, [number]>(`SELECT ${columns} FROM origin WHERE record_id = ?`)
  const save = db.query(
    `INSERT INTO origin (record_id, source, path, imported) VALUES ($id, $source, $path, $imported)
     ON CONFLICT (record_id) DO UPDATE SET source = excluded.source, path = excluded.path, imported = excluded.imported`,
  )
  const findExtras = db.query<{ body: Uint8Array; basis: Uint8Array }, [number]>(
    'SELECT body, basis FROM extras WHERE record_id = ?',
  )
  const dropExtras = db.query<null, [number]>('DELETE FROM extras WHERE record_id = ?')
  const saveExtras = db.query<null, [number, Uint8Array, Uint8Array]>(
    `INSERT INTO extras (record_id, body, basis) VALUES (?, ?, ?)
     ON CONFLICT (record_id) DO UPDATE SET body = excluded.body, basis = excluded.basis`,
  )
  const saveCategory = db.query(
    `INSERT INTO category_origin (source, path, category_id, body, basis)
     VALUES ($source, $path, $categoryId, $body, $basis)
     ON CONFLICT (source, path) DO UPDATE SET category_id = excluded.category_id, body = excluded.body, basis = excluded.basis`,
  )
  const findCategory = db.query<{ category_id: number; basis: Uint8Array }, [string, string]>(
    'SELECT category_id, basis FROM category_origin WHERE source = ? AND path = ?',
  )
  const listBySource = db.query<{ id: number }, [string]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> '' ORDER BY id`,
  )
  const findBySlug = db.query<{ id: number; category: string }, [string]>(
    `SELECT record.id, category.title AS category FROM record JOIN listing ON listing.id = record.id
     JOIN category ON category.id = category_id WHERE record.slug = ?`,
  )

  return {
    find: (source, path) => toOrigin(find.get(source, path)),
    findOf: (id) => toOrigin(findOf.get(id)),
    save: ({ imported, ...origin }) => void save.run({ ...origin, imported: JSON.stringify(imported) }),
    addExtras: (id, { values, basis }) => void saveExtras.run(id, toBytes(values), toBytes(basis)),
    saveExtras(id, extras, isRehearsal) {
      const before = findExtras.get(id)
      if (extras === null) {
        if (before !== null && !isRehearsal) dropExtras.run(id)
        return before !== null
      }
      const [body, basis] = [toBytes(extras.values), toBytes(extras.basis)]
      if (before !== null && body.equals(before.body) && basis.equals(before.basis)) return false
      if (!isRehearsal) saveExtras.run(id, body, basis)
      return true
    },
    findCategory(source, path) {
      const row = findCategory.get(source, path)
      return row === null ? null : { categoryId: row.category_id, basis: JSON.parse(Buffer.from(row.basis).toString()) }
    },
    saveCategory: ({ extras, ...category }) =>
      void saveCategory.run({ ...category, body: toBytes(extras.values), basis: toBytes(extras.basis) }),
    listBySourceUrl: (url) => (url === '' ? [] : listBySource.all(url).map(({ id }) => id)),
    findBySlug: (slug) => findBySlug.get(slug),
  }
}

const toOrigin = (row: OriginRow | null): Origin | null =>
  row === null ? null : { ...row, imported: JSON.parse(row.imported) }
