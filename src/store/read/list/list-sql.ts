import type { CursorValues, OrderStep } from '../../../record/query/ordering.ts'
import { orderColumns } from '../../derive/derived-rows.ts'
import type { Condition } from '../statements.ts'

/** NULLS LAST in both directions: by default each engine puts NULL last in one direction only. */
export function toOrderSql(order: readonly OrderStep[]): string {
  const terms = order.map(({ field, isDescending }) => {
    const { name, isNullable } = orderColumns[field]
    return `${name}${isDescending ? ' DESC' : ''}${isNullable ? ' NULLS LAST' : ''}`
  })
  return terms.join(', ')
}

/** The columns of the order, under distinct names because rows are objects. */
export function toCursorColumns(order: readonly OrderStep[]): string {
  return order.map(({ field }, i) => `${orderColumns[field].name} AS value_${i}`).join(', ')
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
