import { toVideoAddress } from '../../record/embed/embed.ts'
import { mediaKinds } from '../../record/fields.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import { comparisons } from '../derive/listing.ts'
import type { BoundValue, Condition } from './statements.ts'

/** What must hold of the columns of a row of `listing`. */
export interface RowConditions {
  /** Which rows the caller may see. */
  readonly visible: readonly Condition[]
  /** What the filters ask of those. */
  readonly filters: readonly Condition[]
  /** More than one where the same text is the slug of one category and the title of another. */
  readonly categoryCount: number
}

/** `toHasMedia` is the engine's test of a bit of `media`. Null where nothing can match. */
export function createRowConditions(
  db: Database,
  toHasMedia: (bit: number) => string,
): (filters: Filters) => Promise<RowConditions | null> {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  return async (filters) => {
    const { state, category, visibility, search } = filters
    if (visibility === 'live' && state === 2) return null
    if (search !== undefined && search.all.length + search.none.length === 0) return null
    const categories = category === undefined ? [] : (await findCategories.all(category, category)).map((row) => row.id)
    if (category !== undefined && categories.length === 0) return null
    return {
      visible: visibility === 'all' ? given('state = ?', state) : [{ sql: 'state = 1', values: [] }],
      filters: [...isIn('category_id', categories), ...toColumnConditions(filters, toHasMedia)],
      categoryCount: categories.length,
    }
  }
}

function toColumnConditions(filters: Filters, toHasMedia: (bit: number) => string): Condition[] {
  const { sourceUrl, has, ids = [] } = filters
  return [
    ...comparisons.flatMap(({ filter, sql }) => given(sql, filters[filter])),
    ...has.map((kind) => ({ sql: toHasMedia(1 << mediaKinds.indexOf(kind)), values: [] })),
    ...given(`(source_url = ? AND source_url <> '')`, sourceUrl === undefined ? undefined : toVideoAddress(sourceUrl)),
    ...isIn('id', ids),
  ]
}

function given(sql: string, value: BoundValue | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

/** No condition for no values. */
function isIn(column: string, values: readonly number[]): Condition[] {
  if (values.length < 2) return given(`${column} = ?`, values[0])
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }]
}
