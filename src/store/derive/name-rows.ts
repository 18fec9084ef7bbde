import type { NameKind } from '../../record/name.ts'
import { toSortKey } from '../../record/text/fold.ts'
import { toSlug } from '../../record/text/slug.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createBulkInsert, createInsertAll } from '../write/insert-many.ts'
import { createUsedSlugs, findFreeSlug } from '../write/slugs.ts'

/** Speakers or tags: one row per name, and ordered links from records to their names. */
interface NameRows {
  /** For records without links. Inserts new names. */
  link(records: readonly NamedRecord[]): Promise<void>
  /** As `link`, for records whose links are replaced. */
  replace(records: readonly NamedRecord[]): Promise<void>
  /** The slug that a new name would get. */
  findFreeSlug(name: string): Promise<string>
  /** Inserts a new name and returns its id. */
  insert(name: string): Promise<number>
  /** Gives a row another name and slug. */
  rewrite(id: number, name: string, slug: string): void
  /** Rebuilds sort keys and the trigram index, which must be empty. Names keep their ids and slugs. */
  reindex(): Promise<void>
}

interface NamedRecord {
  readonly id: number
  readonly names: readonly string[]
}

export function createNameRows(db: Database, table: NameKind): NameRows {
  const find = createLookup<{ id: number; name: string }, string>(
    db,
    (names) => `SELECT id, name FROM ${table} WHERE name IN ${names}`,
  )
  const slugs = createUsedSlugs(db, table)
  const insertPiece = db.query<null, [number, string]>(`INSERT INTO ${table}_piece (rowid, key) VALUES (?, ?)`)
  const deleteLinks = db.query<null, [number]>(`DELETE FROM record_${table} WHERE record_id = ?`)
  const insertLinks = createInsertAll(db, `record_${table}`, ['record_id', 'place', `${table}_id`])

  const deletePiece = db.query<null, [number]>(`DELETE FROM ${table}_piece WHERE rowid = ?`)
  const rewrite = db.query<null, [string, string, string, number]>(
    `UPDATE ${table} SET name = ?, slug = ?, key = ? WHERE id = ?`,
  )
  const findSlug = async (name: string) => (await findFreeSlug(toSlug(name, table), slugs.isUsed)).slug

  async function insertName(name: string): Promise<number> {
    const key = toSortKey(name)
    const id = await db.insert(table, { name, slug: await findSlug(name), key })
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

  const toLinks = ({ id, names }: NamedRecord, ids: ReadonlyMap<string, number>) =>
    names.map((name, place) => [id, place, ids.get(name) ?? 0])

  return {
    async link(records) {
      const ids = await ensureIds(records.flatMap(({ names }) => names))
      insertLinks(
        records.flatMap((record) => toLinks(record, ids)),
        (row) => row,
      )
    },
    // Record by record: few rows per statement, so that FTS5 keeps its buffer (`insert-many.ts`).
    async replace(records) {
      const ids = await ensureIds(records.flatMap(({ names }) => names))
      for (const record of records) {
        deleteLinks.send(record.id)
        insertLinks(toLinks(record, ids), (row) => row)
      }
    },
    findFreeSlug: findSlug,
    insert: insertName,
    rewrite(id, name, slug) {
      const key = toSortKey(name)
      rewrite.send(name, slug, key, id)
      deletePiece.send(id)
      insertPiece.send(id, key)
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
