import { day, type FieldKind, name, text } from './field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json/json-value.ts'
import type { FieldErrors } from './record.ts'
import { address } from './text/address.ts'

/** What publishers may change of a category; its slug stays, so that links last. */
export const categoryFields = {
  title: name(255),
  description: text(100_000),
  url: address(),
  start_date: day(),
  whiteboard: text(255),
} satisfies { readonly [field: string]: FieldKind<JsonValue> }

/** Whoever gets more wrong has not sent a category. */
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

/** The same for one that is to be made, which needs a title. */
export function parseNewCategory(body: JsonObject): Parsed<NewCategory> {
  const { changes, errors } = parseGiven(body)
  const { title } = changes
  if (title !== undefined && errors.size === 0) return { ok: true, changes: { ...changes, title } }
  const isMissing = !Object.hasOwn(body, 'title')
  return { ok: false, errors: isMissing ? new Map([...errors, ['title', ['This field is required.']]]) : errors }
}

/** What a category is before anybody has said more than its title. */
export function toNewCategory(given: NewCategory): CategoryFields {
  return { description: '', url: '', start_date: null, whiteboard: '', ...given }
}

export function toChangedNames(before: CategoryFields, after: CategoryFields): CategoryName[] {
  return categoryNames.filter((field) => before[field] !== after[field])
}

/**
 * Whether a value is all the fields of a category and nothing else, each as it would be stored. A description may be any
 * text: imports of older versions took it as the source had it.
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
    if (parsed === null) errors.set(field, ['There is no such field.'])
    else if (parsed.ok) changes[field] = parsed.value
    else errors.set(field, parsed.problems)
  }
  // Each entry came out of its own field's `parse`.
  return { changes: changes as CategoryChanges, errors }
}
