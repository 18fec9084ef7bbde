import { toNumber } from '../../record/text/counted.ts'
import { toControlKind } from './control.ts'
import { type ControlProps, FieldControl, toControlId } from './field-control.tsx'
import { toHint } from './field-hints.ts'
import { formTexts } from './form-texts.ts'

export interface FormFieldProps extends Omit<ControlProps, 'isWrong' | 'describedBy'> {
  readonly problems?: readonly string[] | undefined
  /** Ids of what is said of the control besides its help and errors. */
  readonly alsoDescribedBy?: string
  /** Said after its help, besides the note that every form has. */
  readonly note?: string | undefined
}

/** A label, the control, what the field is for, and what is wrong with it. */
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
        {field.absent.is === 'required' && <span class="required"> ({formTexts.form.required})</span>}
      </label>
      <FieldControl {...props} isWrong={problems.length > 0} describedBy={describedBy} />
      {problems.length > 0 && <Problems id={errorId} problems={problems} />}
      <p class="help" id={helpId}>
        {[toHelp(props), hint.note, props.note].filter((text) => text !== undefined).join(' ')}
        {kind === 'names' && (
          <>
            {' '}
            {/* A script that shows the names one by one says how to add one. */}
            <span class="names-hint">{formTexts.form.onePerLine}</span>
          </>
        )}
        <span class="hidden-text"> {toLimits(props)}</span>
      </p>
    </div>
  )
}

function Problems({ id, problems }: { readonly id: string; readonly problems: readonly string[] }) {
  return (
    <p class="field-error" id={id}>
      <span class="hidden-text">{formTexts.form.errorAt} </span>
      {problems.join(' ')}
    </p>
  )
}

/** What the field is for, and how it is written. */
function toHelp({ name, field: { kind, help }, value }: FormFieldProps): string {
  const { clock, day } = formTexts.form
  switch (toControlKind(name, kind, value)) {
    case 'clock':
      return clock
    case 'day':
      return day
    case 'names':
      return help
    default:
      return toHint(name).help ?? help
  }
}

/** Said to screen readers; others see how much is left when there is little (decision 58). */
function toLimits({ field: { kind } }: FormFieldProps): string {
  const { atMost, atMostEntries } = formTexts.form
  if (kind.maxItems !== undefined) return atMostEntries(toNumber(kind.maxItems))
  return kind.maxLength === undefined ? '' : atMost(toNumber(kind.maxLength))
}
