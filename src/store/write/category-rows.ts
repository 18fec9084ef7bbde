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
  ensureCategory(title: string, authorship: CategoryAuthorship): Promise<number>
  /** A new one, whose title is free. Listed: everybody sees it, even while it is empty. */
  create(given: NewCategory, authorship: CategoryAuthorship, isListed: boolean): Promise<StoredCategory>
  find(slug: string): Promise<StoredCategory | null>
  findFirst(id: number): Promise<StoredCategory | null>
  findTitle(id: number): Promise<string | null>
  findDescription(id: number): Promise<string | null>
  /** The slug of the category with this title. */
  findSlug(title: string): Promise<string | null>
  isTitleTaken(title: string): Promise<boolean>
  /** The slug that a new one would get. */
  findFreeSlug(title: string): Promise<string>
  /** Makes a version, unless nothing changes. */
  update(id: number, changes: CategoryChanges, authorship: CategoryAuthorship): Promise<StoredCategory>
  listRecords(id: number): Promise<number[]>
  /** Some of its records, in any order. */
  listSome(id: number, limit: number): Promise<number[]>
  hasRecords(id: number): Promise<boolean>
  /** Whether the record is in it. */
  has(id: number, recordId: number): Promise<boolean>
  /** Of the category with this title: how it was made, where it came with a record or a rename and is still as it was. */
  findCreation(title: string): Promise<CategoryCreation | null>
  /** Whether nothing that somebody has written would be lost if another category took the place of this title's. */
  canGiveWay(title: string): Promise<boolean>
  /** Unless it has records, is named anywhere else, was written to, or is not there. */
  removeEmpty(title: string): Promise<void>
  /**
   * Gives a category that has no records any more another title: the category that has it takes the other's place, with
   * slug and all fields. Its records are many, and naming a category by another id takes no time. Gives the id.
   */
  takePlace(id: number, title: string, authorship: CategoryAuthorship): Promise<number>
  /** After a rollback: what was remembered of its slugs may be wrong. */
  forget(): void
}

export function createCategoryRows(db: Database): CategoryRows {
  const findByTitle = db.query<{ id: number; slug: string }, [string]>('SELECT id, slug FROM category WHERE title = ?')
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const findId = db.query<{ title: string; description: string }, [number]>(
    'SELECT title, description FROM category WHERE id = ?',
  )
  const findNewest = db.query<CategoryVersionRow, [number]>(categorySql.newest)
  const findFirst = db.query<CategoryVersionRow, [number]>(categorySql.first)
  const update = db.query(updateCategorySql)
  const addVersion = db.query(addVersionSql)
  const listRecords = db.query<{ id: number }, [number]>('SELECT id FROM listing WHERE category_id = ? ORDER BY id')
  const places = createCategoryReferences(db)
  const slugs = createFreeSlugs(async (slug) => (await findSlug.get(slug)) !== null)
  const findFreeSlug = (title: string) => slugs.findFree(toSlug(title, 'category'))
  const listSome = db.query<{ id: number }, [number, number]>('SELECT id FROM listing WHERE category_id = ? LIMIT ?')
  const findIn = db.query<unknown, [number, number]>('SELECT 1 FROM listing WHERE category_id = ? AND id = ?')
  const hasRecords = async (id: number) => (await listSome.all(id, 1)).length > 0

  async function findCreation(title: string): Promise<CategoryCreation | null> {
    const found = await findByTitle.get(title)
    return found === null ? null : await places.findCreation(found.id)
  }

  async function readNewest(id: number): Promise<StoredCategory> {
    const row = await findNewest.get(id)
    if (row === null) throw new Error(`category ${id} has no version`)
    return toStoredCategory(row)
  }

  function save(
    id: number,
    version: number,
    fields: CategoryFields,
    changed: readonly string[],
    authorship: CategoryAuthorship,
  ): void {
    addVersion.send({ id, version, ...authorship, changed: JSON.stringify(changed), body: toCategoryBody(fields) })
  }

  async function create(
    given: NewCategory,
    authorship: CategoryAuthorship,
    isListed: boolean,
  ): Promise<StoredCategory> {
    const fields = toNewCategory(given)
    const row = { slug: await findFreeSlug(fields.title), added: authorship.at, listed: isListed ? 1 : 0, ...fields }
    const id = await db.insert('category', row)
    save(id, 1, fields, categoryNames, authorship)
    return readNewest(id)
  }

  async function change(id: number, changes: CategoryChanges, authorship: CategoryAuthorship): Promise<StoredCategory> {
    const before = await readNewest(id)
    const fields = { ...before.fields, ...changes }
    const changed = toChangedNames(before.fields, fields)
    if (changed.length === 0) return before
    update.send({ id, ...fields })
    save(id, before.version + 1, fields, changed, { ...authorship, at: toLater(before.updated, authorship.at) })
    return readNewest(id)
  }

  return {
    forget: slugs.forget,
    ensureCategory: async (title, authorship) =>
      (await findByTitle.get(title))?.id ?? (await create({ title }, authorship, false)).id,
    create,
    async find(slug) {
      const found = await findSlug.get(slug)
      return found === null ? null : await readNewest(found.id)
    },
    async findFirst(id) {
      const row = await findFirst.get(id)
      return row === null ? null : toStoredCategory(row)
    },
    findTitle: async (id) => (await findId.get(id))?.title ?? null,
    findDescription: async (id) => (await findId.get(id))?.description ?? null,
    findSlug: async (title) => (await findByTitle.get(title))?.slug ?? null,
    isTitleTaken: async (title) => (await findByTitle.get(title)) !== null,
    findFreeSlug,
    update: change,
    listRecords: async (id) => (await listRecords.all(id)).map((row) => row.id),
    listSome: async (id, limit) => (await listSome.all(id, limit)).map((row) => row.id),
    hasRecords,
    has: async (id, recordId) => (await findIn.get(id, recordId)) !== null,
    findCreation,
    canGiveWay: async (title) => (await findByTitle.get(title)) === null || (await findCreation(title)) !== null,
    async removeEmpty(title) {
      const found = await findByTitle.get(title)
      if (found === null || (await hasRecords(found.id))) return
      await places.remove(found.id)
      slugs.forget()
    },
    async takePlace(id, title, authorship) {
      const other = (await findByTitle.get(title))?.id ?? id
      if (other !== id) await places.give(id, other)
      slugs.forget()
      await change(other, { title }, authorship)
      return other
    },
  }
}
