import {
  applyEdit,
  type BulkPatch,
  type BulkRequest,
  type BulkWork,
  type FieldEdit,
  maxSelected,
  parseFieldEdit,
  type Selection,
  toReadFields,
} from './bulk.ts'
import { parseReason, type TakenName } from './command.ts'
import { isSingleName, toKind } from './companion/kinds.ts'
import { findBadText, notA, ok, type Parsed, wrong } from './field-kind.ts'
import { isWritableName, type WritableName } from './fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import { parseFilters } from './query/query.ts'
import {
  type Changes,
  type FieldErrors,
  type ParsedFields,
  parseFields,
  toUnknownErrors,
  type VideoRecord,
} from './record.ts'
import { parseMoment } from './timestamp.ts'
import { parseReplacement, type Replacement } from './transcript/replace-text.ts'

/** Parses the body of a bulk change and reports every error in it. A dry run may leave out `expect`. */
export function parseBulk(body: JsonObject, isDryRun: boolean): ParsedBulk {
  return parseRequest(body, isDryRun, ['patch', 'restore'], (errors) => {
    const select = readSelection(body, errors)
    return { select, work: readWork(body, select, errors) }
  })
}

/** The same for a body that accepts moved addresses: `{"select": {"query"} | {"urls"}, "expect"}`. */
export function parseAcceptMoved(body: JsonObject, isDryRun: boolean): ParsedBulk {
  return parseRequest(body, isDryRun, [], (errors) => ({
    select: readMoved(body, errors),
    work: { is: 'moved' },
  }))
}

function parseRequest(
  body: JsonObject,
  isDryRun: boolean,
  own: readonly string[],
  readOwn: (errors: Errors) => { readonly select: Selection | null; readonly work: BulkWork | null },
): ParsedBulk {
  const errors = new Map<string, readonly string[]>()
  const read = <T>(name: string, parse: (value: JsonValue) => Parsed<T>, absent: T): T => {
    const parsed = Object.hasOwn(body, name) ? parse(body[name] ?? null) : ok(absent)
    if (parsed.ok) return parsed.value
    errors.set(name, parsed.problems)
    return absent
  }
  for (const name of Object.keys(body))
    if (!members.includes(name) && !own.includes(name)) errors.set(name, ['Unknown field.'])
  const { select: selected, work } = readOwn(errors)
  const reason = read('reason', parseGivenReason, null)
  const asOf = read('as_of', parseCount, null)
  const isPartial = read('partial', parseFlag, false)
  const expect = read('expect', parseCount, null)
  const isCounted = Object.hasOwn(body, 'expect') || isDryRun || selected === null || selected.is === 'ids'
  if (!isCounted) errors.set('expect', [expectNeeded])
  if (errors.size > 0 || selected === null || work === null) return { ok: false, errors }
  return { ok: true, request: { select: selected, work, expect, asOf, isPartial }, reason }
}

/** The body of an undo. */
export function parseUndo({ reason = '', ...others }: JsonObject): ParsedUndo {
  const errors = toUnknownErrors(others)
  const parsed = parseGivenReason(reason)
  if (!parsed.ok) errors.set('reason', parsed.problems)
  return parsed.ok && errors.size === 0 ? { ok: true, reason: parsed.value } : { ok: false, errors }
}

/** The fields that a patch sets, even to the value that they already have, and those that its edits read. */
export function toPatchedFields({ changes, edits, companions = {} }: BulkPatch): string[] {
  return [
    ...Object.keys(changes),
    ...Object.keys(companions),
    ...listEdits(edits).flatMap(([name, edit]) => toReadFields(name, edit)),
  ]
}

/** The changes of one record. Fails if one of its fields cannot have the result of an edit. */
export function toRecordChanges(record: VideoRecord, { changes, edits }: BulkPatch): ParsedFields {
  const errors = new Map<string, readonly string[]>()
  const changed: Record<string, JsonValue> = { ...changes }
  for (const [name, edit] of listEdits(edits)) {
    const edited = applyEdit(record, name, edit)
    if (edited.ok) changed[name] = edited.value
    else errors.set(name, edited.problems)
  }
  // Each edited value was returned by the `parse` of its own field, or is the one that the record has.
  return errors.size === 0 ? { ok: true, changes: changed as Changes } : { ok: false, errors }
}

