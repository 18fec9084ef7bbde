import type { FieldErrors } from '../../record/record.ts'
import { toControlId } from './field-control.tsx'
import { type FieldTable, toFullLabel } from './field-hints.ts'
import { formTexts } from './form-texts.ts'

/** Every form has a reason; it is no field. */
const reasonName = 'reason'

/** Takes the focus when the page opens, so that screen readers begin with it. Fields the form lacks have no link. */
export function ErrorSummary({ errors, table }: { readonly errors: FieldErrors; readonly table: FieldTable }) {
  if (errors.size === 0) return null
  return (
    <div class="error-summary" role="alert" tabindex="-1">
      <h2>{formTexts.form.summary(errors.size)}</h2>
      <ul>
        {[...errors].map(([name, problems]) => (
          <li key={name}>
            <FieldLink name={name} table={table} />: {problems.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  )
}

function FieldLink({ name, table }: { readonly name: string; readonly table: FieldTable }) {
  if (name === reasonName) return <a href={`#${reasonName}`}>{formTexts.form.reason}</a>
  return Object.hasOwn(table, name) ? <a href={`#${toControlId(name)}`}>{toFullLabel(name)}</a> : <span>{name}</span>
}
