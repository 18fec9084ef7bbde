import { isListField } from '../../record/bulk.ts'
import { ok, type Parsed, wrong } from '../../record/field-kind.ts'
import { fields } from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toWritable, type WritableIn } from '../form/field-hints.ts'
import { readTyped, toControlKind, toControlName } from '../form/form-values.ts'
import { bulkTexts } from './bulk-texts.ts'

/** What can be done with a field. Each has a control of its own; an empty one leaves the field as it is. */
export type Operation = 'set' | 'clear' | 'add' | 'remove'

/** What was filled in, by the names of the controls. Blank ones are left out. */
export type Entries = ReadonlyMap<string, string>

export const toOperationName = (name: string, operation: Operation) =>
  operation === 'set' ? toControlName(name) : `${toControlName(name)}.${operation}`

/** What the controls of the form have; whatever else was sent is none of it. */
export function readEntries(form: URLSearchParams): Entries {
  const controls = toWritable(fields).flatMap(([name, field]) =>
    toOperations(name, field).map((operation) => toOperationName(name, operation)),
  )
  const given = controls.map((control) => [control, form.get(control) ?? ''] as const)
  return new Map(given.filter(([, value]) => value.trim() !== ''))
}

/** Names can be added and removed; what must not be empty, or is one of two, cannot be cleared. */
export function toOperations(name: string, { kind, absent }: WritableIn): readonly Operation[] {
  const canClear = absent.is !== 'required' && kind.type !== 'boolean' && kind.type !== 'choice'
  return ['set', ...(canClear ? (['clear'] as const) : []), ...(isListField(name) ? (['add', 'remove'] as const) : [])]
}

export interface ParsedOperations {
  /** As the API takes it; without the fields that have errors. */
  readonly patch: JsonObject
  readonly errors: FieldErrors
}

/** A form as the patch of a bulk change. The rules of each field are those of the API, which parses the patch. */
export function parseOperations(entries: Entries): ParsedOperations {
  const patch: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  for (const [name, field] of toWritable(fields)) {
    const read = readField(entries, name, field)
    if (read === null) continue
    if (read.ok) patch[name] = read.value
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
  const { errors } = bulkTexts
  if (ways > 1) return wrong(isListField(name) ? errors.oneWay : errors.clearAndSet)
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
