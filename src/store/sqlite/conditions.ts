import type { Database } from 'bun:sqlite'
import { type Filters, mediaKinds } from '../../record/query.ts'
import { toMatch } from './match.ts'

export type Value = string | number
/** What must hold of a row of `listing`, as SQL and its values; null where nothing can. */
export interface Conditions {
  readonly sql: string
  readonly values: readonly Value[]
}

interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/** Values reach SQLite as parameters only; what stands in the text is ours. */
export function createConditions(db: Database): (filters: Filters) => Conditions | null {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )

  return (filters) => {
    const { state, category, drafts } = filters
    if (!drafts && state === 2) return null
    const categories = category === undefined ? null : findCategories.all(category, category).map((row) => row.id)
    if (categories?.length === 0) return null
    const conditions = [
      ...(drafts ? given('state = ?', state) : [{ sql: 'state = 1', values: [] }]),
      ...(categories === null ? [] : [isIn('category_id', categories)]),
      ...given('language = ?', filters.language),
      ...given('recorded >= ?', filters.recordedAfter),
      ...given('recorded <= ?', filters.recordedBefore),
      ...given('duration >= ?', filters.durationMin),
      ...given('duration <= ?', filters.durationMax),
      ...filters.has.map((kind) => ({ sql: `media & ${1 << mediaKinds.indexOf(kind)}`, values: [] })),
      ...given(`(source_url = ? AND source_url <> '')`, filters.sourceUrl),
      ...(filters.ids === undefined ? [] : [isIn('id', filters.ids)]),
      ...filters.speakers.map((piece) => hasWord('speaker', piece)),
      ...filters.tags.map((piece) => hasWord('tag', piece)),
      ...toSearchConditions(filters),
    ]
    return join(conditions)
  }
}

function join(conditions: readonly Condition[]): Conditions {
  const sql = conditions.map((each) => each.sql).join(' AND ')
  return { sql: sql === '' ? 'TRUE' : sql, values: conditions.flatMap((each) => each.values) }
}

function given(sql: string, value: Value | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

function isIn(column: string, values: readonly number[]): Condition {
  if (values.length === 1) return { sql: `${column} = ?`, values }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }
}

/** Pieces of three characters and more are looked up by their trigrams; shorter ones go through the names. */
function hasWord(table: 'speaker' | 'tag', piece: string): Condition {
  // No name has such a control character, and FTS5 reads a query only up to the first NUL.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(piece)) return { sql: 'FALSE', values: [] }
  const characters = [...piece]
  const trigrams = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
  const names =
    trigrams.length === 0
      ? { sql: `SELECT id FROM ${table} WHERE instr(key, ?)`, values: [piece] }
      : {
          sql: `SELECT id FROM ${table} WHERE id IN (SELECT rowid FROM ${table}_piece WHERE ${table}_piece MATCH ?) AND instr(key, ?)`,
          values: [match, piece],
        }
  return {
    sql: `id IN (SELECT record_id FROM record_${table} WHERE ${table}_id IN (${names.sql}))`,
    values: names.values,
  }
}

function toSearchConditions({ search }: Filters): Condition[] {
  if (search === undefined) return []
  const { all, none } = search
  if (all.length + none.length === 0) return [{ sql: 'FALSE', values: [] }]
  const matches = 'id IN (SELECT rowid FROM search WHERE search MATCH ?)'
  return [
    ...(all.length === 0 ? [] : [{ sql: matches, values: [toMatch(all, 'AND')] }]),
    ...(none.length === 0 ? [] : [{ sql: `NOT (${matches})`, values: [toMatch(none, 'OR')] }]),
  ]
}
