import type { Visibility } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { CategoryVersion, CategoryVersionLine, LogPage } from '../change-log.ts'
import type { Database } from '../database.ts'
import type { CategoryHistoryQuery, CategoryQuery, CategoryVersionQuery, FoundCategory } from '../store.ts'
import {
  type CategoryVersionRow,
  categorySql,
  toCategoryFields,
  toCategoryVersionTag,
  toStoredCategory,
} from '../write/category-rows.ts'
import { readLogPage } from './change-log.ts'
import { createCurrentEntries } from './names/current-entries.ts'
import { isShownSql, readCategoryEntry } from './names/vocabulary.ts'
import { createStatements } from './statements.ts'

/** Reads single categories and their versions. */
export interface CategoryReader {
  /** Null if the caller may see no such category. A merged category leads to another (decision 52). */
  find(query: CategoryQuery): Promise<FoundCategory | null>
  readHistory(query: CategoryHistoryQuery): Promise<LogPage<CategoryVersionLine> | null>
  readVersion(query: CategoryVersionQuery): Promise<CategoryVersion | null>
}

type LineRow = Omit<CategoryVersionLine, 'changed'> & { readonly changed: string }

const lineColumns = 'number AS version, at, author AS "by", reason, changed'

export function createCategoryReader(db: Database): CategoryReader {
  const prepare = createStatements(db)
  const findId = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const { findCurrent } = createCurrentEntries(db, 'category')
  const findNewest = db.query<CategoryVersionRow, [number]>(categorySql.newest)
  const countVersions = db.query<{ count: number }, [number]>(
    'SELECT count(*) AS count FROM category_version WHERE category_id = ?',
  )
  const listVersions = db.query<LineRow, [number, number, number]>(
    `SELECT ${lineColumns} FROM category_version WHERE category_id = ? ORDER BY number DESC LIMIT ? OFFSET ?`,
  )
  const findVersion = db.query<LineRow & { body: string }, [number, number]>(
    `SELECT ${lineColumns}, body FROM category_version WHERE category_id = ? AND number = ?`,
  )

  async function find({ slug, visibility }: CategoryQuery): Promise<FoundCategory | null> {
    const named = (await findId.get(slug))?.id
    const id = named === undefined ? 0 : await findCurrent(named, visibility)
    const shown = await prepare<{ id: number }>(
      `SELECT id FROM category WHERE id = ? AND ${isShownSql(visibility)}`,
    ).get(id)
    const newest = shown === null ? null : await findNewest.get(shown.id)
    if (shown === null || newest === null) return null
    const { versionTag, updated } = toStoredCategory(newest)
    const lastSeen = (await prepare<{ at: Timestamp | null }>(lastSeenSql(visibility)).get())?.at ?? ''
    const modified = lastSeen > updated ? lastSeen : updated
    return { row: await readCategoryEntry(prepare, shown.id, visibility), versionTag, updated, modified }
  }

  async function readVersion({ slug, number }: CategoryVersionQuery): Promise<CategoryVersion | null> {
    const id = (await findId.get(slug))?.id
    const row = id === undefined ? null : await findVersion.get(id, number)
    if (id === undefined || row === null) return null
    const earlier = number === 1 ? null : await findVersion.get(id, number - 1)
    const { body, ...line } = row
    const versionTag = toCategoryVersionTag(number, body)
    const before = earlier === null ? null : toCategoryFields(earlier.body)
    return { ...toLine(line), versionTag, fields: toCategoryFields(body), before }
  }

  return {
    find: (query) => db.transaction('read', () => find(query)),
    readHistory: ({ slug, ...paging }) =>
      db.transaction('read', async () => {
        const id = (await findId.get(slug))?.id
        if (id === undefined) return null
        const count = (await countVersions.get(id))?.count ?? 0
        return readLogPage(paging, count, async (limit, offset) =>
          (await listVersions.all(id, limit, offset)).map(toLine),
        )
      }),
    readVersion: (query) => db.transaction('read', () => readVersion(query)),
  }
}

const toLine = ({ changed, ...line }: LineRow): CategoryVersionLine => ({ ...line, changed: JSON.parse(changed) })

/**
 * The time of the last change that the caller can see. A record can leave a category without a trace in it, so only the
 * last change of the whole store bounds the age of a category and its records (decision 31).
 */
function lastSeenSql(visibility: Visibility): string {
  const newest = (table: string, isPublic: string) =>
    `SELECT at FROM (SELECT at FROM ${table} ${visibility === 'all' ? '' : `WHERE ${isPublic}`} ORDER BY seq DESC LIMIT 1) AS newest_${table}`
  return `SELECT max(at) AS at FROM (
    ${newest('version', `(state = 1 OR kind = 'withdrawn')`)} UNION ALL ${newest('tombstone', 'was_public = 1')}
  ) AS newest`
}
