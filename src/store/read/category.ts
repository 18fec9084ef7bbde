import type { Visibility } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { CategoryVersion, CategoryVersionLine, LogPage, ProfileVersionLine } from '../change-log.ts'
import type { Database } from '../database.ts'
import type { FoundCategory } from '../list-reads.ts'
import type { CategoryHistoryQuery, CategoryQuery, CategoryVersionQuery } from '../name-reads.ts'
import type { SlowReads } from '../store.ts'
import { type CategoryVersionRow, categorySql, toCategoryFields, toStoredCategory } from '../write/category-rows.ts'
import { toFieldsTag } from '../write/field-versions.ts'
import { createFieldHistory } from './field-history.ts'
import { createCurrentEntries } from './names/current-entries.ts'
import { countCategory, isShownSql, listCategoryIds, readCategoryRow } from './names/vocabulary.ts'
import { createStatements } from './statements.ts'

/** Reads single categories and their versions. */
export interface CategoryReader {
  /** Null if the caller may see no such category. A merged category leads to another (decision 52). */
  find(query: CategoryQuery): Promise<FoundCategory | null>
  readHistory(query: CategoryHistoryQuery): Promise<LogPage<CategoryVersionLine> | null>
  readVersion(query: CategoryVersionQuery): Promise<CategoryVersion | null>
}

export function createCategoryReader(db: Database): CategoryReader {
  const prepare = createStatements(db)
  const findId = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const { findCurrent } = createCurrentEntries(db, 'category')
  const findNewest = db.query<CategoryVersionRow, [number]>(categorySql.newest)
  const history = createFieldHistory(db, 'category')

  async function find({ slug, visibility, hasIds = false }: CategoryQuery): Promise<FoundCategory | null> {
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
    const row = await readCategoryRow(prepare, shown.id)
    const count = await countCategory(prepare, shown.id, visibility)
    const ids = hasIds ? await listCategoryIds(prepare, shown.id, visibility) : []
    return { row, count, ids, versionTag, updated, modified }
  }

  async function readVersion({ slug, number }: CategoryVersionQuery): Promise<CategoryVersion | null> {
    const id = (await findId.get(slug))?.id
    const found = id === undefined ? null : await history.find(id, number)
    if (found === null) return null
    const { line, body, before } = found
    return {
      // As below.
      ...(line as CategoryVersionLine),
      versionTag: toFieldsTag(number, body),
      fields: toCategoryFields(body),
      before: before === null ? null : toCategoryFields(before),
    }
  }

  return {
    find: (query) => db.transaction('read', () => find(query)),
    readHistory: ({ slug, ...paging }) =>
      db.transaction('read', async () => {
        const id = (await findId.get(slug))?.id
        // Every name in `changed` was one of a category when it was written.
        return id === undefined ? null : ((await history.list(id, paging)) as LogPage<CategoryVersionLine>)
      }),
    readVersion: (query) => db.transaction('read', () => readVersion(query)),
  }
}

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

/** Reads the versions of what is said of speakers. */
export function createProfileReader(db: Database): Pick<SlowReads, 'listProfileHistory' | 'readProfileVersion'> {
  const history = createFieldHistory(db, 'speaker')
  const find = db.query<unknown, [number]>('SELECT 1 FROM speaker WHERE id = ?')
  return {
    listProfileHistory: ({ id, ...paging }) =>
      db.transaction('read', async () => {
        if ((await find.get(id)) === null) return null
        // Every name in `changed` was one of a profile when it was written.
        return (await history.list(id, paging)) as LogPage<ProfileVersionLine>
      }),
    readProfileVersion: ({ id, number }) =>
      db.transaction('read', async () => {
        const found = await history.find(id, number)
        if (found === null) return null
        const { line, body, before } = found
        return {
          // As above.
          ...(line as ProfileVersionLine),
          versionTag: toFieldsTag(number, body),
          fields: JSON.parse(body),
          before: before === null ? null : JSON.parse(before),
        }
      }),
  }
}
