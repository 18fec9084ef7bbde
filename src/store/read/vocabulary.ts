import { defaultOrder } from '../../record/query/ordering.ts'
import type {
  CategoryRow,
  LanguageRow,
  NameRow,
  VocabularyQuery,
  VocabularyRows,
} from '../../record/query/vocabulary.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { Visibility } from '../../record/visibility.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { textFacets } from '../derive/listing.ts'
import { toOrderSql } from './list-sql.ts'
import { createMemo } from './memo.ts'
import { createStatements, type Statements } from './statements.ts'

/**
 * Lists of categories, speakers, tags and languages. Callers that see only live records get no entries that only drafts
 * use. Counts come from the columns once these are loaded (ADR 43).
 */
export function createVocabulary(
  db: Database,
  changesCounter: () => number,
  onStep?: () => void,
  columns: RecordColumns | null = null,
) {
  const prepare = createStatements(db, onStep)
  const counts = createMemo<number>(changesCounter)
  const textRows = createMemo<readonly LanguageRow[]>(changesCounter)

  async function findColumns(): Promise<RecordColumns | null> {
    await columns?.refresh()
    return columns?.isComplete() ? columns : null
  }

  async function readRows(query: VocabularyQuery): Promise<VocabularyRows> {
    const { kind, visibility, prefix, pageSize } = query
    const { sql, values } = await findSource(prepare, query)
    const names = kind === 'speaker' || kind === 'tag' ? kind : null
    const loaded = names === null ? null : await findColumns()
    const count = await counts(JSON.stringify([kind, visibility, prefix]), async () => {
      if (names !== null && loaded !== null && prefix === '') return loaded.countNames(names, visibility)
      const found = await prepare<{ n: number }>(`SELECT count(*) AS n FROM (${sql}) AS found`).get(...values)
      return found?.n ?? 0
    })
    const page = toPageNumber(query, count)
    const rows = prepare<NamedRow>(`${sql} LIMIT ? OFFSET ?`)
    const found = (page - 1) * pageSize < count ? await rows.all(...values, pageSize, (page - 1) * pageSize) : []
    const lines: (NameRow | CategoryRow)[] = []
    for (const row of found) {
      const isCounted = names !== null && loaded !== null
      lines.push(
        isCounted ? { ...row, count: loaded.countOf(names, row.id, visibility) } : await readRow(prepare, query, row),
      )
    }
    return { count, page, rows: lines }
  }

  async function read(query: VocabularyQuery): Promise<VocabularyRows> {
    const { kind, visibility } = query
    const text = textFacets[kind]
    if (text === undefined) return readRows(query)
    const all = await textRows(JSON.stringify([kind, visibility]), async () => {
      const loaded = await findColumns()
      return loaded === null ? readTexts(prepare, text, visibility) : loaded.listLanguages(visibility)
    })
    return toTextPage(query, all)
  }
  return (query: VocabularyQuery): Promise<VocabularyRows> => db.transaction('read', () => read(query))
}

type NamedRow = Omit<NameRow, 'count'>

const toPageNumber = ({ page, pageSize }: VocabularyQuery, count: number) =>
  page === 'last' ? Math.max(1, Math.ceil(count / pageSize)) : page

/** The values of a text column of `listing`, with their counts. */
function readTexts(prepare: Statements, text: string, visibility: Visibility): Promise<LanguageRow[]> {
  const sql = `
    SELECT ${text} AS name, count(*) AS count FROM listing WHERE ${text} <> ''${andVisible(visibility)}
    GROUP BY ${text} ORDER BY ${text}`
  return prepare<LanguageRow>(sql).all()
}

/** A few hundred at most, so they are filtered and paged here. */
function toTextPage(query: VocabularyQuery, all: readonly LanguageRow[]): VocabularyRows {
  const { prefix, pageSize } = query
  const found = all.filter((row) => toFolded(row.name).startsWith(prefix))
  const page = toPageNumber(query, found.length)
  return { count: found.length, page, rows: found.slice((page - 1) * pageSize, page * pageSize) }
}

const andVisible = (visibility: Visibility) => (visibility === 'all' ? '' : ' AND listing.state = 1')

/** A category is public if it has a live record or was created on its own (ADR 31). */
export function isShownSql(visibility: Visibility): string {
  if (visibility === 'all') return 'TRUE'
  return '(listed = 1 OR EXISTS (SELECT 1 FROM listing WHERE category_id = category.id AND listing.state = 1))'
}

async function findSource(
  prepare: Statements,
  query: VocabularyQuery,
): Promise<{ sql: string; values: (string | number)[] }> {
  const { kind, visibility, prefix } = query
  if (kind === 'category') {
    const begins = prefix === '' ? [] : await findCategories(prepare, prefix)
    const which = prefix === '' ? '' : ` AND id IN (${['NULL', ...begins.map(() => '?')]})`
    const sql = `SELECT id, title AS name, slug FROM category WHERE ${isShownSql(visibility)}${which} ORDER BY slug`
    return { sql, values: begins }
  }
  const has = `EXISTS (SELECT 1 FROM record_${kind} AS link JOIN listing ON listing.id = link.record_id
    WHERE link.${kind}_id = ${kind}.id${andVisible(visibility)})`
  const range = prefix === '' ? '' : ' AND key >= ? AND key < ?'
  const sql = `SELECT id, name, slug FROM ${kind} WHERE ${has}${range} ORDER BY key, name`
  return { sql, values: prefix === '' ? [] : [prefix, `${prefix}\u{10ffff}`] }
}

/** A few hundred, so titles are folded here. */
async function findCategories(prepare: Statements, prefix: string): Promise<number[]> {
  const all = await prepare<{ id: number; title: string }>('SELECT id, title FROM category').all()
  return all.filter((row) => toFolded(row.title).startsWith(prefix)).map((row) => row.id)
}

async function readRow(prepare: Statements, query: VocabularyQuery, row: NamedRow): Promise<NameRow | CategoryRow> {
  const { kind, visibility } = query
  if (kind === 'category') return readCategoryEntry(prepare, row.id, visibility)
  const sql = `
    SELECT ${kind}.id, name, slug, count(*) AS count
    FROM ${kind} JOIN record_${kind} AS link ON link.${kind}_id = ${kind}.id JOIN listing ON listing.id = link.record_id
    WHERE ${kind}.id = ?${andVisible(visibility)} GROUP BY ${kind}.id, name, slug`
  const name = await prepare<NameRow>(sql).get(row.id)
  if (name === null) throw new Error(`a ${kind} vanished within a transaction`)
  return name
}

/** A category with the ids of its records in the default order of lists. */
export async function readCategoryEntry(prepare: Statements, id: number, visibility: Visibility): Promise<CategoryRow> {
  const columns = 'title, slug, description, url, start_date, whiteboard, added'
  const category = await prepare<Omit<CategoryRow, 'ids'>>(`SELECT ${columns} FROM category WHERE id = ?`).get(id)
  if (category === null) throw new Error('a category vanished within a transaction')
  const sql = `SELECT id FROM listing WHERE category_id = ?${andVisible(visibility)} ORDER BY ${toOrderSql(defaultOrder)}`
  return {
    ...category,
    ids: (await prepare<{ id: number }>(sql).all(id)).map((row) => row.id),
  }
}
