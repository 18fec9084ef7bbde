import { toFreeSlug, toSlug } from '../../record/text/slug.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/lookup-many.ts'
import { remember } from '../read/remember.ts'
import { createBulkInsert } from '../write/bulk-insert.ts'
import { toSortKey } from './sort-key.ts'

/** Speakers or tags: a row for each name, and for each record which of them it has, in order. */
export interface NameRows {
  replace(recordId: number, names: readonly string[]): void
  /** The ids of these names, which are made where they are new. */
  toIds(names: readonly string[]): ReadonlyMap<string, number>
  /** For records that have none yet. */
  addAll(records: readonly { readonly id: number; readonly names: readonly string[] }[]): void
  /** Removes those of these names that no record has. */
  forget(names: readonly string[]): void
  /** Names keep their ids and slugs; by what they are found is made anew. The index of pieces is empty. */
  reindex(): void
}

export function createNameRows(db: Database, table: 'speaker' | 'tag'): NameRows {
  const find = db.query<{ id: number }, [string]>(`SELECT id FROM ${table} WHERE name = ?`)
  const findSome = createLookup<{ id: number; name: string }, string>(
    db,
    (names) => `SELECT id, name FROM ${table} WHERE name IN ${names}`,
  )
  const findSlug = db.query<{ id: number }, [string]>(`SELECT id FROM ${table} WHERE slug = ?`)
  // RETURNING would make a table of its own each time, which costs ten times the insert.
  const insert = db.query<null, [string, string, string]>(`INSERT INTO ${table} (name, slug, key) VALUES (?, ?, ?)`)
  const addPiece = db.query<null, [number, string]>(`INSERT INTO ${table}_piece (rowid, key) VALUES (?, ?)`)
  const clear = db.query<null, [number]>(`DELETE FROM record_${table} WHERE record_id = ?`)
  const link = db.query<null, [number, number, number]>(
    `INSERT INTO record_${table} (record_id, place, ${table}_id) VALUES (?, ?, ?)`,
  )

  function ensureName(name: string): number {
    const found = find.get(name)
    if (found !== null) return found.id
    const { slug } = toFreeSlug(toSlug(name, table), (each) => findSlug.get(each) !== null)
    const key = toSortKey(name)
    const id = Number(insert.run(name, slug, key).lastInsertRowid)
    addPiece.run(id, key)
    return id
  }

  return {
    toIds(names) {
      const wanted = new Set(names)
      const ids = new Map<string, number>()
      for (const chunk of toChunks(wanted)) for (const { id, name } of findSome(chunk)) ids.set(name, id)
      for (const name of wanted) if (!ids.has(name)) ids.set(name, ensureName(name))
      return ids
    },
    replace(recordId, names) {
      clear.run(recordId)
      for (const [place, name] of names.entries()) link.run(recordId, place, ensureName(name))
    },
    addAll(records) {
      const toKnownId = remember(ensureName)
      for (const { id, names } of records) {
        for (const [place, name] of names.entries()) link.run(id, place, toKnownId(name))
      }
    },
    forget(names) {
      const remove = db.query<{ id: number }, [string]>(
        `DELETE FROM ${table} WHERE name = ?
         AND NOT EXISTS (SELECT 1 FROM record_${table} WHERE ${table}_id = ${table}.id) RETURNING id`,
      )
      const removePiece = db.query<null, [number]>(`DELETE FROM ${table}_piece WHERE rowid = ?`)
      for (const name of new Set(names)) for (const { id } of remove.all(name)) removePiece.run(id)
    },
    reindex() {
      const setKey = db.query<null, [string, number]>(`UPDATE ${table} SET key = ? WHERE id = ?`)
      const pieces = createBulkInsert(db, `${table}_piece`, ['rowid', 'key'])
      const rows = db.query<{ id: number; name: string; key: string }, []>(`SELECT id, name, key FROM ${table}`).all()
      for (const { id, name, key } of rows) {
        if (key !== toSortKey(name)) setKey.run(toSortKey(name), id)
        pieces.add([id, toSortKey(name)])
      }
      pieces.flush()
    },
  }
}
