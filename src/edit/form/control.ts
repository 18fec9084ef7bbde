import { type FieldKind, ok, type Parsed, wrong } from '../../record/field-kind.ts'
import type { JsonValue } from '../../record/json.ts'
import { toClock } from '../../site/text/format.ts'
import { toHint } from './field-hints.ts'
import { formTexts } from './form-texts.ts'
import { toLf, withLineEndsOf } from './line-ends.ts'

/** How a field is edited. Every control gives one text, and nothing that a person types is lost on the way (decision 58). */
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
export function toShown(control: ControlKind, value: JsonValue): string {
  if (Array.isArray(value)) return value.map((entry) => toEntryLine(String(entry))).join('\n')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return ''
  if (control === 'clock' && typeof value === 'number') return toClock(value)
  return toLf(String(value))
}

/** Whether a control has what it showed. Browsers send every line end as `\r\n`, and addresses without outer spaces. */
export function isUntouched(control: ControlKind, shown: string, typed: string): boolean {
  if (control === 'address') return toLf(typed).trim() === shown.trim()
  return toLf(typed) === shown
}

/** The value for the field that a text stands for. The rules of the field itself are judged by its kind. */
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
      return ok(kind.choices?.find((each) => String(each.value) === word)?.value ?? word)
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

/** An entry is one line. A line break inside a name is shown as a sign that can be seen and replaced. */
const toEntryLine = (entry: string) => toLf(entry).replaceAll('\n', '↵')

/** Blank lines are no entries. A line that stands for an entry of the list as it was keeps that entry's characters. */
function readNames(text: string, base: readonly string[]): string[] {
  const known = base.map((entry) => ({ entry, line: toEntryLine(entry).trim() }))
  return text.split('\n').flatMap((line) => {
    const name = line.trim()
    if (name === '') return []
    const at = known.findIndex((each) => each.line === name)
    return at < 0 ? [name] : known.splice(at, 1).map(({ entry }) => entry)
  })
}

function readNumber(word: string): Parsed<number> {
  return /^\d{1,20}$/.test(word) ? ok(Number(word)) : wrong(formTexts.formErrors.number)
}

/** `39:07`, `1:02:03`, or seconds. */
function readClock(word: string): Parsed<number> {
  const parts = /^(?:(?:(\d{1,5}):)?(\d{1,5}):)?(\d{1,9})$/.exec(word)
  if (parts === null) return wrong(formTexts.formErrors.clock)
  const [, hours, minutes, seconds] = parts.map((part) => (part === undefined ? null : Number(part)))
  const isClock = minutes !== null
  const isPossible = !isClock || ((seconds ?? 0) < 60 && (hours === null || (minutes ?? 0) < 60))
  if (!isPossible) return wrong(formTexts.formErrors.clock)
  return ok((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0))
}
