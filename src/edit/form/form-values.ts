import { type FieldKind, ok, type Parsed } from '../../record/field-kind.ts'
import { fields } from '../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import type { Changes, FieldErrors } from '../../record/record.ts'
import { toClock } from '../../record/text/clock.ts'
import { readClock, readNumber, toLf, withLineEndsOf } from '../../record/text/typed-text.ts'
import { type FieldTable, toHint, toValue, toWritable, type WritableIn } from './field-hints.ts'

/** The text, as sent, of every control that differs from what the form showed. */
export type Typed = ReadonlyMap<string, string>

/** Always has `typed`: the form is shown again if the store refuses the change. */
type ParsedForm =
  | { readonly ok: true; readonly changes: Changes; readonly typed: Typed }
  | { readonly ok: false; readonly errors: FieldErrors; readonly typed: Typed }

/** A form as the platform parses it: texts and files. */
export interface FormEntries {
  getAll(name: string): readonly unknown[]
}

/** The name of a field's control. The prefix keeps fields apart from the form's own entries, such as a reason. */
export const toControlName = (name: string) => `field.${name}`

/** The id of a field's control, which errors link to. */
export const toControlId = (name: string) => `field-${name}`

interface FormOptions {
  readonly table?: FieldTable
  /** A new record must have the required fields. */
  readonly isNew?: boolean
}

/**
 * The changes of a form to the version that it was made from. A field whose control is unchanged, or missing in the
 * form, is not among the changes, so it keeps its bytes (decision 58).
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
    if (isMissing) errors.set(name, ['This field is required.'])
  }
  // Each value was returned by the `parse` of its own field.
  return errors.size > 0 ? { ok: false, errors, typed } : { ok: true, changes: changes as Changes, typed }
}

/** An empty record, which the form of a new talk is compared with. */
export function toBlankRecord(table: FieldTable = fields): JsonObject {
  return Object.fromEntries(toWritable(table).map(([name, field]) => [name, toBlank(field)]))
}

/** How a field is edited. Every control sends one text, and no input is lost (decision 58). */
export type ControlKind = 'line' | 'area' | 'names' | 'number' | 'clock' | 'day' | 'address' | 'choice' | 'flag'

type AnyKind = FieldKind<JsonValue>

/** Longer texts get several lines. */
const maxLineLength = 255

/** A line cannot show a line break, so a value that has one is edited in an area. */
export function toControlKind(name: string, kind: AnyKind, value: JsonValue): ControlKind {
  const hasBreak = typeof value === 'string' && /[\r\n]/.test(value)
  switch (kind.type) {
    case 'list':
      return 'names'
    case 'boolean':
      return 'flag'
    case 'choice':
      return 'choice'
    case 'date':
      return 'day'
    case 'integer':
      return toHint(name).unit === 'seconds' ? 'clock' : 'number'
    case 'url':
      return hasBreak ? 'area' : 'address'
    default: {
      const isLong = (kind.maxLength ?? maxLineLength) > maxLineLength || toHint(name).hasLines === true
      return isLong || hasBreak ? 'area' : 'line'
    }
  }
}

/** What a control shows for a value: the text that a browser sends back if nobody touches it, line ends as `\n`. */
export function toControlText(control: ControlKind, value: JsonValue): string {
  if (Array.isArray(value)) return value.map((entry) => toEntryLine(String(entry))).join('\n')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return ''
  if (control === 'clock' && typeof value === 'number') return toClock(value)
  return toLf(String(value))
}

/**
 * Whether a control still has the text that it showed. Browsers send every line end as `\r\n`, and addresses without
 * outer spaces.
 */
export function isUntouched(control: ControlKind, shown: string, typed: string): boolean {
  if (control === 'address') return toLf(typed).trim() === shown.trim()
  return toLf(typed) === shown
}

/** Parses the text of a control. The kind of the field checks the rules of the field itself. */
export function readTyped(control: ControlKind, typed: string, kind: AnyKind, base: JsonValue): Parsed<JsonValue> {
  const text = toLf(typed)
  const word = text.trim()
  const empty = kind.nullable ? null : ''
  switch (control) {
    case 'names':
      return ok(readNames(text, Array.isArray(base) ? base.map(String) : []))
    case 'flag':
      return ok(word === 'yes')
    case 'choice':
      return ok(kind.choices?.find((choice) => String(choice.value) === word)?.value ?? word)
    case 'number':
      return word === '' ? ok(null) : readNumber(word)
    case 'clock':
      return word === '' ? ok(null) : readClock(word)
    case 'day':
    case 'address':
      return ok(word === '' ? empty : word)
    case 'line':
      return ok(text === '' ? empty : text)
    case 'area':
      return ok(text === '' ? empty : withLineEndsOf(typeof base === 'string' ? base : '', text))
  }
}

/** An entry is one line. A line break inside a name is shown as a visible symbol, which can be replaced. */
const toEntryLine = (entry: string) => toLf(entry).replaceAll('\n', '↵')

type ReadField =
  | { readonly is: 'untouched' }
  /** Typed differently, but the same value: `2347` for `39:07`. */
  | { readonly is: 'same'; readonly typed: string }
  | { readonly is: 'changed'; readonly typed: string; readonly value: JsonValue }
  | { readonly is: 'wrong'; readonly typed: string; readonly problems: readonly string[] }

function readField(form: FormEntries, name: string, field: WritableIn, base: JsonValue): ReadField {
  // A flag sends "no" always, and "yes" after it if it is checked.
  const typed = form.getAll(toControlName(name)).at(-1)
  const control = toControlKind(name, field.kind, base)
  if (typeof typed !== 'string' || isUntouched(control, toControlText(control, base), typed)) return { is: 'untouched' }
  const read = readTyped(control, typed, field.kind, base)
  const parsed = read.ok ? field.kind.parse(read.value) : read
  if (!parsed.ok) return { is: 'wrong', typed, problems: parsed.problems }
  if (isSameJson(parsed.value, base)) return { is: 'same', typed }
  return { is: 'changed', typed, value: parsed.value }
}

function toBlank({ absent, kind }: WritableIn): JsonValue {
  if (absent.is === 'value') return absent.value
  // The service makes it a draft.
  return kind.choices?.at(-1)?.value ?? ''
}

/** Skips blank lines. A line that shows an entry of the old list keeps the exact characters of that entry. */
function readNames(text: string, base: readonly string[]): string[] {
  const known = base.map((entry) => ({ entry, line: toEntryLine(entry).trim() }))
  return text.split('\n').flatMap((line) => {
    const name = line.trim()
    if (name === '') return []
    const index = known.findIndex((entry) => entry.line === name)
    return index < 0 ? [name] : known.splice(index, 1).map(({ entry }) => entry)
  })
}
