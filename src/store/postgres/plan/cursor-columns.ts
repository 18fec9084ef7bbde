import type { CursorValues } from '../../../record/query/cursor.ts'
import type { OrderStep } from '../../../record/query/ordering.ts'
import { toOrderColumns } from '../../read/order.ts'

/** The order's columns, each under a name of its own, since rows come by name. */
export function toCursorColumns(order: readonly OrderStep[]): string {
  return toOrderColumns(order)
    .split(', ')
    .map((column, i) => `${column} AS value_${i}`)
    .join(', ')
}

/** A cursor is the client's to send: numbers that are none of ours must not be PostgreSQL's to refuse. */
export function toKnownValues(values: CursorValues): CursorValues {
  return values.map((value) => (typeof value === 'number' && !Number.isSafeInteger(value) ? toNearest(value) : value))
}

function toNearest(value: number): number {
  const whole = Math.floor(value)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number.isNaN(whole) ? 0 : whole))
}
