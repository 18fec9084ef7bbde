import { fields } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import { ErrorSummary } from './error-summary.tsx'
import {
  type FieldGroup,
  type FieldTable,
  type PickerKind,
  toFullLabel,
  toGroups,
  toHint,
  toValue,
} from './field-hints.ts'
import { FormField } from './form-field.tsx'
import { formTexts } from './form-texts.ts'
import type { Typed } from './parse-form.ts'

export interface FormFieldsProps {
  /** The version that the form is made from. */
  readonly record: JsonObject
  readonly typed?: Typed
  readonly errors?: FieldErrors
  readonly table?: FieldTable
  /** Fields that this person may not change: left out of the form, and so never changed by it. */
  readonly locked?: readonly string[]
  readonly toPickAddress?: (kind: PickerKind) => string
  /** The field that the page opens with, and the id of a notice that screen readers would skip by that. */
  readonly focus?: { readonly name: string; readonly noticeId: string } | null
  /** What is said of fields after their help, by name. */
  readonly notes?: { readonly [name: string]: string }
  /** Languages to choose from, such as those of other talks. */
  readonly languages?: readonly string[]
}

const languageListId = 'language-names'

/** All fields of a record, in groups; what is wrong comes first, with links to the fields. */
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

/** Fields that share a row stand in a fieldset of their own. */
function Group({ group, names, ...props }: FormFieldsProps & FieldGroup & { readonly table: FieldTable }) {
  const id = `group-${group}`
  const rows = [...new Set(names.map((name) => toHint(name).row))]
  return (
    <section class="field-group" aria-labelledby={id}>
      <h2 id={id}>{formTexts.form.groups[group]}</h2>
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
    </section>
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
      {...(focus?.name === name ? { isFocused: true, alsoDescribedBy: focus.noticeId } : {})}
    />
  )
}

/** Fields that nobody writes. */
export function Facts({ record, table = fields }: Pick<FormFieldsProps, 'record' | 'table'>) {
  const names = Object.keys(table).filter((name) => table[name]?.access === 'read')
  return (
    <section class="record-facts" aria-label={formTexts.form.facts}>
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

/** Times with a space where they have a `T`. */
function toFact(record: JsonObject, name: string, table: FieldTable): string {
  const text = String(toValue(record, name) ?? '')
  const field = table[name]
  return field?.access === 'read' && field.type === 'datetime' ? text.replace('T', ' ').slice(0, 19) : text
}
