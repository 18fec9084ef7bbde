import { findBadText } from '../field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { parseFilters } from '../query/parse-filters.ts'
import type { FieldErrors } from '../record.ts'
import { isDay, isTimestamp, type Timestamp } from '../timestamp.ts'
import { maxSelected, type Selection } from './bulk-request.ts'

/** The errors name members of the selection; `''` is the selection itself. */
type ParsedSelection =
  | { readonly ok: true; readonly selection: Selection }
  | { readonly ok: false; readonly errors: FieldErrors }

const forms = { ids: ['ids'], query: ['query'], by: ['by', 'since', 'until'] } as const
type Form = keyof typeof forms

const fail = (...errors: [string, readonly string[]][]): ParsedSelection => ({ ok: false, errors: new Map(errors) })

/** One of `{"ids"}`, `{"query"}` and `{"by", "since", "until"?}`. */
export function parseSelection(value: JsonValue | undefined): ParsedSelection {
  if (value === undefined) return fail(['', ['This field is required.']])
  if (!isJsonObject(value)) return fail(['', ['Must be an object with "ids", "query" or "by".']])
  const [form, ...others] = (Object.keys(forms) as Form[]).filter((name) => Object.hasOwn(value, name))
  if (form === undefined || others.length > 0) return fail(['', ['Must have exactly one of "ids", "query" and "by".']])
  const known: readonly string[] = forms[form]
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  const parsed = parsers[form](value)
  if (unknown.length === 0) return parsed
  const errors = unknown.map((name) => [name, ['Unknown field.']] as const)
  return { ok: false, errors: new Map([...errors, ...(parsed.ok ? [] : parsed.errors)]) }
}

const parsers: { readonly [F in Form]: (select: JsonObject) => ParsedSelection } = {
  ids: ({ ids = null }) => parseIds(ids),
  query: ({ query = null }) => parseQuery(query),
  by: parseBy,
}

const maxErrors = 100

function parseIds(ids: JsonValue): ParsedSelection {
  if (!Array.isArray(ids)) return fail(['ids', ['Must be an array of ids.']])
  const given: readonly JsonValue[] = ids
  const problems = given.flatMap((id, i) =>
    Number.isSafeInteger(id) && Number(id) > 0 ? [] : [`Entry ${i + 1}: Must be an id, an integer of at least 1.`],
  )
  const numbers = [...new Set(given.map(Number))]
  if (numbers.length > maxSelected) problems.push(`Must have at most ${maxSelected.toLocaleString('en')} ids.`)
  if (problems.length > 0) return fail(['ids', problems.slice(0, maxErrors)])
  return { ok: true, selection: { is: 'ids', ids: numbers.toSorted((one, other) => one - other) } }
}

/** Anything but a filter with a value is an error: a parameter without effect would select too many records. */
function parseQuery(query: JsonValue): ParsedSelection {
  if (typeof query !== 'string') return fail(['query', ['Must be a string: filters as in the URL of the list.']])
  const parsed = parseFilters(new URLSearchParams(query), 'all')
  if (parsed.ok) return { ok: true, selection: { is: 'query', filters: parsed.filters } }
  return fail(['query', [...parsed.errors.values()].flat()])
}

const maxNameLength = 255

function parseBy({ by = null, since = null, until }: JsonObject): ParsedSelection {
  const errors = new Map<string, readonly string[]>()
  const isName = typeof by === 'string' && by.trim() !== '' && findBadText(by, maxNameLength) === null
  if (!isName) errors.set('by', ["Must be an author's name."])
  const from = parseMoment(since, 'T00:00:00.000')
  const to = until === undefined ? null : parseMoment(until, 'T23:59:59.999')
  if (from === undefined) errors.set('since', [expectedMoment])
  if (to === undefined) errors.set('until', [expectedMoment])
  if (from !== undefined && to && to < from) errors.set('until', ['May not be before "since".'])
  if (!isName || from === undefined || to === undefined || errors.size > 0) return { ok: false, errors }
  return { ok: true, selection: { is: 'by', author: by, since: from, until: to } }
}

const expectedMoment = 'Must be a day, YYYY-MM-DD, or a time in UTC, YYYY-MM-DDThh:mm:ss.mmm.'

/** A day stands for its first or last millisecond. */
function parseMoment(value: JsonValue, ofDay: string): Timestamp | undefined {
  if (typeof value !== 'string') return undefined
  if (isDay(value)) return `${value}${ofDay}`
  const time = value.endsWith('Z') ? value.slice(0, -1) : value
  return isTimestamp(time) ? time : undefined
}