/** Only `parseBulkPatch` makes edits, and only for fields. */
const listEdits = (edits: BulkPatch['edits']) => Object.entries(edits) as [WritableName, FieldEdit][]

type ParsedBulk =
  | { readonly ok: true; readonly request: BulkRequest; readonly reason: string | null }
  | { readonly ok: false; readonly errors: FieldErrors }

const members = ['select', 'reason', 'expect', 'as_of', 'partial']

const expectNeeded = 'Required, unless "select" has ids: the number of records. A dry run (dry_run=1) reports it.'

type Errors = Map<string, readonly string[]>

function readSelection({ select }: JsonObject, errors: Errors): Selection | null {
  const parsed = parseSelection(select)
  if (parsed.ok) return parsed.selection
  for (const [name, problems] of parsed.errors) errors.set(name === '' ? 'select' : `select.${name}`, problems)
  return null
}

function readMoved({ select }: JsonObject, errors: Errors): Selection | null {
  const { query, urls, ...others } = isJsonObject(select) ? select : {}
  const isOne = (query === undefined) !== (urls === undefined) && Object.keys(others).length === 0
  if (!isOne) errors.set('select', ['Must be an object with either "query" or "urls".'])
  else if (urls !== undefined && !isAddresses(urls)) errors.set('select.urls', [expectedUrls])
  else if (isAddresses(urls)) return { is: 'moved', filters: null, urls }
  else {
    const parsed = parseQuery(query ?? null)
    if (parsed.ok && parsed.selection.is === 'query') return { ...parsed.selection, is: 'moved', urls: null }
    if (!parsed.ok) for (const [name, problems] of parsed.errors) errors.set(`select.${name}`, problems)
  }
  return null
}

const isAddresses = (urls: JsonValue | undefined): urls is readonly string[] =>
  Array.isArray(urls) && urls.length <= maxSelected && urls.every((url: JsonValue) => typeof url === 'string')

const expectedUrls = `Must be an array of at most ${maxSelected.toLocaleString('en')} addresses.`

function readWork(body: JsonObject, selected: Selection | null, errors: Errors): BulkWork | null {
  const { patch, restore } = body
  if (restore !== undefined) {
    if (restore !== true) errors.set('restore', ['Must be true, or be left out.'])
    else if (patch !== undefined) errors.set('restore', ['Give "patch" or "restore", not both.'])
    else if (selected !== null && selected.is !== 'by') errors.set('restore', ['Needs a selection "by" an author.'])
    return { is: 'restore' }
  }
  if (patch === undefined) errors.set('patch', ['This field is required, unless "restore" is true.'])
  else if (!isJsonObject(patch)) errors.set('patch', ['Must be an object: the fields to change.'])
  else return readPatch(patch, errors)
  return null
}

function readPatch(patch: JsonObject, errors: Errors): BulkWork | null {
  const parsed = parseBulkPatch(patch)
  if (parsed.ok) return { is: 'patch', patch: parsed.patch, said: patch }
  for (const [name, problems] of parsed.errors) errors.set(`patch.${name}`, problems)
  return null
}

type ParsedUndo =
  | { readonly ok: true; readonly reason: string | null }
  | { readonly ok: false; readonly errors: FieldErrors }

function parseGivenReason(value: JsonValue): Parsed<string | null> {
  return typeof value === 'string' ? parseReason(value) : notA('a string', value)
}

function parseCount(value: JsonValue): Parsed<number | null> {
  if (typeof value !== 'number') return notA('an integer', value)
  return Number.isSafeInteger(value) && value >= 0 ? ok(value) : wrong('Must be an integer of at least 0.')
}

function parseFlag(value: JsonValue): Parsed<boolean> {
  return typeof value === 'boolean' ? ok(value) : notA('true or false', value)
}

/** The errors name members of the selection; `''` is the selection itself. */
type ParsedSelection =
  | { readonly ok: true; readonly selection: Selection }
  | { readonly ok: false; readonly errors: FieldErrors }

const forms = { ids: ['ids'], query: ['query'], by: ['by', 'since', 'until'] } as const
type Form = keyof typeof forms

const fail = (...errors: [string, readonly string[]][]): ParsedSelection => ({ ok: false, errors: new Map(errors) })

