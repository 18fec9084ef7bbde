import type { Paging } from '../query/query.ts'

/** Why names are probably the same, the surest first. */
export const variantReasons = [
  'alias',
  'case',
  'space',
  'accent',
  'punctuation',
  'order',
  'initials',
  'letter',
] as const
export type VariantReason = (typeof variantReasons)[number]

export interface VariantName {
  readonly id: number
  readonly name: string
}

/** Names that are probably the same; ids in ascending order. */
export interface VariantGroup {
  readonly reason: VariantReason
  readonly ids: readonly number[]
}

/** A page of groups that are not dismissed. */
export interface VariantsQuery extends Paging {
  readonly kind: 'speaker' | 'tag'
  /**
   * How long the search may take. After that come the groups of the last search, without names that are gone since; if
   * there are none, it is late. Without it, the search may take as long as the request.
   */
  readonly patienceMs?: number
}

/** A group as it is listed, the most used name first. `count` includes drafts. A type, so that it is JSON. */
export type VariantLine = {
  readonly reason: VariantReason
  readonly names: readonly { readonly id: number; readonly name: string; readonly count: number }[]
}

export interface VariantInput {
  readonly kind: 'speaker' | 'tag'
  /** The names that records have. */
  readonly names: readonly VariantName[]
  /** The name that another was merged into, by the id of the other. */
  readonly aliases: ReadonlyMap<number, number>
}

/** More are not shown at once; the others are, when these are merged. */
export const maxGroup = 1_000

/** How many names to look at between two steps. */
export const stepSize = 512
