import { notA, ok, type Parsed, wrong } from './field-kind.ts'
import { fields } from './fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import type { Filters } from './query/query.ts'
import type { Changes } from './record.ts'
import type { Timestamp } from './timestamp.ts'

/** Maximum number of records of one request: they change in one transaction (decision 51). */
export const maxSelected = 10_000

/** Which records to change. */
export type Selection =
  | { readonly is: 'ids'; readonly ids: readonly number[] }
  | { readonly is: 'query'; readonly filters: Filters }
  /** Records of which the author made a version in this time; both ends count. */
  | { readonly is: 'by'; readonly author: string; readonly since: Timestamp; readonly until: Timestamp | null }

/** What to change in each record: new values, and entries to add to lists or to remove from them. */
export interface BulkPatch {
  readonly changes: Changes
  readonly lists: ListChanges
}

/** `restore`: fields go back to their values before the author's first change. Only for records selected `by`. */
export type BulkWork = { readonly is: 'patch'; readonly patch: BulkPatch } | { readonly is: 'restore' }

/** A change of many records, as plain data. */
export interface BulkRequest {
  readonly select: Selection
  readonly work: BulkWork
  /** The number of records that the caller expects; null if the caller does not check it. */
  readonly expect: number | null
  /** Hash of the selected ids as a dry run reported it; absent if the caller does not check it (decision 62). */
  readonly expectHash?: string
  /** Seq of the last change that the caller knows; records whose fields have changed since are refused. */
  readonly asOf: number | null
  /** Whether the other records are changed if some refuse. */
  readonly isPartial: boolean
}

export const listFields = ['speakers', 'tags'] as const
export type ListField = (typeof listFields)[number]

export const isListField = (name: string): name is ListField => listFields.some((each) => each === name)

/** Entries to add to a list of names, and entries to remove from it. */
export interface ListChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

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

/** The list without the removed entries, then the added ones that it does not have. Fails if that exceeds the limit. */
export function changeList(
  field: ListField,
  now: readonly string[],
  { add, remove }: ListChange,
): Parsed<readonly string[]> {
  const kept = now.filter((name) => !remove.includes(name))
  return fields[field].kind.parse([...kept, ...add.filter((name) => !kept.includes(name))])
}

type ListChanges = { readonly [F in ListField]?: ListChange }

const members = ['add', 'remove'] as const

function parseNames(field: ListField, value: JsonValue | undefined): Parsed<readonly string[]> {
  if (value === undefined) return ok([])
  return isJsonObject(value) ? notA('an array of strings', value) : fields[field].kind.parse(value)
}
