import { parseJsonText } from '../json.ts'
import type { VideoRecord } from '../record.ts'
import { toSortKey } from '../text/fold.ts'

const orderFields = ['added', 'updated', 'recorded', 'title', 'duration', 'id'] as const
export type OrderField = (typeof orderFields)[number]

/** Records without a value come last in both directions. */
export interface OrderStep {
  readonly field: OrderField
  readonly isDescending: boolean
}

/** Newest recording first, then by title, then by id. */
export const defaultOrder: readonly OrderStep[] = [
  { field: 'recorded', isDescending: true },
  { field: 'title', isDescending: false },
  { field: 'id', isDescending: false },
]

/**
 * Parses `-added,title`; unknown and repeated names are ignored. Ends with the id, so that the order is total, in the
 * direction of the field before it, so that one index serves both directions. Ties of `recorded` are broken by title
 * first, as in the default order.
 */
export function parseOrdering(text: string): readonly OrderStep[] | null {
  const steps = text.split(',').flatMap((word) => parseStep(word.trim()))
  const first = steps.filter((step, i) => steps.findIndex((each) => each.field === step.field) === i)
  if (first.length === 0) return null
  const end = first.findIndex((step) => step.field === 'id')
  return end >= 0 ? first.slice(0, end + 1) : [...first, ...toTieBreakers(first)]
}

function toTieBreakers(steps: readonly OrderStep[]): OrderStep[] {
  const last = steps.at(-1)
  if (last?.field !== 'recorded') return [{ field: 'id', isDescending: last?.isDescending ?? false }]
  const isDescending = !last.isDescending
  const hasTitle = steps.some((step) => step.field === 'title')
  return [...(hasTitle ? [] : [{ field: 'title' as const, isDescending }]), { field: 'id', isDescending }]
}

function parseStep(word: string): OrderStep[] {
  const field = orderFields.find((each) => each === word.replace(/^-/, ''))
  return field === undefined ? [] : [{ field, isDescending: word.startsWith('-') }]
}

export function toOrderText(order: readonly OrderStep[]): string {
  return order.map((step) => `${step.isDescending ? '-' : ''}${step.field}`).join(',')
}

/** The end of a page: the sort values of its last record, in the order of the sort. */
export type CursorValues = readonly (string | number | null)[]

/** The sort values of a record, even if the list does not have it (any more). */
export function toCursorValues(order: readonly OrderStep[], record: Pick<VideoRecord, OrderField>): CursorValues {
  return order.map(({ field }) => (field === 'title' ? toSortKey(record.title) : record[field]))
}

/**
 * `start` is the first page, `after` continues after a record, `skip` is an offset: relevance order has no sort values to
 * continue after.
 */
export type Cursor =
  | { readonly is: 'start' }
  | { readonly is: 'after'; readonly values: CursorValues }
  | { readonly is: 'skip'; readonly count: number }

/** Opaque to clients. It includes the order, so a cursor used with another order is refused. */
export function toCursorText(order: readonly OrderStep[], cursor: Exclude<Cursor, { is: 'start' }>): string {
  const content = cursor.is === 'skip' ? cursor.count : cursor.values
  return Buffer.from(JSON.stringify([toOrderText(order), content])).toString('base64url')
}

export function parseCursor(text: string, order: readonly OrderStep[]): Cursor | null {
  if (text === '') return { is: 'start' }
  if (!/^[A-Za-z0-9_-]{1,6000}$/.test(text)) return null
  const content = parseJsonText(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(content) || content.length !== 2 || content[0] !== toOrderText(order)) return null
  return parseContent(content[1], order)
}

function parseContent(content: unknown, order: readonly OrderStep[]): Cursor | null {
  if (typeof content === 'number')
    return Number.isSafeInteger(content) && content >= 0 ? { is: 'skip', count: content } : null
  if (!Array.isArray(content) || content.length !== order.length) return null
  const fits = content.every((value, i) => value === null || (typeof value === toType(order[i]) && !isInfinite(value)))
  return fits && content.at(-1) !== null ? { is: 'after', values: content } : null
}

/** JSON.parse returns Infinity for a number that is too large. */
const isInfinite = (value: unknown) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY

function toType(step: OrderStep | undefined): 'number' | 'string' {
  return step?.field === 'id' || step?.field === 'duration' ? 'number' : 'string'
}
