import type { Database } from 'bun:sqlite'
import type { CategoryRow, LanguageRow, VocabularyPage, VocabularyQuery, WordRow } from '../store.ts'
import { createMemo } from './memo.ts'
import { createStatements, type Statements } from './statements.ts'

/** Lists of categories, speakers, tags and languages. What only drafts have is not shown to who may not see drafts. */
export function createVocabulary(db: Database, changesCounter: () => number) {
  const prepare = createStatements(db)
  const counts = createMemo<number>(changesCounter)
  return (query: VocabularyQuery): VocabularyPage =>
    db.transaction((): VocabularyPage => {
      const { sql, values } = toSource(query)
      const key = JSON.stringify([query.kind, query.drafts, query.prefix, query.slug])
      const count = counts(
        key,
        () => prepare<{ n: number }>(`SELECT count(*) AS n FROM (${sql})`).get(...values)?.n ?? 0,
      )
      const lastPage = Math.max(1, Math.ceil(count / query.pageSize))
      const page = query.page === 'last' ? lastPage : query.page
      const rows = prepare<{ id: number; name: string }>(`${sql} LIMIT ? OFFSET ?`)
      const found = page > lastPage ? [] : rows.all(...values, query.pageSize, (page - 1) * query.pageSize)
      return { count, page, rows: found.map((row) => toRow(prepare, query, row)) }
    })()
}

const visible = (drafts: boolean) => (drafts ? '' : ' AND listing.state = 1')

function toSource({ kind, drafts, prefix, slug }: VocabularyQuery): { sql: string; values: (string | number)[] } {
  if (kind === 'language') {
    const sql = `SELECT 0 AS id, language AS name FROM listing WHERE language <> ''${visible(drafts)} AND instr(lower(language), ?) = 1 GROUP BY language ORDER BY language`
    return { sql, values: [prefix] }
  }
  if (kind === 'category') {
    const has = `EXISTS (SELECT 1 FROM listing WHERE category_id = category.id${visible(drafts)})`
    const isShown = drafts ? 'TRUE' : has
    const which = slug === null ? '' : ' AND slug = ?'
    const sql = `SELECT id, title AS name FROM category WHERE ${isShown}${which} ORDER BY slug`
    return { sql, values: slug === null ? [] : [slug] }
  }
  const has = `EXISTS (SELECT 1 FROM record_${kind} AS link JOIN listing ON listing.id = link.record_id
    WHERE link.${kind}_id = ${kind}.id${visible(drafts)})`
  const range = prefix === '' ? '' : ' AND key >= ? AND key < ?'
  const sql = `SELECT id, name FROM ${kind} WHERE ${has}${range} ORDER BY key, name`
  return { sql, values: prefix === '' ? [] : [prefix, `${prefix}\u{10ffff}`] }
}

function toRow(
  prepare: Statements,
  query: VocabularyQuery,
  row: { id: number; name: string },
): WordRow | CategoryRow | LanguageRow {
  const { kind, drafts } = query
  if (kind === 'category') return toCategory(prepare, row.id, drafts)
  if (kind === 'language') {
    const sql = `SELECT count(*) AS count FROM listing WHERE language = ?${visible(drafts)}`
    return { name: row.name, count: prepare<{ count: number }>(sql).get(row.name)?.count ?? 0 }
  }
  const sql = `
    SELECT ${kind}.id, name, slug, count(*) AS count
    FROM ${kind} JOIN record_${kind} AS link ON link.${kind}_id = ${kind}.id JOIN listing ON listing.id = link.record_id
    WHERE ${kind}.id = ?${visible(drafts)}`
  const word = prepare<WordRow>(sql).get(row.id)
  if (word === null) throw new Error(`a ${kind} vanished within a transaction`)
  return word
}

function toCategory(prepare: Statements, id: number, drafts: boolean): CategoryRow {
  const columns = 'title, slug, description, url, start_date, whiteboard, added'
  const category = prepare<Omit<CategoryRow, 'ids'>>(`SELECT ${columns} FROM category WHERE id = ?`).get(id)
  if (category === null) throw new Error('a category vanished within a transaction')
  const sql = `SELECT id FROM listing WHERE category_id = ?${visible(drafts)} ORDER BY id`
  return {
    ...category,
    ids: prepare<{ id: number }>(sql)
      .all(id)
      .map((row) => row.id),
  }
}
