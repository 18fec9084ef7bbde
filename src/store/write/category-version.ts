import { type CategoryFields, categoryNames, isCategory, isCategoryName } from '../../record/category.ts'
import type { JsonValue } from '../../record/json/json-value.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { StoredCategory } from '../store.ts'
import { toVersionTag } from './version-rows.ts'

/** One version of a category, with the category's own columns. */
export interface CategoryVersionRow {
  readonly id: number
  readonly slug: string
  readonly added: Timestamp
  readonly version: number
  readonly updated: Timestamp
  readonly body: string
}

const versions = `
  SELECT category.id, slug, added, number AS version, at AS updated, body
  FROM category JOIN category_version ON category_id = category.id WHERE category.id = ?`

/** Versions of one category, by its id. */
export const categorySql = {
  newest: `${versions} ORDER BY number DESC LIMIT 1`,
  first: `${versions} AND number = 1`,
} as const

export function toStoredCategory({ body, ...row }: CategoryVersionRow): StoredCategory {
  return { ...row, versionTag: toCategoryVersionTag(row.version, body), fields: JSON.parse(body) }
}

/** Like the tag of a record's version (decision 3). */
export function toCategoryVersionTag(version: number, body: string): string {
  return toVersionTag(version, new Bun.CryptoHasher('sha256').update(body).digest())
}

/** The fields alone, in their declared order: ETags are computed from these bytes. */
export function toCategoryBody(fields: CategoryFields): string {
  return JSON.stringify(Object.fromEntries(categoryNames.map((name) => [name, fields[name]])))
}

export const updateCategorySql = `UPDATE category SET ${categoryNames.map((name) => `${name} = $${name}`).join(', ')} WHERE id = $id`

export const addVersionSql = `
  INSERT INTO category_version (category_id, number, at, author, reason, changed, body)
  VALUES ($id, $version, $at, $author, $reason, $changed, $body)`

/** Null if the stored text is not a category. */
export function parseCategoryBody(body: string): CategoryFields | null {
  const value = parseJson(body)
  return value !== undefined && isCategory(value) ? value : null
}

/** Whether the text is a JSON array of field names. */
export function isChangedText(text: string): boolean {
  const value = parseJson(text)
  return Array.isArray(value) && value.every(isCategoryName)
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Adds a first version to categories of older stores, as the upgrade does: their current fields. */
export async function addFirstVersions(db: Database): Promise<void> {
  const rows = db.query<CategoryFields & { id: number; added: Timestamp }, []>(
    `SELECT id, added, ${categoryNames.join(', ')} FROM category
     WHERE id NOT IN (SELECT category_id FROM category_version) ORDER BY id`,
  )
  const add = db.query(addVersionSql)
  for (const { id, added: at, ...fields } of await rows.all()) {
    const body = toCategoryBody(fields)
    add.send({ id, version: 1, at, author: 'upgrade', reason: null, changed: JSON.stringify(categoryNames), body })
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
