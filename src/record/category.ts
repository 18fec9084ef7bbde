import { address } from './address.ts'
import { day } from './day.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { type Kind, name, text } from './kind.ts'
import type { FieldErrors } from './record.ts'

/** What publishers may change of a category; its slug stays, so that links last. */
export const categoryFields = {
  title: name(255),
  description: text(100_000),
  url: address(),
  start_date: day(),
  whiteboard: text(255),
} satisfies { readonly [field: string]: Kind<JsonValue> }

const readOnlyFields = ['slug', 'added', 'videos']

export type CategoryName = keyof typeof categoryFields
export type CategoryChanges = {
  readonly [F in CategoryName]?: (typeof categoryFields)[F] extends Kind<infer T> ? T : never
}

export type ParsedCategory =
  | { readonly ok: true; readonly changes: CategoryChanges }
  | { readonly ok: false; readonly errors: FieldErrors }

export function parseCategory(body: JsonObject): ParsedCategory {
  const changes: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  for (const [field, value] of Object.entries(body)) {
    if (readOnlyFields.includes(field)) continue
    const parsed = isCategoryName(field) ? categoryFields[field].parse(value) : null
    if (parsed === null) errors.set(field, ['There is no such field.'])
    else if (parsed.ok) changes[field] = parsed.value
    else errors.set(field, parsed.problems)
  }
  // Each entry came out of its own field's `parse`.
  return errors.size > 0 ? { ok: false, errors } : { ok: true, changes: changes as CategoryChanges }
}

function isCategoryName(field: string): field is CategoryName {
  return Object.hasOwn(categoryFields, field)
}
