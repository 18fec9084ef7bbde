import { toFullLabel, toHint } from '../form/field-hints.ts'
import { toControlId, toLf } from '../form/form-values.ts'
import { bulkTexts } from './bulk-texts.ts'
import { type BulkFieldProps, ClearBox, Problems } from './field-parts.tsx'
import { toOperationName } from './parse-operations.ts'

/** A list of names: those to add, those to remove, or what to replace it with. */
export function BulkNames(props: BulkFieldProps) {
  const { name, problems, entries } = props
  const id = toControlId(name)
  const label = toFullLabel(name)
  const isReplaced = (['set', 'clear'] as const).some((each) => entries.has(toOperationName(name, each)))
  return (
    <fieldset class={problems.length > 0 ? 'bulk-names is-wrong' : 'bulk-names'} id={id} tabindex={-1}>
      <legend>{label}</legend>
      <Problems id={`${id}-error`} problems={problems} />
      <NameArea {...props} operation="add" label={bulkTexts.list.add(label)} />
      <NameArea {...props} operation="remove" label={bulkTexts.list.remove(label)} />
      <details open={isReplaced}>
        <summary>{bulkTexts.list.replaceAll}</summary>
        <ClearBox {...props} />
        <NameArea {...props} operation="set" label={bulkTexts.list.replace(label)} />
      </details>
      <p class="help" id={`${id}-help`}>
        {bulkTexts.list.help}
      </p>
    </fieldset>
  )
}

interface AreaProps extends BulkFieldProps {
  readonly operation: 'set' | 'add' | 'remove'
  readonly label: string
}

function NameArea({ name, field, entries, problems, urls, operation, label }: AreaProps) {
  const control = toOperationName(name, operation)
  const text = toLf(entries.get(control) ?? '')
  const id = `${toControlId(name)}-to-${operation}`
  const own = toControlId(name)
  const { picker } = toHint(name)
  return (
    <div class="field is-names">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={control}
        rows="2"
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        aria-invalid={problems.length > 0 && text !== '' ? 'true' : undefined}
        aria-describedby={problems.length > 0 ? `${own}-error ${own}-help` : `${own}-help`}
        data-pick={picker === undefined ? undefined : urls.pick(picker)}
        data-max-items={field.kind.maxItems === undefined ? undefined : String(field.kind.maxItems)}
        value={text}
      />
    </div>
  )
}
