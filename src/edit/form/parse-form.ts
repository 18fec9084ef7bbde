import { fields } from '../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import type { Changes, FieldErrors } from '../../record/record.ts'
import { isUntouched, readTyped, toControlKind, toShown } from './control.ts'
import { type FieldTable, toValue, toWritable, type WritableIn } from './field-hints.ts'
import { formTexts } from './form-texts.ts'

/** What a person typed, as sent, for every control that differs from what the form showed. */
export type Typed = ReadonlyMap<string, string>

/** `typed` is there in any case: the form is shown again when the store refuses the change. */
export type ParsedForm =
  | { readonly ok: true; readonly changes: Changes; readonly typed: Typed }
  | { readonly ok: false; readonly errors: FieldErrors; readonly typed: Typed }

/** A form as the platform parses it: texts and files. */
export interface FormEntries {
  getAll(name: string): readonly unknown[]
}

/** The name of a field's control. The prefix keeps fields apart from the form's own entries, such as a reason. */
export const toControlName = (name: string) => `field.${name}`

export interface FormOptions {
  readonly table?: FieldTable
  /** A new record must have the required fields. */
  readonly isNew?: boolean
}

/**
 * What a person changed, compared with the version that the form was made from. A field whose control shows what it
 * showed then, or that the form did not have, is no part of the changes, so it keeps its bytes (decision 58).
 */
export function parseForm(form: FormEntries, base: JsonObject, options: FormOptions = {}): ParsedForm {
  const changes: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  const typed = new Map<string, string>()
  for (const [name, field] of toWritable(options.table ?? fields)) {
    const read = readField(form, name, field, toValue(base, name))
    if (read.is === 'changed') changes[name] = read.value
    if (read.is === 'wrong') errors.set(name, read.problems)
    if (read.is !== 'untouched') typed.set(name, read.typed)
    const isMissing = options.isNew === true && field.absent.is === 'required' && read.is === 'untouched'
    if (isMissing) errors.set(name, [formTexts.formErrors.required])
  }
  // Each value was returned by the `parse` of its own field.
  return errors.size > 0 ? { ok: false, errors, typed } : { ok: true, changes: changes as Changes, typed }
}

type ReadField =
  | { readonly is: 'untouched' }
  /** Typed otherwise, but the same value: `2347` for `39:07`. */
  | { readonly is: 'same'; readonly typed: string }
  | { readonly is: 'changed'; readonly typed: string; readonly value: JsonValue }
  | { readonly is: 'wrong'; readonly typed: string; readonly problems: readonly string[] }

function readField(form: FormEntries, name: string, field: WritableIn, base: JsonValue): ReadField {
  // A flag sends "no" always, and "yes" after it if it is checked.
  const typed = form.getAll(toControlName(name)).at(-1)
  const control = toControlKind(name, field.kind, base)
  if (typeof typed !== 'string' || isUntouched(control, toShown(control, base), typed)) return { is: 'untouched' }
  const read = readTyped(control, typed, field.kind, base)
  const parsed = read.ok ? field.kind.parse(read.value) : read
  if (!parsed.ok) return { is: 'wrong', typed, problems: parsed.problems }
  if (isSameJson(parsed.value, base)) return { is: 'same', typed }
  return { is: 'changed', typed, value: parsed.value }
}

/** A record without a word in it: what the form of a new talk is compared with. */
export function toBlankRecord(table: FieldTable = fields): JsonObject {
  return Object.fromEntries(toWritable(table).map(([name, field]) => [name, toBlank(field)]))
}

function toBlank({ absent, kind }: WritableIn): JsonValue {
  if (absent.is === 'value') return absent.value
  // The service makes it a draft.
  return kind.choices?.at(-1)?.value ?? ''
}
