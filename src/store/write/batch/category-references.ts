import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { createUsedSlugs } from '../names/retired-names.ts'

/** Tables that reference categories by id, except versions and records. These categories have no records. */
const parts = ['category_origin', 'batch', 'idempotency']

type Row = { readonly [column: string]: string | number | null }

/** Who created a category, and when. */
export interface CategoryCreation {
  readonly at: Timestamp
  readonly author: string
}

/** For categories that exist only during a large rename, or after one was stopped (ADR 32). */
export interface CategoryReferences {
  /** Who created the category; null unless a record or a rename created it and nothing changed it since. */
  findCreation(id: number): Promise<CategoryCreation | null>
  /** Replaces the category `to` by a category without records: slug, title, fields and versions. */
  give(id: number, to: number): Promise<void>
  /** Deletes the category, unless it is referenced, was created on its own, or was changed. */
  remove(id: number): Promise<void>
}

export function createCategoryReferences(db: Database): CategoryReferences {
  const run = (sql: string, ...values: (string | number | null)[]) => db.query(sql).send(...values)
  const slugs = createUsedSlugs(db, 'category')
  const find = db.query<Row, [number]>('SELECT * FROM category WHERE id = ?')
  /** The slug of `of` is gone for good, as is the id. */
  const retire = async (id: number, of: number) => slugs.retire(id, String((await find.get(of))?.slug))
  const findCreation = db.query<CategoryCreation, [number]>(
    `SELECT at, author FROM category JOIN category_version AS first ON category_id = category.id
     WHERE category.id = ? AND listed = 0 AND number = 1
       AND NOT EXISTS (SELECT 1 FROM category_version WHERE category_id = first.category_id AND number > 1)`,
  )
  const findAlias = db.query<unknown, [number]>('SELECT 1 FROM category WHERE merged_into = ? LIMIT 1')
  const isNamed = async (table: string, id: number) =>
    (await db.query<unknown, [number]>(`SELECT 1 FROM ${table} WHERE category_id = ? LIMIT 1`).get(id)) !== null

  return {
    findCreation: (id) => findCreation.get(id),
    async give(id, to) {
      const row = await find.get(id)
      if (row === null) throw new Error(`there is no category ${id}`)
      await retire(id, to)
      run('UPDATE category SET merged_into = ? WHERE merged_into = ?', to, id)
      run('DELETE FROM category_version WHERE category_id = ?', to)
      for (const table of [...parts, 'category_version']) {
        run(`UPDATE ${table} SET category_id = ? WHERE category_id = ?`, to, id)
      }
      run('DELETE FROM category WHERE id = ?', id)
      for (const [column, value] of Object.entries(row)) {
        if (column !== 'id') run(`UPDATE category SET ${column} = ? WHERE id = ?`, value, to)
      }
    },
    async remove(id) {
      if ((await findCreation.get(id)) === null) return
      for (const table of parts) if (await isNamed(table, id)) return
      if ((await findAlias.get(id)) !== null) return
      await retire(id, id)
      run('DELETE FROM category_version WHERE category_id = ?', id)
      run('DELETE FROM category WHERE id = ?', id)
    },
  }
}
