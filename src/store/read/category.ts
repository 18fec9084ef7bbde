import type { Paging } from '../../record/query/query.ts'
import type { Visibility } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type {
  CategoryVersion,
  CategoryVersionLine,
  FieldVersionLine,
  LogPage,
  ProfileVersionLine,
} from '../change-log.ts'
import type { Database } from '../database.ts'
import type { FoundCategory } from '../list-reads.ts'
import type { CategoryHistoryQuery, CategoryQuery, CategoryVersionQuery } from '../name-reads.ts'
import type { SlowReads } from '../store.ts'
import { type CategoryVersionRow, categorySql, toCategoryFields, toStoredCategory } from '../write/category-rows.ts'
import { toFieldsTag, type VersionedKind } from '../write/field-versions.ts'
import { readLogPage } from './change-log.ts'
import { createCurrentEntries } from './names/current-entries.ts'
import { countCategory, isShownSql, listCategoryIds, readCategoryRow } from './names/vocabulary.ts'
import { createStatements } from './statements.ts'

/** Reads single categories and their versions. */
interface CategoryReader {
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

/** Reads the versions of profiles of speakers. */
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

type Line = FieldVersionLine<string>
type LineRow = Omit<Line, 'changed'> & { readonly changed: string }

/** The versions of the fields of a category or a speaker. */
interface FieldHistory {
  list(id: number, paging: Paging): Promise<LogPage<Line>>
  /** With the body of the version before, which is null for the first. */
  find(id: number, number: number): Promise<{ line: Line; body: string; before: string | null } | null>
}

const lineColumns = 'number AS version, at, author AS "by", reason, changed'

function createFieldHistory(db: Database, kind: VersionedKind): FieldHistory {
  const count = db.query<{ count: number }, [number]>(
    `SELECT count(*) AS count FROM ${kind}_version WHERE ${kind}_id = ?`,
  )
  const list = db.query<LineRow, [number, number, number]>(
    `SELECT ${lineColumns} FROM ${kind}_version WHERE ${kind}_id = ? ORDER BY number DESC LIMIT ? OFFSET ?`,
  )
  const find = db.query<LineRow & { body: string }, [number, number]>(
    `SELECT ${lineColumns}, body FROM ${kind}_version WHERE ${kind}_id = ? AND number = ?`,
  )
  return {
    list: async (id, paging) =>
      readLogPage(paging, (await count.get(id))?.count ?? 0, async (limit, offset) =>
        (await list.all(id, limit, offset)).map(toLine),
      ),
    async find(id, number) {
      const row = await find.get(id, number)
      if (row === null) return null
      const { body, ...line } = row
      const earlier = number === 1 ? null : await find.get(id, number - 1)
      return { line: toLine(line), body, before: earlier?.body ?? null }
    },
  }
}

const toLine = ({ changed, ...line }: LineRow): Line => ({ ...line, changed: JSON.parse(changed) })
