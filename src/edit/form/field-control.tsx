import type { ControlAttributes } from '#jsx/jsx-runtime'
import type { JsonValue } from '../../record/json.ts'
import { type ControlKind, toControlKind, toShown } from './control.ts'
import { type FieldHint, type PickerKind, toHint, type WritableIn } from './field-hints.ts'
import { toLf } from './line-ends.ts'
import { toControlName } from './parse-form.ts'

/** What the control of one field needs. */
export interface ControlProps {
  readonly name: string
  readonly field: WritableIn
  /** The value in the version that the form is made from; it decides which control there is. */
  readonly value: JsonValue
  /** What was typed before, if the form is shown again. */
  readonly typed?: string | undefined
  readonly isWrong?: boolean
  /** Ids of help and errors. */
  readonly describedBy?: string
  /** BCP 47 code of the talk's language, for screen readers and spelling. */
  readonly lang?: string | null
  /** Where a picker asks for names; without it there are no pickers. */
  readonly toPickAddress?: ((kind: PickerKind) => string) | undefined
  /** Names of languages to choose from, without a script. */
  readonly listId?: string | undefined
  /** Whether the page opens with the focus here. */
  readonly isFocused?: boolean
  /** Where there is no `<label>`. */
  readonly label?: string
}

/** The id of a field's control, which errors link to. */
export const toControlId = (name: string) => `field-${name}`

interface Shared {
  readonly kind: ControlKind
  readonly hint: FieldHint
  readonly text: string
  readonly attributes: ControlAttributes
}

/** The control for a field, by the kind of its value. It sends what it shows back, whatever that is (decision 58). */
export function FieldControl(props: ControlProps) {
  const { name, field, value } = props
  const kind = toControlKind(name, field.kind, value)
  const text = props.typed === undefined ? toShown(kind, value) : toLf(props.typed)
  const shared = { kind, hint: toHint(name), text, attributes: toAttributes(props) }
  switch (kind) {
    case 'area':
    case 'names':
      return <Area {...shared} {...props} />
    case 'choice':
      return <Choice {...shared} {...props} />
    case 'flag':
      return <Flag {...shared} />
    default:
      return <Line {...shared} {...props} />
  }
}

function toAttributes(props: ControlProps): Shared['attributes'] {
  const { name, field } = props
  return {
    id: toControlId(name),
    name: toControlName(name),
    required: field.absent.is === 'required',
    autofocus: props.isFocused === true,
    'aria-label': props.label,
    'aria-describedby': props.describedBy,
    'aria-invalid': props.isWrong === true ? 'true' : undefined,
    // The shortcut to the first field.
    'data-key': name === 'title' ? 'e' : undefined,
  }
}

/**
 * No `maxlength`: it counts UTF-16 code units, and cuts what is pasted without a word. No `type="number"` or `date`:
 * they send nothing for what they do not understand.
 */
function Line({ kind, hint, text, attributes, ...props }: Shared & ControlProps) {
  const isWords = kind === 'line'
  return (
    <input
      {...attributes}
      type={kind === 'address' ? 'url' : 'text'}
      value={text}
      dir={isWords ? 'auto' : 'ltr'}
      lang={hint.isProse === true ? (props.lang ?? undefined) : undefined}
      inputmode={kind === 'number' || kind === 'day' ? 'numeric' : undefined}
      list={hint.picker === 'language' ? props.listId : undefined}
      placeholder={kind === 'day' ? 'YYYY-MM-DD' : undefined}
      autocomplete="off"
      autocapitalize={isWords ? undefined : 'off'}
      spellcheck={hint.isProse === true ? 'true' : 'false'}
      {...toLimits(props)}
      {...toPicker(hint, props)}
    />
  )
}

const maxRows = 24

function Area({ kind, hint, text, attributes, ...props }: Shared & ControlProps) {
  return (
    <textarea
      {...attributes}
      rows={String(toRows(kind, hint, text))}
      dir={hint.isCode === true ? 'ltr' : 'auto'}
      lang={hint.isProse === true ? (props.lang ?? undefined) : undefined}
      class={hint.isCode === true ? 'code' : undefined}
      autocomplete="off"
      spellcheck={hint.isProse === true ? 'true' : 'false'}
      {...toLimits(props)}
      {...toPicker(hint, props)}
      {...toKnown(kind, hint, props)}
      // HTML drops a line break right after the tag.
      value={text.startsWith('\n') ? `\n${text}` : text}
    />
  )
}

/** Room for what is there and a little more. */
function toRows(kind: ControlKind, hint: FieldHint, text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 80), 0)
  const [least, most] = kind === 'names' ? [2, 12] : hint.isProse === true ? [4, maxRows] : [2, 8]
  return Math.max(least, Math.min(most, lines + 1))
}

/** A value that is no choice any more stays one until another is chosen. */
function Choice({ text, attributes, field }: Shared & ControlProps) {
  const choices = (field.kind.choices ?? []).map(({ value, display_name }) => [String(value), display_name] as const)
  const shown = choices.some(([value]) => value === text) ? choices : [...choices, [text, text] as const]
  return (
    <select {...attributes} autocomplete="off">
      {shown.map(([value, label]) => (
        <option key={value} value={value} selected={value === text}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** A checkbox that is not checked sends nothing, as if the form did not have it; the hidden one is always sent. */
function Flag({ text, attributes }: Shared) {
  return (
    <>
      <input type="hidden" name={attributes.name} value="no" />
      <input {...attributes} type="checkbox" value="yes" checked={text === 'yes'} />
    </>
  )
}

/** A script counts code points against the limit. */
function toLimits({ field: { kind } }: ControlProps) {
  return { 'data-limit': kind.maxLength === undefined ? undefined : String(kind.maxLength) }
}

function toPicker({ picker }: FieldHint, { field, toPickAddress }: ControlProps) {
  if (picker === undefined || toPickAddress === undefined) return {}
  return {
    'data-pick': toPickAddress(picker),
    // A title that no event has makes one.
    'data-pick-new': picker === 'category' ? 'event' : undefined,
    'data-max-items': field.kind.maxItems === undefined ? undefined : String(field.kind.maxItems),
  }
}

/** A script marks names that the talk did not have and the archive does not have. */
function toKnown(kind: ControlKind, { picker }: FieldHint, { value, toPickAddress }: ControlProps) {
  return picker === undefined || toPickAddress === undefined ? {} : { 'data-known': toShown(kind, value) }
}
