import type { ControlAttributes } from '#jsx/jsx-runtime'
import { fields } from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import { toLf } from '../../record/text/typed-text.ts'
import {
  type FieldGroup,
  type FieldHint,
  type FieldTable,
  foldedGroups,
  groupTitles,
  type PickerKind,
  toFullLabel,
  toGroups,
  toHint,
  toValue,
  type WritableIn,
} from './field-hints.ts'
import {
  type ControlKind,
  type Typed,
  toControlId,
  toControlKind,
  toControlName,
  toControlText,
} from './form-values.ts'
import { ErrorSummary, Unseen } from './record-form.tsx'

export interface FormFieldsProps {
  /** The version that the form is made from. */
  readonly record: JsonObject
  readonly typed?: Typed
  readonly errors?: FieldErrors
  readonly table?: FieldTable
  /** Fields that this person may not change: left out of the form, and so never changed by it. */
  readonly locked?: readonly string[]
  readonly toPickAddress?: (kind: PickerKind) => string
  /** The field that gets the focus, and the id of a notice that screen readers would otherwise skip. */
  readonly focus?: { readonly name: string; readonly noticeId?: string } | null
  /** Further notes after the help of fields, by name. */
  readonly notes?: { readonly [name: string]: string }
  /** Languages to choose from, such as those of other talks. */
  readonly languages?: readonly string[]
}

export const languageListId = 'language-names'

