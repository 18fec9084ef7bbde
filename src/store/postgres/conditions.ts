import { type Filters, mediaKinds } from '../../record/query.ts'
import type { Database } from '../sql/database.ts'
import type { SearchPart } from '../sql/ranking.ts'
import type { Condition, Value } from '../sql/statements.ts'
import { toAnd, toSearchCondition } from './search.ts'

/** Values reach PostgreSQL as parameters only; what stands in the text is ours. Null where nothing can match. */
export function createConditions(db: Database): (filters: Filters, part?: SearchPart) => Condition | null {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  return (filters, part = 'all') => {
    const { state, category, drafts, search } = filters
    if (!drafts && state === 2) return null
    if (search !== undefined && search.all.length + search.none.length === 0) return null
    const categories = category === undefined ? [] : findCategories.all(category, category).map((row) => row.id)
    if (category !== undefined && categories.length === 0) return null
    return toAnd([
      ...(drafts ? given('state = ?', state) : [{ sql: 'state = 1', values: [] }]),
      ...isIn('category_id', categories),
      ...toRowConditions(filters),
      ...filters.speakers.map((piece) => toNameCondition('speaker', piece)),
      ...filters.tags.map((piece) => toNameCondition('tag', piece)),
      ...(search === undefined ? [] : [toMember(toSearchCondition(search, part))]),
    ])
  }
}

function toRowConditions(filters: Filters): Condition[] {
  return [
    ...given('language = ?', filters.language),
    ...given('recorded >= ?', filters.recordedAfter),
    ...given('recorded <= ?', filters.recordedBefore),
    ...given('duration >= ?', filters.durationMin),
    ...given('duration <= ?', filters.durationMax),
    ...filters.has.map((kind) => ({ sql: `media & ${1 << mediaKinds.indexOf(kind)} <> 0`, values: [] })),
    ...given(`(source_url = ? AND source_url <> '')`, filters.sourceUrl),
    ...isIn('id', filters.ids ?? []),
  ]
}

/** Of those that share the piece's three-letter pieces, the ones that have it whole. */
function toNameCondition(kind: 'speaker' | 'tag', piece: string): Condition {
  const names = `SELECT rowid FROM ${kind}_piece WHERE pieces @> to_pieces(?) AND strpos(key, ?) > 0`
  return {
    sql: `id IN (SELECT record_id FROM record_${kind} WHERE ${kind}_id IN (${names}))`,
    values: [piece, piece],
  }
}

function toMember({ sql, values }: Condition): Condition {
  return { sql: `id IN (SELECT rowid FROM search WHERE ${sql})`, values }
}

function given(sql: string, value: Value | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

/** Without values nothing is asked. */
function isIn(column: string, values: readonly number[]): Condition[] {
  if (values.length < 2) return given(`${column} = ?`, values[0])
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }]
}
