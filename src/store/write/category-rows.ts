import {
  type CategoryChanges,
  type CategoryFields,
  categoryNames,
  type NewCategory,
  toChangedNames,
  toNewCategory,
} from '../../record/category.ts'
import { toSlug } from '../../record/text/slug.ts'
import { type Timestamp, toLater } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { StoredCategory } from '../store.ts'
import { type CategoryCreation, createCategoryReferences } from './batch/category-references.ts'
import {
  addVersionSql,
  type CategoryVersionRow,
  categorySql,
  toCategoryBody,
  toStoredCategory,
  updateCategorySql,
} from './category-version.ts'
import { createFreeSlugs } from './free-slug.ts'

/** Whose change it is, when and why; kept with the version that it makes. */
export interface CategoryAuthorship {
  readonly at: Timestamp
  readonly author: string
  readonly reason: string | null
}

export interface CategoryRows {
  /** Of the category with this title, which is made if it is new. */
  ensureCategory(title: string, deed: CategoryAuthorship): number
  /** A new one, whose title is free. Listed: everybody sees it, even while it is empty. */
  create(given: NewCategory, deed: CategoryAuthorship, isListed: boolean): StoredCategory
  find(slug: string): StoredCategory | null
  findFirst(id: number): StoredCategory | null
  toTitle(id: number): string | null
  toDescription(id: number): string | null
  /** The slug of the category with this title. */
  findSlug(title: string): string | null
  isTitleTaken(title: string): boolean
  /** The slug that a new one would get. */
  toFreeSlug(title: string): string
  /** Makes a version, unless nothing changes. */
  update(id: number, changes: CategoryChanges, deed: CategoryAuthorship): StoredCategory
  listRecords(id: number): number[]
  /** Some of its records, in any order. */
  listSome(id: number, limit: number): number[]
  hasRecords(id: number): boolean
  /** Whether the record is in it. */
  has(id: number, recordId: number): boolean
  /** Of the category with this title: how it was made, where it came with a record or a rename and is still as it was. */
  findMaking(title: string): CategoryCreation | null
  /** Whether nothing that somebody has written would be lost if another category took the place of this title's. */
  canGiveWay(title: string): boolean
  /** Unless it has records, is named anywhere else, was written to, or is not there. */
  removeEmpty(title: string): void
  /**
   * Gives a category that has no records any more another title: the category that has it takes the other's place, with
   * slug and all fields. Its records are many, and naming a category by another id takes no time. Gives the id.
   */
  takePlace(id: number, title: string, deed: CategoryAuthorship): number
  /** After a rollback: what was remembered of its slugs may be wrong. */
  forget(): void
}

export function createCategoryRows(db: Database): CategoryRows {
  const findTitle = db.query<{ id: number; slug: string }, [string]>('SELECT id, slug FROM category WHERE title = ?')
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const findId = db.query<{ title: string; description: string }, [number]>(
    'SELECT title, description FROM category WHERE id = ?',
  )
  const findNewest = db.query<CategoryVersionRow, [number]>(categorySql.newest)
  const findFirst = db.query<CategoryVersionRow, [number]>(categorySql.first)
  const columns = categoryNames.join(', ')
  const values = categoryNames.map((name) => `$${name}`).join(', ')
  const insert = db.query(
    `INSERT INTO category (slug, added, listed, ${columns}) VALUES ($slug, $added, $listed, ${values})`,
  )
  const update = db.query(updateCategorySql)
  const addVersion = db.query(addVersionSql)
  const listRecords = db.query<{ id: number }, [number]>('SELECT id FROM listing WHERE category_id = ? ORDER BY id')
  const places = createCategoryReferences(db)
  const slugs = createFreeSlugs((slug) => findSlug.get(slug) !== null)
  const toFreeSlug = (title: string) => slugs.toFree(toSlug(title, 'category'))
  const listSome = db.query<{ id: number }, [number, number]>('SELECT id FROM listing WHERE category_id = ? LIMIT ?')
  const findIn = db.query<unknown, [number, number]>('SELECT 1 FROM listing WHERE category_id = ? AND id = ?')
  const hasRecords = (id: number) => listSome.all(id, 1).length > 0

  function findMaking(title: string): CategoryCreation | null {
    const found = findTitle.get(title)
    return found === null ? null : places.findMaking(found.id)
  }

  function readNewest(id: number): StoredCategory {
    const row = findNewest.get(id)
    if (row === null) throw new Error(`category ${id} has no version`)
    return toStoredCategory(row)
  }

  function save(
    id: number,
    version: number,
    fields: CategoryFields,
    changed: readonly string[],
    deed: CategoryAuthorship,
  ): void {
    addVersion.run({ id, version, ...deed, changed: JSON.stringify(changed), body: toCategoryBody(fields) })
  }

  function create(given: NewCategory, deed: CategoryAuthorship, isListed: boolean): StoredCategory {
    const fields = toNewCategory(given)
    const row = { slug: toFreeSlug(fields.title), added: deed.at, listed: isListed ? 1 : 0, ...fields }
    const id = Number(insert.run(row).lastInsertRowid)
    save(id, 1, fields, categoryNames, deed)
    return readNewest(id)
  }

  function change(id: number, changes: CategoryChanges, deed: CategoryAuthorship): StoredCategory {
    const before = readNewest(id)
    const fields = { ...before.fields, ...changes }
    const changed = toChangedNames(before.fields, fields)
    if (changed.length === 0) return before
    update.run({ id, ...fields })
    save(id, before.version + 1, fields, changed, { ...deed, at: toLater(before.updated, deed.at) })
    return readNewest(id)
  }

  return {
    forget: slugs.forget,
    ensureCategory: (title, deed) => findTitle.get(title)?.id ?? create({ title }, deed, false).id,
    create,
    find(slug) {
      const found = findSlug.get(slug)
      return found === null ? null : readNewest(found.id)
    },
    findFirst(id) {
      const row = findFirst.get(id)
      return row === null ? null : toStoredCategory(row)
    },
    toTitle: (id) => findId.get(id)?.title ?? null,
    toDescription: (id) => findId.get(id)?.description ?? null,
    findSlug: (title) => findTitle.get(title)?.slug ?? null,
    isTitleTaken: (title) => findTitle.get(title) !== null,
    toFreeSlug,
    update: change,
    listRecords: (id) => listRecords.all(id).map((row) => row.id),
    listSome: (id, limit) => listSome.all(id, limit).map((row) => row.id),
    hasRecords,
    has: (id, recordId) => findIn.get(id, recordId) !== null,
    findMaking,
    canGiveWay: (title) => findTitle.get(title) === null || findMaking(title) !== null,
    removeEmpty(title) {
      const found = findTitle.get(title)
      if (found === null || hasRecords(found.id)) return
      places.remove(found.id)
      slugs.forget()
    },
    takePlace(id, title, deed) {
      const other = findTitle.get(title)?.id ?? id
      if (other !== id) places.give(id, other)
      slugs.forget()
      change(other, { title }, deed)
      return other
    },
  }
}