/** All fields of a record in groups, after a summary of errors that links to them. */
export function FormFields(props: FormFieldsProps) {
  const { table = fields, locked = [], errors = new Map(), languages } = props
  const open = Object.fromEntries(Object.entries(table).filter(([name]) => !locked.includes(name)))
  return (
    <>
      <ErrorSummary errors={errors} table={open} />
      {toGroups(open).map((group) => (
        <Group key={group.group} {...props} {...group} table={open} />
      ))}
      {languages !== undefined && (
        <datalist id={languageListId}>
          {languages.map((language) => (
            <option key={language} value={language} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** Read-only fields. */
export function Facts({ record, table = fields }: Pick<FormFieldsProps, 'record' | 'table'>) {
  const names = Object.keys(table).filter((name) => table[name]?.access === 'read')
  return (
    <section class="record-facts" aria-label="Set by the service">
      <dl>
        {names.map((name) => (
          <div key={name} title={table[name]?.help}>
            <dt>{toFullLabel(name)}</dt>
            <dd>{toFact(record, name, table)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface FormFieldProps extends Omit<ControlProps, 'isWrong' | 'describedBy'> {
  readonly problems?: readonly string[] | undefined
  /** Ids of further descriptions of the control. */
  readonly alsoDescribedBy?: string
  /** Shown after its help and the note of its hint. */
  readonly note?: string | undefined
}

/** Label, control, errors and help. */
export function FormField(props: FormFieldProps) {
  const { name, field, value, problems = [] } = props
  const hint = toHint(name)
  const kind = toControlKind(name, field.kind, value)
  const id = toControlId(name)
  const [helpId, errorId] = [`${id}-help`, `${id}-error`]
  const describedBy = [...(problems.length > 0 ? [errorId] : []), helpId, props.alsoDescribedBy ?? ''].join(' ').trim()
  const classes = ['field', `is-${kind}`, ...(hint.isShort === true ? ['is-short'] : [])]
  return (
    <div class={[...classes, ...(problems.length > 0 ? ['is-wrong'] : [])].join(' ')}>
      <label for={id}>
        {hint.label}
        {field.absent.is === 'required' && <span class="required"> (required)</span>}
      </label>
      <FieldControl {...props} isWrong={problems.length > 0} describedBy={describedBy} />
      <ProblemText id={errorId} problems={problems} />
      {kind !== 'area' && <Unseen text={props.typed ?? toControlText(kind, value)} />}
      <p class="help" id={helpId}>
        {[toHelp(props), hint.note, props.note].filter((text) => text !== undefined).join(' ')}
        {kind === 'names' && (
          <>
            {' '}
            {/* A script that shows the names one by one says how to add one. */}
            <span class="names-hint">One per line.</span>
          </>
        )}
        <span class="hidden-text"> {toLimits(props)}</span>
      </p>
    </div>
  )
}

/** What the control of one field needs. */
interface ControlProps {
  readonly name: string
  readonly field: WritableIn
  /** The value in the version that the form is made from; it decides the kind of control. */
  readonly value: JsonValue
  /** What was typed before, if the form is shown again. */
  readonly typed?: string | undefined
  readonly isWrong?: boolean
  /** Ids of help and errors. */
  readonly describedBy?: string
  /** BCP 47 code of the talk's language, for screen readers and spelling. */
  readonly lang?: string | null
  /** The URL that completes names; without it there are no pickers. */
  readonly toPickAddress?: ((kind: PickerKind) => string) | undefined
  /** Names of languages to choose from, without a script. */
  readonly listId?: string | undefined
  /** Whether the page opens with the focus here. */
  readonly isFocused?: boolean
  /** For a control without a `<label>`. */
  readonly label?: string
}

/** The control for a field, by the kind of its value. It sends back exactly what it shows (decision 58). */
export function FieldControl(props: ControlProps) {
  const { name, field, value } = props
  const kind = toControlKind(name, field.kind, value)
  const text = props.typed === undefined ? toControlText(kind, value) : toLf(props.typed)
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

/** A group that few people need is folded, unless something in it was typed or is wrong. */
function Group({ group, names, ...props }: FormFieldsProps & FieldGroup & { readonly table: FieldTable }) {
  const id = `group-${group}`
  const members = <Members names={names} {...props} />
  if (!foldedGroups.includes(group))
    return (
      <section class="field-group" aria-labelledby={id}>
        <h2 id={id}>{groupTitles[group]}</h2>
        {members}
      </section>
    )
  const isOpen = names.some((name) => props.typed?.has(name) || props.errors?.has(name) || props.focus?.name === name)
  return (
    <details class="field-group is-folded" open={isOpen}>
      <summary>{groupTitles[group]}</summary>
      {members}
    </details>
  )
}

/** Fields that share a row are in one fieldset. */
function Members({ names, ...props }: FormFieldsProps & Pick<FieldGroup, 'names'> & { readonly table: FieldTable }) {
  const rows = [...new Set(names.map((name) => toHint(name).row))]
  return (
    <div class="fields">
      {rows.map((row) => {
        const members = names.filter((name) => toHint(name).row === row).map((name) => toField(name, props))
        return row === undefined ? (
          members
        ) : (
          <fieldset class="field-row" key={row}>
            <legend>{row}</legend>
            {members}
          </fieldset>
        )
      })}
    </div>
  )
}

function toField(name: string, props: FormFieldsProps & { readonly table: FieldTable }) {
  const { record, typed, errors, table, toPickAddress, languages, notes = {}, focus = null } = props
  const field = table[name]
  if (field?.access !== 'write') return null
  const language = toValue(record, 'language')
  return (
    <FormField
      key={name}
      name={name}
      field={field}
      value={toValue(record, name)}
      typed={typed?.get(name)}
      problems={errors?.get(name)}
      note={notes[name]}
      lang={typeof language === 'string' ? toLanguageCode(language) : null}
      toPickAddress={toPickAddress}
      listId={languages === undefined ? undefined : languageListId}
      {...(focus?.name === name ? { isFocused: true, alsoDescribedBy: focus.noticeId ?? '' } : {})}
    />
  )
}

/** Times with a space where they have a `T`. */
function toFact(record: JsonObject, name: string, table: FieldTable): string {
  const text = String(toValue(record, name) ?? '')
  const field = table[name]
  return field?.access === 'read' && field.type === 'datetime' ? text.replace('T', ' ').slice(0, 19) : text
}

export function ProblemText({ id, problems }: { readonly id: string; readonly problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <p class="field-error" id={id}>
      <span class="hidden-text">Error: </span>
      {problems.join(' ')}
    </p>
  )
}

/** The purpose and format of the field. */
function toHelp({ name, field: { kind, help }, value }: FormFieldProps): string {
  switch (toControlKind(name, kind, value)) {
    case 'clock':
      return 'Minutes and seconds, such as 39:07, or seconds alone. Empty if unknown.'
    case 'day':
      return 'Year, month and day, such as 2024-05-31. Empty if unknown.'
    case 'names':
      return help
    default:
      return toHint(name).help ?? help
  }
}

/** For screen readers; others see a counter near the limit (decision 58). */
function toLimits({ field: { kind } }: FormFieldProps): string {
  if (kind.maxItems !== undefined) return `At most ${toNumber(kind.maxItems)} entries.`
  return kind.maxLength === undefined ? '' : `At most ${toNumber(kind.maxLength)} characters.`
}

interface Shared {
  readonly kind: ControlKind
  readonly hint: FieldHint
  readonly text: string
  readonly attributes: ControlAttributes
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
 * No `maxlength`: it counts UTF-16 code units, and truncates pasted text silently. No `type="number"` or `date`: they
 * send nothing for input that they cannot parse.
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
      {...toLimitAttributes(props)}
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
      {...toLimitAttributes(props)}
      {...toPicker(hint, props)}
      {...toKnown(kind, hint, props)}
      // HTML drops a line break right after the tag.
      value={text.startsWith('\n') ? `\n${text}` : text}
    />
  )
}

/** A row more than the text has, within limits. */
function toRows(kind: ControlKind, hint: FieldHint, text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 80), 0)
  const [least, most] = kind === 'names' ? [2, 12] : hint.isProse === true ? [4, maxRows] : [2, 8]
  return Math.max(least, Math.min(most, lines + 1))
}

/** Keeps an obsolete value selectable. */
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

/** An unchecked box sends nothing, so a hidden input sends "no". */
function Flag({ text, attributes }: Shared) {
  return (
    <>
      <input type="hidden" name={attributes.name} value="no" />
      <input {...attributes} type="checkbox" value="yes" checked={text === 'yes'} />
    </>
  )
}

/** A script counts code points against the limit. */
function toLimitAttributes({ field: { kind } }: ControlProps) {
  return { 'data-limit': kind.maxLength === undefined ? undefined : String(kind.maxLength) }
}

function toPicker({ picker }: FieldHint, { field, toPickAddress }: ControlProps) {
  if (picker === undefined || toPickAddress === undefined) return {}
  return {
    'data-pick': toPickAddress(picker),
    // A new title creates an event.
    'data-pick-new': picker === 'category' ? 'event' : undefined,
    'data-max-items': field.kind.maxItems === undefined ? undefined : String(field.kind.maxItems),
    'data-commas': hasCommas(picker),
  }
}

/** Tags are typed with commas between them; names of people may have one. */
export const hasCommas = (picker: PickerKind | undefined) => (picker === 'tag' ? '' : undefined)

/** A script marks names that are new to the talk and to the archive. */
function toKnown(kind: ControlKind, { picker }: FieldHint, { value, toPickAddress }: ControlProps) {
  return picker === undefined || toPickAddress === undefined ? {} : { 'data-known': toControlText(kind, value) }
}
