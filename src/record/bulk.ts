import type { SingleName } from './companion/kinds.ts'
import { findBadText, notA, ok, type Parsed, wrong } from './field-kind.ts'
import { fields, type WritableName } from './fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.ts'
import { findThumbnail } from './player/hosted-video.ts'
import { isOddDuration } from './quality/finding-codes.ts'
import { splitSpeaker } from './quality/several-speakers.ts'
import type { Filters } from './query/query.ts'
import type { Changes, VideoRecord } from './record.ts'
import type { Timestamp } from './timestamp.ts'
import type { Replacement } from './transcript/replace-text.ts'

/** Maximum number of records of one request: they change in one transaction (decision 51). */
export const maxSelected = 10_000

/** Which records to change. */
export type Selection =
  | { readonly is: 'ids'; readonly ids: readonly number[] }
  | { readonly is: 'query'; readonly filters: Filters }
  /** Records of which the author made a version in this time; both ends count. */
  | { readonly is: 'by'; readonly author: string; readonly since: Timestamp; readonly until: Timestamp | null }
  /** Records with moved addresses: among those that match, and with one of these addresses. */
  | { readonly is: 'moved'; readonly filters: Filters | null; readonly urls: readonly string[] | null }

/** What to change in each record: new values, and edits of the values that it has. */
export interface BulkPatch {
  readonly changes: Changes
  readonly edits: FieldEdits
  /** Edits of companions, each as its kind has parsed it. */
  readonly companions?: { readonly [Name in SingleName]?: JsonObject }
  readonly transcripts?: Replacement
}

/**
 * `restore`: fields go back to their values before the author's first change. Only for records selected `by`. `moved`: the
 * targets of moved addresses become the addresses. Only for records selected as `moved`.
 */
export type BulkWork =
  /** `said`: the patch as it was sent, to tell people later. */
  { readonly is: 'patch'; readonly patch: BulkPatch; readonly said: JsonObject } | { readonly is: 'restore' | 'moved' }

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

/** A change of a field that depends on the value that each record has. */
export type FieldEdit =
  | ({ readonly is: 'names' } & ListChange)
  /** Every occurrence, as it is written. */
  | { readonly is: 'find'; readonly find: string; readonly replace: string }
  /** A text that begins or ends with `cut` gets `add` in its place. With an empty `cut`, any text gets it. */
  | { readonly is: 'start' | 'end'; readonly cut: string; readonly add: string }
  | { readonly is: 'multiply' | 'divide'; readonly by: number; readonly ifPlausible?: true }
  /** The thumbnail that a known host has for the video of the record, unless the record has a thumbnail. */
  | { readonly is: 'from source' }
  /** Entries that name several people become one entry for each. */
  | { readonly is: 'split' }

export type FieldEdits = { readonly [F in WritableName]?: FieldEdit }

/** Whether texts are edited by `find`, `prefix` and so on. */
export const isTextField = (name: WritableName) => ['string', 'url'].includes(fields[name].kind.type)

/** Null if the field has no edits, so that an object is a value of the wrong type. */
export function parseFieldEdit(name: WritableName, value: JsonObject): Parsed<FieldEdit> | null {
  if (name === 'speakers' && Object.hasOwn(value, 'split')) return parseAlone(value, 'split', { is: 'split' })
  if (isListField(name)) return parseListChange(name, value)
  if (name === 'duration') return parseScale(value)
  if (name === 'thumbnail_url' && Object.hasOwn(value, 'from_source')) {
    return parseAlone(value, 'from_source', { is: 'from source' })
  }
  return isTextField(name) ? parseTextEdit(value, fields[name].kind.maxLength ?? 0) : null
}

/** The fields of which the result of an edit depends. */
export const toReadFields = (name: string, edit: FieldEdit) =>
  edit.is === 'from source' ? [name, 'source_url'] : [name]

/** The new value of a field. Fails if the field cannot have it. A value that the edit does not match is returned as it is. */
export function applyEdit(record: VideoRecord, name: WritableName, edit: FieldEdit): Parsed<JsonValue> {
  const { kind } = fields[name]
  const now = record[name]
  const edited = toEdited(record, now, edit, kind.maxLength ?? 0)
  if (edited === 'impossible') return wrong('The result is not possible in this field.')
  return isSameJson(edited.value, now) ? ok(now) : kind.parse(edited.value)
}

type Edited = { readonly value: JsonValue } | 'impossible'

function toEdited(record: VideoRecord, now: JsonValue, edit: FieldEdit, maxLength: number): Edited {
  switch (edit.is) {
    case 'names':
      return { value: Array.isArray(now) ? toChangedList(now, edit) : now }
    case 'split':
      return { value: [...new Set(record.speakers.flatMap(splitSpeaker))] }
    case 'multiply':
    case 'divide':
      return typeof now === 'number' ? toScaled(now, edit) : { value: now }
    case 'from source':
      return { value: now === '' ? (findThumbnail(record.source_url) ?? '') : now }
    default:
      // Empty and absent texts have nothing to edit.
      return typeof now === 'string' && now !== '' ? toEditedText(now, edit, maxLength) : { value: now }
  }
}

/** The list without the removed entries, then the added ones that it does not have. */
function toChangedList(now: readonly JsonValue[], { add, remove }: ListChange): JsonValue {
  const kept = now.filter((name) => !remove.some((each) => each === name))
  return [...kept, ...add.filter((name) => !kept.includes(name))]
}

