import type { JsonObject, JsonValue } from '../json.ts'
import type { Paging } from '../query/query.ts'
import { type FieldErrors, toUnknownErrors } from '../record.ts'

/** Why names are probably the same, the surest first. */
export const variantReasons = [
  'alias',
  'case',
  'space',
  'accent',
  'punctuation',
  'order',
  'plural',
  'initials',
  'letter',
] as const
export type VariantReason = (typeof variantReasons)[number]

/** Null for a text that is no reason. */
export const parseVariantReason = (text: string): VariantReason | null =>
  variantReasons.find((reason) => reason === text) ?? null

export interface VariantName {
  readonly id: number
  readonly name: string
}

/** Names that are probably the same; ids in ascending order. */
export interface VariantSet {
  readonly reason: VariantReason
  readonly ids: readonly number[]
}

/** A page of groups that are not dismissed. */
export interface VariantsQuery extends Paging {
  readonly kind: 'speaker' | 'tag'
  /** Only groups with this reason. */
  readonly reason?: VariantReason | null
  /**
   * How long the search may take. After that, the result is that of the last search, without names that no longer exist;
   * without one, the read fails with `late`. If absent, the search may take as long as the request.
   */
  readonly patienceMs?: number
}

/** A listed group, the most used name first. `count` includes drafts. A type, so that it is assignable to JSON. */
export type VariantLine = {
  readonly reason: VariantReason
  /** The id of the name to keep, if nobody knows better. */
  readonly keep: number
  readonly names: readonly { readonly id: number; readonly name: string; readonly count: number }[]
}

export interface VariantInput {
  readonly kind: 'speaker' | 'tag'
  /** The names that records have. */
  readonly names: readonly VariantName[]
  /** The name that another was merged into, by the id of the other. */
  readonly aliases: ReadonlyMap<number, number>
}

/** A larger group is cut; the other names are shown once these are merged. */
export const maxGroup = 1_000

/** At most this many records are called different at once: each two of them are a row. */
export const maxDistinct = 100

/** How many names are processed per step. */
export const stepSize = 512

/** Names that a curator has called different, or no longer does. */
export interface Dismissal {
  /** In ascending order, each once. */
  readonly ids: readonly number[]
  readonly isDismissed: boolean
}

type ParsedDismissal =
  | { readonly ok: true; readonly value: Dismissal }
  | { readonly ok: false; readonly errors: FieldErrors }

const required = 'This field is required.'
const toWrongIds = (max: number) => `Must be an array of 2 to ${max.toLocaleString('en')} different ids.`

/** `{"ids": [1, 2]}`, with `"dismissed": false` to show the group again. `max`: how many ids it may have. */
export function parseDismissal(body: JsonObject, max = maxGroup): ParsedDismissal {
  const { ids: given, dismissed = true, ...others } = body
  const ids = parseIds(given ?? null, max)
  const errors = toUnknownErrors(others)
  if (ids === null) errors.set('ids', [given === undefined ? required : toWrongIds(max)])
  if (typeof dismissed !== 'boolean') errors.set('dismissed', ['Must be true or false.'])
  if (ids === null || typeof dismissed !== 'boolean' || errors.size > 0) return { ok: false, errors }
  return { ok: true, value: { ids, isDismissed: dismissed } }
}

function parseIds(given: JsonValue, max: number): readonly number[] | null {
  if (!Array.isArray(given) || given.length > max) return null
  const ids = given.filter((id): id is number => Number.isSafeInteger(id) && Number(id) > 0)
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  return ids.length === given.length && sorted.length > 1 ? sorted : null
}

/** Whether all these ids were dismissed together. A group that another name has joined since is shown again. */
export function createDismissedTest(dismissed: readonly (readonly number[])[]): (ids: readonly number[]) => boolean {
  const setsOf = new Map<number, Set<number>[]>()
  for (const ids of dismissed) {
    const set = new Set(ids)
    for (const id of ids) {
      const known = setsOf.get(id)
      if (known === undefined) setsOf.set(id, [set])
      else known.push(set)
    }
  }
  return (ids) => (setsOf.get(ids[0] ?? 0) ?? []).some((set) => ids.every((id) => set.has(id)))
}
