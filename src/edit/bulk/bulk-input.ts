import { type BulkRequest, isListField, maxSelected } from '../../record/bulk.ts'
import { ok, type Parsed, wrong } from '../../record/field-kind.ts'
import { fields } from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import { parseBulk } from '../../record/parse-bulk.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toWritable, type WritableIn } from '../form/field-hints.ts'
import { readTyped, toControlKind, toControlName } from '../form/form-values.ts'
import { type Entries, fixShortcuts, isEditedPart, parseEdits, partName, readEditEntries } from './bulk-edits.tsx'
import { type SelectedTalks, toSelect } from './selected-talks.tsx'

/** What a curator filled in: the talks, the changes and the reason. */
export interface BulkInput {
  readonly chosen: SelectedTalks
  readonly entries: Entries
  readonly reason: string
}

/** What the preview showed; the change applies to exactly that. */
export interface PreviewSeen {
  /** The number of selected talks. */
  readonly expect: number
  /** The hash of their ids. */
  readonly hash: string
  readonly asOf: number
  readonly isPartial: boolean
  readonly key: string
}

type ParsedInput =
  | { readonly ok: true; readonly request: BulkRequest; readonly reason: string | null; readonly patch: JsonObject }
  | { readonly ok: false; readonly errors: FieldErrors }

/** A button of a work list stands for a form with one control filled in. */
const shortcuts = new Map<string, readonly [control: string, value: string]>([
  ['publish', [toControlName('state'), '1']],
  ['withdraw', [toControlName('state'), '2']],
  ...Object.entries(fixShortcuts),
])

export const isShortcut = (action: string) => shortcuts.has(action)

export function readInput(form: URLSearchParams, chosen: SelectedTalks): BulkInput {
  const shortcut = shortcuts.get(form.get('do') ?? '')
  const entries = shortcut === undefined ? readEntries(form) : new Map([shortcut])
  return { chosen, entries, reason: form.get('reason') ?? '' }
}

/** The request that the API would parse from the same change (decision 62). Without `seen`, it is a dry run. */
export function parseInput({ chosen, entries, reason }: BulkInput, seen: PreviewSeen | null): ParsedInput {
  const { patch, errors } = parseOperations(entries)
  if (entries.size === 0)
    return { ok: false, errors: new Map([['', ['Nothing to do: fill in at least one field, or tick “Clear”.']]]) }
  const conditions = seen === null ? {} : { expect: seen.expect, as_of: seen.asOf, partial: seen.isPartial }
  const parsed = parseBulk({ select: toSelect(chosen), patch, reason, ...conditions }, seen === null)
  const found = parsed.ok
    ? []
    : [...parsed.errors].map(
        ([name, problems]) => [toErrorName(entries, name.replace(/^patch\./, '')), problems] as const,
      )
  if (parsed.ok && errors.size === 0) {
    const request = seen === null ? parsed.request : { ...parsed.request, expectHash: seen.hash }
    return { ok: true, request, reason: parsed.reason, patch }
  }
  return { ok: false, errors: new Map([...errors, ...found]) }
}

/** An error in an edit is shown where the edit was filled in. */
const toErrorName = (entries: Entries, name: string) => (isEditedPart(entries, name) ? partName : name)

/** The control that turns the page of a preview. */
export const pageName = 'page'

const maxPages = maxSelected

/** Where the pages of differences begin that a curator has turned to; null for the first page. */
export function readTrail(form: URLSearchParams): readonly number[] | null {
  const words = (form.get(pageName) ?? '').split(',')
  const isTrail = words.length <= maxPages && words.every((word) => /^\d{1,15}$/.test(word))
  return isTrail ? words.map(Number) : null
}

