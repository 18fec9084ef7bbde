import { day, type FieldKind, name, text } from './field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import type { FieldErrors } from './record.ts'
import { address } from './text/address.ts'

/** The fields of a category that publishers can change. The slug never changes, so links keep working. */
export const categoryFields = {
  title: name(255),
  description: text(100_000),
  url: address(),
  start_date: day(),
  whiteboard: text(255),
} satisfies { readonly [field: string]: FieldKind<JsonValue> }

/** A body with more errors than this is not a category. */
const maxErrors = 100

const readOnlyFields = ['slug', 'added', 'videos']

export type CategoryName = keyof typeof categoryFields
export type CategoryFields = {
  readonly [F in CategoryName]: (typeof categoryFields)[F] extends FieldKind<infer T> ? T : never
}
export type CategoryChanges = Partial<CategoryFields>
export type NewCategory = CategoryChanges & Pick<CategoryFields, 'title'>

export const categoryNames = Object.keys(categoryFields) as CategoryName[]

type Parsed<T> = { readonly ok: true; readonly changes: T } | { readonly ok: false; readonly errors: FieldErrors }

export function parseCategory(body: JsonObject): Parsed<CategoryChanges> {
  const { changes, errors } = parseGiven(body)
  return errors.size > 0 ? { ok: false, errors } : { ok: true, changes }
}

/** As `parseCategory`, for a new category, which needs a title. */
export function parseNewCategory(body: JsonObject): Parsed<NewCategory> {
  const { changes, errors } = parseGiven(body)
  const { title } = changes
  if (title !== undefined && errors.size === 0) return { ok: true, changes: { ...changes, title } }
  const isMissing = !Object.hasOwn(body, 'title')
  return { ok: false, errors: isMissing ? new Map([...errors, ['title', ['This field is required.']]]) : errors }
}

/** A new category with defaults for the missing fields. */
export function toNewCategory(given: NewCategory): CategoryFields {
  return { description: '', url: '', start_date: null, whiteboard: '', ...given }
}

export function toChangedNames(before: CategoryFields, after: CategoryFields): CategoryName[] {
  return categoryNames.filter((field) => before[field] !== after[field])
}

/**
 * Whether a value has exactly the fields of a category, each as it would be stored. The description is not checked:
 * older versions imported it unchanged.
 */
export function isCategory(value: JsonValue): value is CategoryFields {
  if (!isJsonObject(value) || Object.keys(value).length !== categoryNames.length) return false
  return categoryNames.every((field) => {
    if (field === 'description') return typeof value.description === 'string'
    const parsed = field in value ? categoryFields[field].parse(value[field] ?? null) : null
    return parsed?.ok === true && parsed.value === value[field]
  })
}

export function isCategoryName(field: JsonValue): field is CategoryName {
  return typeof field === 'string' && Object.hasOwn(categoryFields, field)
}

function parseGiven(body: JsonObject): { readonly changes: CategoryChanges; readonly errors: FieldErrors } {
  const changes: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  for (const [field, value] of Object.entries(body)) {
    if (errors.size >= maxErrors) break
    if (readOnlyFields.includes(field)) continue
    const parsed = isCategoryName(field) ? categoryFields[field].parse(value) : null
    if (parsed === null) errors.set(field, ['Unknown field.'])
    else if (parsed.ok) changes[field] = parsed.value
    else errors.set(field, parsed.problems)
  }
  // Each entry was returned by the `parse` of its own field.
  return { changes: changes as CategoryChanges, errors }
}
