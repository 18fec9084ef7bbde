import type { CursorValues } from '../../record/query/cursor.ts'
import type { OrderField, OrderStep } from '../../record/query/ordering.ts'
import type { Condition } from './statements.ts'

const columns: { readonly [F in OrderField]: { readonly name: string; readonly nullable: boolean } } = {
  added: { name: 'added', nullable: false },
  updated: { name: 'updated', nullable: false },
  recorded: { name: 'recorded', nullable: true },
  title: { name: 'title_key', nullable: false },
  duration: { name: 'duration', nullable: true },
  id: { name: 'id', nullable: false },
}

/** Unknown ones last, whichever way it goes: neither engine does so by itself both ways. */
export function toOrderSql(order: readonly OrderStep[]): string {
  const terms = order.map(({ field, isDescending }) => {
    const { name, nullable } = columns[field]
    return `${name}${isDescending ? ' DESC' : ''}${nullable ? ' NULLS LAST' : ''}`
  })
  return terms.join(', ')
}

/** The same for rows that are few: the plus keeps SQLite from walking past all others to save the sorting. */
export function toSortSql(order: readonly OrderStep[]): string {
  return `+${toOrderSql(order)}`
}

/** The index that is already in the order's first step; the table itself is in the order of ids. */
export function toOrderIndex(order: readonly OrderStep[]): string {
  const field = order[0]?.field ?? 'id'
  return field === 'id' ? 'NOT INDEXED' : `INDEXED BY listing_by_${field}`
}

export function toOrderColumns(order: readonly OrderStep[]): string {
  return order.map(({ field }) => columns[field].name).join(', ')
}

/** A stretch of the list: known values of the first step, or the unknown ones behind them. */
export type Stretch = Condition

/** What lies behind a record, as at most two stretches to be read one after the other; each begins in the index. */
export function toStretches(order: readonly OrderStep[], after: CursorValues): Stretch[] {
  const [first] = order
  const [value = null] = after
  if (first === undefined) return []
  const { name, nullable } = columns[first.field]
  const rest = toBehind(order.slice(1), after.slice(1))
  const unknown = `${name} IS NULL`
  if (value === null) return [{ sql: `${unknown} AND (${rest.sql})`, values: rest.values }]
  const [from, beyond] = first.isDescending ? ['<=', '<'] : ['>=', '>']
  const known = {
    sql: `${name} ${from} ? AND (${name} ${beyond} ? OR (${rest.sql}))`,
    values: [value, value, ...rest.values],
  }
  return nullable ? [known, { sql: unknown, values: [] }] : [known]
}

/**
 * Lexicographic: beyond in the first step, or equal there and beyond in the next. Unknown values are beyond all. "Not
 * before" is said first, since an index can begin there.
 */
function toBehind(order: readonly OrderStep[], after: CursorValues): Stretch {
  const [step, ...steps] = order
  const [value = null, ...values] = after
  if (step === undefined) return { sql: 'FALSE', values: [] }
  const { name, nullable } = columns[step.field]
  const rest = toBehind(steps, values)
  if (value === null) return { sql: `${name} IS NULL AND (${rest.sql})`, values: rest.values }
  const [from, beyond] = step.isDescending ? ['<=', '<'] : ['>=', '>']
  const known = `${name} ${from} ? AND (${name} ${beyond} ? OR (${rest.sql}))`
  return { sql: nullable ? `(${known}) OR ${name} IS NULL` : known, values: [value, value, ...rest.values] }
}