/** One of `{"ids"}`, `{"query"}` and `{"by", "since", "until"?}`. */
function parseSelection(value: JsonValue | undefined): ParsedSelection {
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

/** Only filters with values are allowed: a parameter without effect would select too many records. */
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
  const from = typeof since === 'string' ? parseMoment(since, 'first') : null
  const to = typeof until === 'string' ? parseMoment(until, 'last') : null
  if (from === null) errors.set('since', [expectedMoment])
  if (until !== undefined && to === null) errors.set('until', [expectedMoment])
  if (from !== null && to !== null && to < from) errors.set('until', ['May not be before "since".'])
  if (!isName || from === null || errors.size > 0) return { ok: false, errors }
  return { ok: true, selection: { is: 'by', author: by, since: from, until: to } }
}

const expectedMoment = 'Must be a day, YYYY-MM-DD, or a time in UTC, YYYY-MM-DDThh:mm:ss.'

type ParsedPatch =
  | { readonly ok: true; readonly patch: BulkPatch }
  | { readonly ok: false; readonly errors: FieldErrors }

const expectedEdit = 'Must be an object with "add", "remove" or both.'

/** A merge patch, in which a field may also be an edit of the value that each record has. */
function parseBulkPatch(body: JsonObject): ParsedPatch {
  const edits: Record<string, FieldEdit> = {}
  const companions: Record<string, JsonObject> = {}
  let transcripts: Replacement | null = null
  const errors = new Map<string, readonly string[]>()
  const rest: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(body)) {
    const parsed = isWritableName(name) && isJsonObject(value) ? parseFieldEdit(name, value) : null
    const edited = isSingleName(name) && isJsonObject(value) ? toKind(name).edit?.parse(value) : undefined
    const said = name === 'transcripts' ? parseReplacement(isJsonObject(value) ? value : {}) : undefined
    if (edited?.ok === true) companions[name] = edited.content
    else if (said?.ok === true) transcripts = said.content
    else if (said?.ok === false) errors.set(name, [...said.errors.values()].flat())
    else if (edited?.ok === false) errors.set(name, [...edited.errors.values()].flat())
    else if (isSingleName(name) && toKind(name).edit !== null) errors.set(name, [expectedEdit])
    else if (name === 'id') errors.set(name, ['Cannot be set. Name the records in "select".'])
    else if (parsed === null) rest.push([name, value])
    else if (parsed.ok) edits[name] = parsed.value
    else errors.set(name, parsed.problems)
  }
  // From entries, so that `__proto__` is an ordinary name.
  const parsed = parseFields(Object.fromEntries(rest), 'part', null)
  if (parsed.ok && errors.size === 0)
    return {
      ok: true,
      patch: {
        ...{ changes: parsed.changes, edits },
        ...(Object.keys(companions).length === 0 ? {} : { companions }),
        ...(transcripts === null ? {} : { transcripts }),
      },
    }
  return { ok: false, errors: new Map([...errors, ...(parsed.ok ? [] : parsed.errors)]) }
}

type ParsedMerge =
  | { readonly ok: true; readonly into: number; readonly take: readonly TakenName[] }
  | { readonly ok: false; readonly errors: FieldErrors }

/** `{"into": 9, "take": ["speakers", "tags"]}`: a record to merge into, and the fields that it takes over. */
export function parseRecordMerge({ into, take = [], ...others }: JsonObject): ParsedMerge {
  const errors = toUnknownErrors(others)
  const isId = typeof into === 'number' && Number.isSafeInteger(into) && into > 0
  if (!isId) errors.set('into', [into === undefined ? 'This field is required.' : 'Must be an id, from 1.'])
  const names: readonly JsonValue[] = Array.isArray(take) ? take : []
  const problems = Array.isArray(take) ? names.flatMap(findTakeProblem) : ['Must be an array of names of fields.']
  if (problems.length > 0) errors.set('take', problems.slice(0, maxErrors))
  if (!isId || errors.size > 0) return { ok: false, errors }
  return { ok: true, into, take: [...new Set(names.filter(isTakenName))] }
}

export const isTakenName = (name: JsonValue): name is TakenName =>
  typeof name === 'string' && isWritableName(name) && name !== 'state'

function findTakeProblem(name: JsonValue): readonly string[] {
  if (isTakenName(name)) return []
  return [`${JSON.stringify(name)} is not a field that can be taken over.`]
}
