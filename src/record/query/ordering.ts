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
