import { toFullLabel, toHint, type WritableIn } from '../form/field-hints.ts'
import { FieldControl } from '../form/form-fields.tsx'
import { toControlId, toControlKind } from '../form/form-values.ts'
import { BulkNames } from './bulk-names.tsx'
import { bulkTexts } from './bulk-texts.ts'
import { type BulkFieldProps, ClearBox, Problems } from './field-parts.tsx'
import { toOperationName, toOperations } from './parse-operations.ts'

export const languageListId = 'language-names'

/** What to do with one field of all talks. Empty controls leave it as it is. */
export function BulkField(props: BulkFieldProps) {
  const { name, field, problems } = props
  const kind = toControlKind(name, field.kind, '')
  if (kind === 'names') return <BulkNames {...props} />
  const id = toControlId(name)
  const { note } = toHint(name)
  const classes = ['field', 'bulk-field', `is-${kind}`, ...(toHint(name).isShort === true ? ['is-short'] : [])]
  return (
    <div class={[...classes, ...(problems.length > 0 ? ['is-wrong'] : [])].join(' ')}>
      <label for={id}>{toFullLabel(name)}</label>
      {toOperations(name, field).includes('clear') && <ClearBox {...props} />}
      {kind === 'choice' || kind === 'flag' ? <Choice {...props} id={id} /> : <Value {...props} />}
      <Problems id={`${id}-error`} problems={problems} />
      {kind === 'clock' && <p class="help">{bulkTexts.clock}</p>}
      {note !== undefined && (
        <p class="help" id={`${id}-help`}>
          {note}
        </p>
      )}
    </div>
  )
}

function Value({ name, field, entries, problems, urls }: BulkFieldProps) {
  const isWrong = problems.length > 0
  const id = toControlId(name)
  const described = [...(isWrong ? [`${id}-error`] : []), ...(toHint(name).note === undefined ? [] : [`${id}-help`])]
  return (
    <FieldControl
      name={name}
      // Nothing is required here.
      field={{ ...field, absent: { is: 'derived' } }}
      value=""
      typed={entries.get(toOperationName(name, 'set'))}
      isWrong={isWrong}
      {...(described.length > 0 ? { describedBy: described.join(' ') } : {})}
      toPickAddress={urls.pick}
      // For browsers without the script of the picker.
      listId={languageListId}
    />
  )
}

function Choice({ name, field, entries, problems, id }: BulkFieldProps & { readonly id: string }) {
  const control = toOperationName(name, 'set')
  const chosen = entries.get(control) ?? ''
  const isWrong = problems.length > 0
  return (
    <select
      id={id}
      name={control}
      autocomplete="off"
      aria-invalid={isWrong ? 'true' : undefined}
      aria-describedby={isWrong ? `${id}-error` : undefined}
    >
      {[['', bulkTexts.keep] as const, ...toChoices(name, field)].map(([value, label]) => (
        <option key={value} value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  )
}

function toChoices(name: string, { kind }: WritableIn): (readonly [value: string, label: string])[] {
  if (kind.type === 'boolean') return [['yes', 'Yes'] as const, ['no', 'No'] as const]
  const labels: { readonly [value: string]: string } = name === 'state' ? bulkTexts.state : {}
  return (kind.choices ?? []).map(({ value, display_name }) => [String(value), labels[value] ?? display_name] as const)
}
