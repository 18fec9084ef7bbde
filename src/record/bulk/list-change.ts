import { notA, ok, type Parsed, wrong } from '../field-kind.ts'
import { fields } from '../fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

export const listFields = ['speakers', 'tags'] as const
export type ListField = (typeof listFields)[number]

export const isListField = (name: string): name is ListField => listFields.some((each) => each === name)

/** Entries to add to a list of names, and entries to remove from it. */
export interface ListChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}
export type ListChanges = { readonly [F in ListField]?: ListChange }

const members = ['add', 'remove'] as const

/** Each list has the limits of the field itself. */
export function parseListChange(field: ListField, value: JsonObject): Parsed<ListChange> {
  const unknown = Object.keys(value).filter((name) => !members.some((each) => each === name))
  const parsed = members.map((name) => parseNames(field, value[name]))
  const [add = [], remove = []] = parsed.map((each) => (each.ok ? each.value : []))
  const problems = [
    ...unknown.map((name) => `Unknown member ${JSON.stringify(name)}: use "add" and "remove".`),
    ...parsed.flatMap((each, i) => (each.ok ? [] : each.problems.map((problem) => `${members[i]}: ${problem}`))),
    ...add.filter((name) => remove.includes(name)).map((name) => `Both adds and removes ${JSON.stringify(name)}.`),
    ...(members.some((name) => name in value) ? [] : ['Must have "add", "remove", or both.']),
  ]
  return problems.length === 0 ? ok({ add, remove }) : wrong(...problems)
}

function parseNames(field: ListField, value: JsonValue | undefined): Parsed<readonly string[]> {
  if (value === undefined) return ok([])
  return isJsonObject(value) ? notA('an array of strings', value) : fields[field].kind.parse(value)
}

/** The list without the removed entries, then the added ones that it does not have. Fails if that exceeds the limit. */
export function changeList(
  field: ListField,
  now: readonly string[],
  { add, remove }: ListChange,
): Parsed<readonly string[]> {
  const kept = now.filter((name) => !remove.includes(name))
  return fields[field].kind.parse([...kept, ...add.filter((name) => !kept.includes(name))])
}