/** Rounded to whole seconds. A length that is known never becomes zero. */
function toScaled(now: number, { is, by, ifPlausible }: Extract<FieldEdit, { is: 'multiply' | 'divide' }>): Edited {
  const value = Math.round(is === 'multiply' ? now * by : now / by)
  if (ifPlausible === true && isOddDuration(value)) return { value: now }
  return value === 0 && now > 0 ? 'impossible' : { value }
}

type TextEdit = Extract<FieldEdit, { is: 'find' | 'start' | 'end' }>

function toEditedText(text: string, edit: TextEdit, maxLength: number): Edited {
  if (edit.is !== 'find') return { value: toEditedEnd(text, edit) }
  const { find, replace } = edit
  const parts = text.split(find)
  // Judged before it is built: a hundred thousand occurrences could each become a hundred thousand characters.
  const length = text.length + (parts.length - 1) * (replace.length - find.length)
  return length > 2 * maxLength ? 'impossible' : { value: parts.join(replace) }
}

/** A text that already has what would be added stays as it is, so that a repeated request is harmless. */
function toEditedEnd(text: string, { is, cut, add }: Exclude<TextEdit, { is: 'find' }>): string {
  const isStart = is === 'start'
  const has = (part: string) => (isStart ? text.startsWith(part) : text.endsWith(part))
  if (cut === '' ? has(add) : !has(cut)) return text
  return isStart ? add + text.slice(cut.length) : text.slice(0, text.length - cut.length) + add
}

/** Each list has the limits of the field itself. */
function parseListChange(field: ListField, value: JsonObject): Parsed<FieldEdit> {
  const unknown = Object.keys(value).filter((name) => !members.some((each) => each === name))
  const parsed = members.map((name) => parseNames(field, value[name]))
  const [add = [], remove = []] = parsed.map((each) => (each.ok ? each.value : []))
  const problems = [
    ...unknown.map((name) => `Unknown member ${JSON.stringify(name)}: use "add" and "remove".`),
    ...parsed.flatMap((each, i) => (each.ok ? [] : each.problems.map((problem) => `${members[i]}: ${problem}`))),
    ...add.filter((name) => remove.includes(name)).map((name) => `Both adds and removes ${JSON.stringify(name)}.`),
    ...(members.some((name) => name in value) ? [] : ['Must have "add", "remove", or both.']),
  ]
  return problems.length === 0 ? ok({ is: 'names', add, remove }) : wrong(...problems)
}

const members = ['add', 'remove'] as const

function parseNames(field: ListField, value: JsonValue | undefined): Parsed<readonly string[]> {
  if (value === undefined) return ok([])
  return isJsonObject(value) ? notA('an array of strings', value) : fields[field].kind.parse(value)
}

type TextMember = 'find' | 'replace' | 'cut_start' | 'prefix' | 'cut_end' | 'suffix'

/** The members that belong together, and the edit that they make. */
const textEdits: readonly (readonly [readonly TextMember[], (...texts: string[]) => FieldEdit])[] = [
  [['find', 'replace'], (find = '', replace = '') => ({ is: 'find', find, replace })],
  [['cut_start'], (cut = '') => ({ is: 'start', cut, add: '' })],
  [['prefix'], (add = '') => ({ is: 'start', cut: '', add })],
  [['cut_start', 'prefix'], (cut = '', add = '') => ({ is: 'start', cut, add })],
  [['cut_end'], (cut = '') => ({ is: 'end', cut, add: '' })],
  [['suffix'], (add = '') => ({ is: 'end', cut: '', add })],
  [['cut_end', 'suffix'], (cut = '', add = '') => ({ is: 'end', cut, add })],
]

const textForms =
  'As an object, must have "find" and "replace", or "cut_start", "prefix" or both, or "cut_end", "suffix" or both.'

function parseTextEdit(value: JsonObject, maxLength: number): Parsed<FieldEdit> {
  const given = Object.keys(value)
  const found = textEdits.find(
    ([names]) => names.length === given.length && names.every((name) => given.includes(name)),
  )
  if (found === undefined) return wrong(textForms)
  const [names, toEdit] = found
  const problems = names.flatMap((name) => {
    const problem = findTextProblem(value[name] ?? null, maxLength, name !== 'replace')
    return problem === null ? [] : [`${name}: ${problem}`]
  })
  return problems.length > 0 ? wrong(...problems) : ok(toEdit(...names.map((name) => String(value[name]))))
}

function findTextProblem(value: JsonValue, maxLength: number, isRequired: boolean): string | null {
  if (typeof value !== 'string') return 'Must be a string.'
  return value === '' && isRequired ? 'May not be empty.' : findBadText(value, maxLength)
}

const maxFactor = 1_000_000

function parseScale(value: JsonObject): Parsed<FieldEdit> {
  const { if_plausible: ifPlausible, ...factor } = value
  const [name, ...others] = Object.keys(factor)
  if ((name !== 'multiply' && name !== 'divide') || others.length > 0)
    return wrong('As an object, must have either "multiply" or "divide".')
  if (ifPlausible !== undefined && ifPlausible !== true) return wrong('if_plausible: Must be true.')
  const by = factor[name]
  if (typeof by !== 'number' || by <= 0 || by > maxFactor)
    return wrong(`${name}: Must be a number above 0, and at most ${maxFactor.toLocaleString('en')}.`)
  return ok(ifPlausible === true ? { is: name, by, ifPlausible } : { is: name, by })
}

function parseAlone(value: JsonObject, name: string, edit: FieldEdit): Parsed<FieldEdit> {
  const isAlone = value[name] === true && Object.keys(value).length === 1
  return isAlone ? ok(edit) : wrong(`"${name}" must be true, and stand alone.`)
}
