import { toSlug } from '../../record/text/slug.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/lookup-many.ts'
import { createBulkInsert, createInsertAll } from '../write/bulk-insert.ts'
import { findFreeSlug } from '../write/free-slug.ts'
import { toSortKey } from './listing.ts'

/** Speakers or tags: one row per name, and ordered links from records to their names. */
export interface NameRows {
  /** For records without links. Inserts new names. */
  link(records: readonly { readonly id: number; readonly names: readonly string[] }[]): Promise<void>
  replace(recordId: number, names: readonly string[]): Promise<void>
  /** Deletes those of these names that no record uses. */
  forget(names: readonly string[]): Promise<void>
  /** Rebuilds sort keys and the trigram index, which must be empty. Names keep their ids and slugs. */
  reindex(): Promise<void>
}

export function createNameRows(db: Database, table: 'speaker' | 'tag'): NameRows {
  const find = createLookup<{ id: number; name: string }, string>(
    db,
    (names) => `SELECT id, name FROM ${table} WHERE name IN ${names}`,
  )
  const findSlug = db.query<{ id: number }, [string]>(`SELECT id FROM ${table} WHERE slug = ?`)
  const insertPiece = db.query<null, [number, string]>(`INSERT INTO ${table}_piece (rowid, key) VALUES (?, ?)`)
  const deleteLinks = db.query<null, [number]>(`DELETE FROM record_${table} WHERE record_id = ?`)
  const insertLinks = createInsertAll(db, `record_${table}`, ['record_id', 'place', `${table}_id`])

  async function insertName(name: string): Promise<number> {
    const { slug } = await findFreeSlug(toSlug(name, table), async (each) => (await findSlug.get(each)) !== null)
    const key = toSortKey(name)
    const id = await db.insert(table, { name, slug, key })
    insertPiece.send(id, key)
    return id
  }

  /** The ids of these names; inserts new names in the given order. */
  async function ensureIds(names: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const distinct = new Set(names)
    const ids = new Map<string, number>()
    for await (const chunk of toChunks(distinct)) for (const { id, name } of await find(chunk)) ids.set(name, id)
    for (const name of distinct) if (!ids.has(name)) ids.set(name, await insertName(name))
    return ids
  }

  const link: NameRows['link'] = async (records) => {
    const ids = await ensureIds(records.flatMap(({ names }) => names))
    const links = records.flatMap(({ id, names }) => names.map((name, place) => [id, place, ids.get(name) ?? 0]))
    insertLinks(links, (row) => row)
  }

  return {
    link,
    async replace(id, names) {
      deleteLinks.send(id)
      await link([{ id, names }])
    },
    async forget(names) {
      const remove = db.query<{ id: number }, [string]>(
        `DELETE FROM ${table} WHERE name = ?
         AND NOT EXISTS (SELECT 1 FROM record_${table} WHERE ${table}_id = ${table}.id) RETURNING id`,
      )
      const removePiece = db.query<null, [number]>(`DELETE FROM ${table}_piece WHERE rowid = ?`)
      for (const name of new Set(names)) for (const { id } of await remove.all(name)) removePiece.send(id)
    },
    async reindex() {
      const setKey = db.query<null, [string, number]>(`UPDATE ${table} SET key = ? WHERE id = ?`)
      const pieces = createBulkInsert(db, `${table}_piece`, ['rowid', 'key'])
      const rows = await db
        .query<{ id: number; name: string; key: string }, []>(`SELECT id, name, key FROM ${table}`)
        .all()
      for (const { id, name, key } of rows) {
        if (key !== toSortKey(name)) setKey.send(toSortKey(name), id)
        await pieces.add([id, toSortKey(name)])
      }
      await pieces.flush()
    },
  }
}
