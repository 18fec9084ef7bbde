import type { CategoryChanges } from '../../record/category.ts'
import { toSlug } from '../../record/slug.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from './database.ts'
import { createSlugNumbers } from './slug-numbers.ts'

export interface CategoryRows {
  /** Of the category with this title, which is made if it is new. */
  toId(title: string, at: Timestamp): number
  find(slug: string): { readonly id: number; readonly title: string } | null
  toTitle(id: number): string | null
  toDescription(id: number): string | null
  isTitleTaken(title: string): boolean
  update(id: number, changes: CategoryChanges): void
  listRecords(id: number): number[]
  /** After a rollback: what was remembered of its slugs may be wrong. */
  forget(): void
}

export function createCategoryRows(db: Database): CategoryRows {
  const findTitle = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE title = ?')
  const findSlug = db.query<{ id: number; title: string }, [string]>('SELECT id, title FROM category WHERE slug = ?')
  const findId = db.query<{ title: string; description: string }, [number]>(
    'SELECT title, description FROM category WHERE id = ?',
  )
  const insert = db.query<null, [string, string, Timestamp]>(
    'INSERT INTO category (title, slug, added) VALUES (?, ?, ?)',
  )
  const listRecords = db.query<{ id: number }, [number]>('SELECT id FROM listing WHERE category_id = ? ORDER BY id')
  const slugs = createSlugNumbers((slug) => findSlug.get(slug) !== null)
  return {
    forget: slugs.forget,
    toId(title, at) {
      const found = findTitle.get(title)
      if (found !== null) return found.id
      return Number(insert.run(title, slugs.toFree(toSlug(title, 'category')), at).lastInsertRowid)
    },
    find: (slug) => findSlug.get(slug),
    toTitle: (id) => findId.get(id)?.title ?? null,
    toDescription: (id) => findId.get(id)?.description ?? null,
    isTitleTaken: (title) => findTitle.get(title) !== null,
    update(id, changes) {
      for (const [column, value] of Object.entries(changes)) {
        db.query<null, [string | null, number]>(`UPDATE category SET ${column} = ? WHERE id = ?`).run(value, id)
      }
    },
    listRecords: (id) => listRecords.all(id).map((row) => row.id),
  }
}