/** Null if the form does not come from a preview. */
export function readPreviewSeen(form: URLSearchParams, isPartial: boolean): PreviewSeen | null {
  const [expect, asOf] = [form.get('expect') ?? '', form.get('as_of') ?? '']
  const [hash, key] = [form.get('hash') ?? '', form.get('key') ?? '']
  const hasNumbers = [expect, asOf].every((word) => /^\d{1,15}$/.test(word))
  const hasKeys = [hash, key].every((word) => /^[\x21-\x7e]{1,255}$/.test(word))
  return hasNumbers && hasKeys ? { expect: Number(expect), hash, asOf: Number(asOf), isPartial, key } : null
}

/** What can be done with a field. Each operation has a control; an empty control leaves the field unchanged. */
type FieldOperation = 'set' | 'clear' | 'add' | 'remove'

export const toOperationName = (name: string, operation: FieldOperation) =>
  operation === 'set' ? toControlName(name) : `${toControlName(name)}.${operation}`

/** Names can be added and removed. Required fields, flags and choices cannot be cleared. */
export function toOperations(name: string, { kind, absent }: WritableIn): readonly FieldOperation[] {
  const canClear = absent.is !== 'required' && kind.type !== 'boolean' && kind.type !== 'choice'
  return ['set', ...(canClear ? (['clear'] as const) : []), ...(isListField(name) ? (['add', 'remove'] as const) : [])]
}

/** The values of the controls that the form has; anything else is ignored. */
function readEntries(form: URLSearchParams): Entries {
  const controls = toWritable(fields).flatMap(([name, field]) =>
    toOperations(name, field).map((operation) => toOperationName(name, operation)),
  )
  const values = controls.map((control) => [control, form.get(control) ?? ''] as const)
  return new Map([...values.filter(([, value]) => value.trim() !== ''), ...readEditEntries(form)])
}

interface ParsedOperations {
  /** As the API takes it; without the fields that have errors. */
  readonly patch: JsonObject
  readonly errors: FieldErrors
}

/** A form as the patch of a bulk change. The rules of each field are those of the API, which parses the patch. */
function parseOperations(entries: Entries): ParsedOperations {
  const edits = parseEdits(entries)
  const patch: Record<string, JsonValue> = { ...edits.patch }
  const errors = new Map(edits.errors)
  for (const [name, field] of toWritable(fields)) {
    const read = readField(entries, name, field)
    if (read === null) continue
    if (Object.hasOwn(edits.patch, name))
      errors.set(name, ['Either change a part of it or replace all of it, not both.'])
    else if (read.ok) patch[name] = read.value
    else errors.set(name, read.problems)
  }
  return { patch, errors }
}

/** Null if the field stays as it is. */
function readField(entries: Entries, name: string, field: WritableIn): Parsed<JsonValue> | null {
  const [typed, clear, add, remove] = (['set', 'clear', 'add', 'remove'] as const).map((operation) =>
    entries.get(toOperationName(name, operation)),
  )
  const isChanged = add !== undefined || remove !== undefined
  const ways = [typed !== undefined, clear !== undefined, isChanged].filter(Boolean).length
  if (ways === 0) return null
  if (ways > 1)
    return wrong(
      isListField(name)
        ? 'Either add and remove names, or replace them all, or tick “Clear”.'
        : 'Either fill in a value or tick “Clear”, not both.',
    )
  if (clear !== undefined) return ok(toCleared(field))
  const read = (text: string) => readTyped(toControlKind(name, field.kind, ''), text, field.kind, '')
  if (typed !== undefined) return read(typed)
  return ok({ ...toMember('add', add, read), ...toMember('remove', remove, read) })
}

function toMember(
  name: 'add' | 'remove',
  text: string | undefined,
  read: (text: string) => Parsed<JsonValue>,
): JsonObject {
  const parsed = text === undefined ? null : read(text)
  return parsed?.ok ? { [name]: parsed.value } : {}
}

const toCleared = ({ absent, kind }: WritableIn): JsonValue =>
  absent.is === 'value' ? absent.value : kind.nullable ? null : ''
