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
  end_date: day(),
  place: text(255),
  series: text(255),
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
  const { title, start_date = null, end_date = null } = changes
  const problems = new Map([...errors, ...findDateErrors({ start_date, end_date })])
  if (title !== undefined && problems.size === 0) return { ok: true, changes: { ...changes, title } }
  const isMissing = !Object.hasOwn(body, 'title')
  return { ok: false, errors: isMissing ? new Map([...problems, ['title', ['This field is required.']]]) : problems }
}

/** A new category with defaults for the missing fields. */
export function toNewCategory(given: NewCategory): CategoryFields {
  const { title, ...others } = given
  return { title, ...defaults, ...others }
}

const defaults = {
  ...{ description: '', url: '', start_date: null, end_date: null, place: '', series: '', whiteboard: '' },
} as const

/** The fields that archives of files can have, besides the title. */
export const archivedNames = ['description', 'url', 'start_date', 'end_date', 'place', 'series'] as const
export type ArchivedFields = Pick<CategoryFields, (typeof archivedNames)[number]>

export const toArchivedFields = (fields: Partial<ArchivedFields>): ArchivedFields =>
  // Each name has its value or its default.
  Object.fromEntries(archivedNames.map((name) => [name, fields[name] ?? defaults[name]])) as ArchivedFields

/** What is wrong with the days of a category together; none while one of them is unknown. */
export function findDateErrors({ start_date: start, end_date: end }: Pick<CategoryFields, 'start_date' | 'end_date'>) {
  const isWrong = start !== null && end !== null && end < start
  const problem = `May not be before the first day, which is ${start}.`
  return new Map<string, readonly string[]>(isWrong ? [['end_date', [problem]]] : [])
}

export function toChangedNames(before: CategoryFields, after: CategoryFields): CategoryName[] {
  return categoryNames.filter((field) => before[field] !== after[field])
}

/** Versions of older builds do not have these. */
const laterNames: readonly CategoryName[] = ['end_date', 'place', 'series']

/**
 * The category that a stored value is: exactly its fields, each as it would be stored; null if it is none. The description
 * is not checked: older builds imported it unchanged.
 */
export function parseStoredCategory(value: JsonValue): CategoryFields | null {
  if (!isJsonObject(value) || !Object.keys(value).every(isCategoryName)) return null
  const isGood = (field: CategoryName) => {
    if (field === 'description') return typeof value.description === 'string'
    if (!Object.hasOwn(value, field)) return laterNames.includes(field)
    const parsed = categoryFields[field].parse(value[field] ?? null)
    return parsed.ok && parsed.value === value[field]
  }
  // Each field was parsed, or has the default that older versions lack.
  return categoryNames.every(isGood) ? toNewCategory(value as NewCategory) : null
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
