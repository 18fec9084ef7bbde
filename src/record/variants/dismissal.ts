import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { FieldErrors } from '../record.ts'
import { maxGroup } from './variant.ts'

/** Names that a person has called different, or takes that back. */
export interface Dismissal {
  /** In ascending order, each once. */
  readonly ids: readonly number[]
  readonly isDismissed: boolean
}

type ParsedDismissal =
  | { readonly ok: true; readonly value: Dismissal }
  | { readonly ok: false; readonly errors: FieldErrors }

const required = 'This field is required.'
const wrongIds = `Must be an array of 2 to ${maxGroup.toLocaleString('en')} different ids.`

/** `{"ids": [1, 2]}`, with `"dismissed": false` to show the group again. */
export function parseDismissal(body: JsonObject): ParsedDismissal {
  const { ids: given, dismissed = true, ...others } = body
  const ids = parseIds(given ?? null)
  const errors = new Map(Object.keys(others).map((field) => [field, ['Unknown field.']]))
  if (ids === null) errors.set('ids', [given === undefined ? required : wrongIds])
  if (typeof dismissed !== 'boolean') errors.set('dismissed', ['Must be true or false.'])
  if (ids === null || typeof dismissed !== 'boolean' || errors.size > 0) return { ok: false, errors }
  return { ok: true, value: { ids, isDismissed: dismissed } }
}

function parseIds(given: JsonValue): readonly number[] | null {
  if (!Array.isArray(given) || given.length > maxGroup) return null
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
