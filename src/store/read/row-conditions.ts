import { toVideoAddress } from '../../record/embed/video-address.ts'
import { mediaKinds } from '../../record/fields.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import type { BoundValue, Condition } from './statements.ts'

/** What must hold of the columns of a row of `listing`. */
export interface RowConditions {
  /** Which rows the caller sees. */
  readonly seen: readonly Condition[]
  /** What is asked of those. */
  readonly asked: readonly Condition[]
  /** More than one where a word is the slug of one category and the title of another. */
  readonly categoryCount: number
}

/** `toHas` says in the engine's words that a row has the media of this bit. Null where nothing can match. */
export function createRowConditions(
  db: Database,
  toHas: (bit: number) => string,
): (filters: Filters) => RowConditions | null {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  return (filters) => {
    const { state, category, drafts, search } = filters
    if (!drafts && state === 2) return null
    if (search !== undefined && search.all.length + search.none.length === 0) return null
    const categories = category === undefined ? [] : findCategories.all(category, category).map((row) => row.id)
    if (category !== undefined && categories.length === 0) return null
    return {
      seen: drafts ? given('state = ?', state) : [{ sql: 'state = 1', values: [] }],
      asked: [...isIn('category_id', categories), ...toAsked(filters, toHas)],
      categoryCount: categories.length,
    }
  }
}

function toAsked(filters: Filters, toHas: (bit: number) => string): Condition[] {
  return [
    ...given('language = ?', filters.language),
    ...given('recorded >= ?', filters.recordedAfter),
    ...given('recorded <= ?', filters.recordedBefore),
    ...given('duration >= ?', filters.durationMin),
    ...given('duration <= ?', filters.durationMax),
    ...filters.has.map((kind) => ({ sql: toHas(1 << mediaKinds.indexOf(kind)), values: [] })),
    ...given(
      `(source_url = ? AND source_url <> '')`,
      filters.sourceUrl === undefined ? undefined : toVideoAddress(filters.sourceUrl),
    ),
    ...isIn('id', filters.ids ?? []),
  ]
}

function given(sql: string, value: BoundValue | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

/** Without values nothing is asked. */
function isIn(column: string, values: readonly number[]): Condition[] {
  if (values.length < 2) return given(`${column} = ?`, values[0])
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }]
}
