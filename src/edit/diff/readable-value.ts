import type { FieldKind } from '../../record/field-kind.ts'
import type { JsonValue } from '../../record/json.ts'
import { toNumber } from '../../record/text/counted.ts'
import { toClock, toSize } from '../../site/text/format.ts'
import { toHint } from '../form/field-hints.ts'
import { formTexts } from '../form/form-texts.ts'

/** A value as a person reads it: `39:07`, `413 MB (412,630,117)`, `live`, `Yes`. */
export function toReadable(name: string, kind: FieldKind<JsonValue> | null, value: JsonValue): string {
  if (value === null) return formTexts.diff.unset
  if (value === '' || (Array.isArray(value) && value.length === 0)) return formTexts.diff.empty
  if (typeof value === 'boolean') return value ? formTexts.form.yes : formTexts.form.no
  if (Array.isArray(value)) return value.map(String).join(', ')
  const choice = kind?.choices?.find((each) => each.value === value)
  if (choice !== undefined) return choice.display_name
  return typeof value === 'number' ? toReadableNumber(name, value) : String(value)
}

function toReadableNumber(name: string, value: number): string {
  switch (toHint(name).unit) {
    case 'seconds':
      return toClock(value)
    case 'bytes':
      return `${toSize(value)} (${toNumber(value)})`
    default:
      return String(value)
  }
}
