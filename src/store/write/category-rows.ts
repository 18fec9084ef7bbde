import {
  type CategoryChanges,
  type CategoryFields,
  categoryNames,
  type NewCategory,
  parseStoredCategory,
  toChangedNames,
  toNewCategory,
} from '../../record/category.ts'
import { parseJsonText } from '../../record/json.ts'
import { toSlug } from '../../record/text/slug.ts'
import { type Timestamp, toLater } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { StoredCategory } from '../list-reads.ts'
import { createFieldVersions, type FieldAuthorship, toFieldsTag } from './field-versions.ts'
import { createMerges } from './names/name-entries.ts'
import { createFreeSlugs, createUsedSlugs } from './slugs.ts'

export interface CategoryRows {
  /** The id of the category with this title, which is created if it is new. */
  ensureCategory(title: string, authorship: FieldAuthorship): Promise<number>
  /** Creates a category; its title must be free. `isListed`: it is public even while it has no live record (decision 31). */
  create(given: NewCategory, authorship: FieldAuthorship, isListed: boolean): Promise<StoredCategory>
  find(slug: string): Promise<StoredCategory | null>
  /** By an id of the store itself. */
  read(id: number): Promise<StoredCategory>
  findFirst(id: number): Promise<StoredCategory | null>
  findTitle(id: number): Promise<string | null>
  /** The slug of the category with this title, or of the one that it was merged into. */
  findSlug(title: string): Promise<string | null>
  isTitleTaken(title: string): Promise<boolean>
  /** The slug of the category that this one is an alias of; null if it is not an alias. */
  findMergedInto(id: number): Promise<string | null>
  /** Its own slug if it has records or was not merged, else that of the category that it leads to (decision 52). */
  findCurrentSlug(id: number): Promise<string>
  /** The slug that a new category with this title would get. */
  findFreeSlug(title: string): Promise<string>
  /** 1 if it is public even while it is empty. */
  findListed(id: number): Promise<number>
  setListed(id: number, listed: 0 | 1): void
  /** Adds a version, unless nothing changes. */
  update(id: number, changes: CategoryChanges, authorship: FieldAuthorship): Promise<StoredCategory>
  listRecords(id: number): Promise<number[]>
  hasRecords(id: number): Promise<boolean>
  /** Call after a rollback: cached slugs may be wrong. */
  forget(): void
}

export function createCategoryRows(db: Database): CategoryRows {
  const findByTitle = db.query<{ id: number; slug: string }, [string]>('SELECT id, slug FROM category WHERE title = ?')
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const findId = db.query<{ title: string }, [number]>('SELECT title FROM category WHERE id = ?')
  const merges = createMerges(db, 'category')
  const findMergedInto = db.query<{ slug: string }, [number]>(
    'SELECT slug FROM category WHERE id = (SELECT merged_into FROM category WHERE id = ?)',
  )
  const findListed = db.query<{ listed: number }, [number]>('SELECT listed FROM category WHERE id = ?')
  const setListed = db.query<null, [number, number]>('UPDATE category SET listed = ? WHERE id = ?')
  const findSlugOf = db.query<{ slug: string }, [number]>('SELECT slug FROM category WHERE id = ?')
  const findNewest = db.query<CategoryVersionRow, [number]>(categorySql.newest)
  const findFirst = db.query<CategoryVersionRow, [number]>(categorySql.first)
  const update = db.query(updateCategorySql)
  const versions = createFieldVersions(db, 'category')
  const listRecords = db.query<{ id: number }, [number]>('SELECT id FROM listing WHERE category_id = ? ORDER BY id')
  const slugs = createFreeSlugs(createUsedSlugs(db, 'category').isUsed)
  const findFreeSlug = (title: string) => slugs.findFree(toSlug(title, 'category'))
  const findOne = db.query<unknown, [number]>('SELECT 1 FROM listing WHERE category_id = ? LIMIT 1')
  const hasRecords = async (id: number) => (await findOne.get(id)) !== null

  async function findCurrentSlug(id: number): Promise<string> {
    const current = (await hasRecords(id)) ? id : ((await merges.findEnd(id)) ?? id)
    return (await findSlugOf.get(current))?.slug ?? ''
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
    authorship: FieldAuthorship,
  ): void {
    versions.insert(id, version, changed, toCategoryBody(fields), authorship)
  }

  async function create(given: NewCategory, authorship: FieldAuthorship, isListed: boolean): Promise<StoredCategory> {
    const fields = toNewCategory(given)
    const row = { slug: await findFreeSlug(fields.title), added: authorship.at, listed: isListed ? 1 : 0, ...fields }
    const id = await db.insert('category', row)
    save(id, 1, fields, categoryNames, authorship)
    return readNewest(id)
  }

  async function change(id: number, changes: CategoryChanges, authorship: FieldAuthorship): Promise<StoredCategory> {
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
    read: readNewest,
    async findFirst(id) {
      const row = await findFirst.get(id)
      return row === null ? null : toStoredCategory(row)
    },
    findTitle: async (id) => (await findId.get(id))?.title ?? null,
    async findSlug(title) {
      const found = await findByTitle.get(title)
      return found === null ? null : findCurrentSlug(found.id)
    },
    isTitleTaken: async (title) => (await findByTitle.get(title)) !== null,
    findCurrentSlug,
    findMergedInto: async (id) => (await findMergedInto.get(id))?.slug ?? null,
    findFreeSlug,
    findListed: async (id) => (await findListed.get(id))?.listed ?? 0,
    setListed: (id, listed) => setListed.send(listed, id),
    update: change,
    listRecords: async (id) => (await listRecords.all(id)).map((row) => row.id),
    hasRecords,
  }
}

