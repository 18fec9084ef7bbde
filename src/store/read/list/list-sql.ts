import { toVideoAddress } from '../../../record/embed/embed.ts'
import type { CursorValues, OrderStep } from '../../../record/query/ordering.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import { comparisons, orderColumns, toMediaBits } from '../../derive/listing.ts'
import { toQualityConditions } from '../quality/quality-sql.ts'
import type { BoundValue, Condition } from '../statements.ts'

/** Conditions on the columns of `listing`. */
export interface RowConditions {
  /** The rows that the caller may see. */
  readonly visible: readonly Condition[]
  /** The filters of the query. */
  readonly filters: readonly Condition[]
  /** More than one if the same text is the slug of one category and the title of another. */
  readonly categoryCount: number
}

/** SQL that differs between engines. */
export interface RowSql {
  /** Tests whether `media` has one of some bits. */
  toHasMedia(bits: number): string
  /** The last day of the category `event`. */
  readonly lastDay: string
}

/** Null if nothing can match. */
export function createRowConditions(db: Database, rowSql: RowSql): (filters: Filters) => Promise<RowConditions | null> {
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
      filters: [...isIn('category_id', categories), ...toColumnConditions(filters, rowSql)],
      categoryCount: categories.length,
    }
  }
}

function toColumnConditions(filters: Filters, { toHasMedia, lastDay }: RowSql): Condition[] {
  const { sourceUrl, has, hasAny = [], ids = [] } = filters
  return [
    ...comparisons.flatMap(({ filter, sql }) => given(sql, filters[filter])),
    ...has.map((kind) => ({ sql: toHasMedia(toMediaBits([kind])), values: [] })),
    ...(hasAny.length === 0 ? [] : [{ sql: toHasMedia(toMediaBits(hasAny)), values: [] }]),
    ...given(`(source_url = ? AND source_url <> '')`, sourceUrl === undefined ? undefined : toVideoAddress(sourceUrl)),
    ...isIn('id', ids),
    ...toQualityConditions(filters, lastDay),
  ]
}

function given(sql: string, value: BoundValue | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

/** No values, no condition. */
function isIn(column: string, values: readonly number[]): Condition[] {
  if (values.length < 2) return given(`${column} = ?`, values[0])
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }]
}

/** NULLS LAST in both directions: by default each engine puts NULL last in one direction only. */
export function toOrderSql(order: readonly OrderStep[]): string {
  const terms = order.map(({ field, isDescending }) => {
    const { name, isNullable } = orderColumns[field]
    return `${name}${isDescending ? ' DESC' : ''}${isNullable ? ' NULLS LAST' : ''}`
  })
  return terms.join(', ')
}

/** The id, then the columns of the order, under distinct names because rows are objects. */
export function toCursorColumns(order: readonly OrderStep[]): string {
  return ['id AS found', ...order.map(({ field }, i) => `${orderColumns[field].name} AS value_${i}`)].join(', ')
}

/**
 * The rows after a cursor as at most two ranges, read one after the other: known values of the first step, then NULL.
 * Each can start in the index of the order.
 */
export function toRangesAfter(order: readonly OrderStep[], after: CursorValues): Condition[] {
  const [first] = order
  const [value = null] = after
  if (first === undefined) return []
  const { name, isNullable } = orderColumns[first.field]
  const rest = toAfter(order.slice(1), after.slice(1))
  const unknown = `${name} IS NULL`
  if (value === null) return [{ sql: `${unknown} AND (${rest.sql})`, values: rest.values }]
  const known = toKnownAfter(first, value, rest)
  return isNullable ? [known, { sql: unknown, values: [] }] : [known]
}

/** Lexicographic: greater in the first step, or equal there and greater in the next. NULL is greater than all. */
function toAfter(order: readonly OrderStep[], after: CursorValues): Condition {
  const [step, ...steps] = order
  const [value = null, ...values] = after
  if (step === undefined) return { sql: 'FALSE', values: [] }
  const { name, isNullable } = orderColumns[step.field]
  const rest = toAfter(steps, values)
  if (value === null) return { sql: `${name} IS NULL AND (${rest.sql})`, values: rest.values }
  const known = toKnownAfter(step, value, rest)
  return isNullable ? { sql: `(${known.sql}) OR ${name} IS NULL`, values: known.values } : known
}

/** The redundant `>=` comes first because an index scan can start there. */
function toKnownAfter({ field, isDescending }: OrderStep, value: string | number, rest: Condition): Condition {
  const { name } = orderColumns[field]
  const [from, beyond] = isDescending ? ['<=', '<'] : ['>=', '>']
  return {
    sql: `${name} ${from} ? AND (${name} ${beyond} ? OR (${rest.sql}))`,
    values: [value, value, ...rest.values],
  }
}