/** One version of a category, with the category's own columns. */
export interface CategoryVersionRow {
  readonly id: number
  readonly slug: string
  readonly added: Timestamp
  readonly version: number
  readonly updated: Timestamp
  readonly body: string
}

const versionsSql = `
  SELECT category.id, slug, added, number AS version, at AS updated, body
  FROM category JOIN category_version ON category_id = category.id WHERE category.id = ?`

/** Versions of one category, by its id. */
export const categorySql = {
  newest: `${versionsSql} ORDER BY number DESC LIMIT 1`,
  first: `${versionsSql} AND number = 1`,
} as const

export function toStoredCategory({ body, ...row }: CategoryVersionRow): StoredCategory {
  return { ...row, versionTag: toFieldsTag(row.version, body), fields: toCategoryFields(body) }
}

/** The column was written by us, or checked by the import of a dump. Older versions lack some fields. */
export function toCategoryFields(body: string): CategoryFields {
  return toNewCategory(JSON.parse(body))
}

/** The fields alone, in their declared order: ETags are computed from these bytes. */
function toCategoryBody(fields: CategoryFields): string {
  return JSON.stringify(Object.fromEntries(categoryNames.map((name) => [name, fields[name]])))
}

const updateCategorySql = `UPDATE category SET ${categoryNames.map((name) => `${name} = $${name}`).join(', ')} WHERE id = $id`

/** Null if the stored text is not a category. */
export function parseCategoryBody(body: string): CategoryFields | null {
  const value = parseJsonText(body)
  return value === undefined ? null : parseStoredCategory(value)
}

/** Adds a first version to categories of older stores, as the upgrade does: their current fields. */
export async function addFirstVersions(db: Database): Promise<void> {
  const rows = db.query<CategoryFields & { id: number; added: Timestamp }, []>(
    `SELECT id, added, ${categoryNames.join(', ')} FROM category
     WHERE id NOT IN (SELECT category_id FROM category_version) ORDER BY id`,
  )
  const versions = createFieldVersions(db, 'category')
  for (const { id, added: at, ...fields } of await rows.all()) {
    versions.insert(id, 1, categoryNames, toCategoryBody(fields), { at, author: 'upgrade', reason: null })
  }
}

/** Restores each category from its newest version, and adds a first version to those that have none. */
export async function rebuildCategories(db: Database): Promise<void> {
  const newest = db.query<{ id: number; body: string; title: string }, []>(
    `SELECT id, body, title FROM category JOIN category_version AS newest ON category_id = id
     WHERE number = (SELECT max(number) FROM category_version WHERE category_id = newest.category_id) ORDER BY id`,
  )
  const clear = db.query<null, [string, number]>('UPDATE category SET title = ? WHERE id = ?')
  const update = db.query(updateCategorySql)
  const known = (await newest.all()).flatMap(({ id, body, title }) => {
    const fields = parseCategoryBody(body)
    return fields === null ? [] : [{ id, title, fields }]
  })
  // Titles are unique after each statement, so changed ones are cleared first.
  for (const { id, title, fields } of known) if (title !== fields.title) clear.send(`rebuilding ${id}`, id)
  for (const { id, fields } of known) update.send({ id, ...fields })
  await addFirstVersions(db)
}
