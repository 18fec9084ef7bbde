import type { Child, FormAttributes } from '#jsx/jsx-runtime'
import type { Caller } from '../../http/route.ts'
import type { FieldErrors } from '../../record/record.ts'
import { listUnseen, markUnseen } from '../../record/text/printable.ts'
import { type HiddenValues, PostForm } from '../edit-page.tsx'
import { type FieldTable, toFullLabel } from './field-hints.ts'
import { toControlId } from './form-values.ts'

/** A button of a form. What it does is sent as `do`. */
export interface FormButton {
  readonly action: string
  readonly label: string
  /** Less prominent: not the usual action, or one that changes what viewers see. */
  readonly isQuiet?: boolean
  /** Its shortcut, from shortcuts.ts. */
  readonly key?: string
}

/** The id of the form. */
export const recordFormId = 'record-form'

interface RecordFormProps {
  readonly action: string
  readonly caller: Caller
  /** Names the version that the form is made from; null for a new record. */
  readonly etag: string | null
  readonly hidden?: HiddenValues
  /** The browser keeps unsaved text under this name until a page has it in `data-saved`. */
  readonly unsavedKey: string
  /** Whether the form shows unsaved text. */
  readonly isUnsaved?: boolean
  /** Whether viewers would see an accidental save: then Enter in a field moves to the reason, and Enter there saves. */
  readonly isLive?: boolean
  /** Ctrl+S and Enter press the first button; in the reason, Enter presses the prominent one. */
  readonly buttons: readonly FormButton[]
  readonly reason?: string
  readonly children: Child
}

/**
 * The frame of a form for curators. The server validates the input and shows errors at the fields. The browser does
 * not: its messages would hide errors further down.
 */
export function RecordForm(props: RecordFormProps) {
  const { action, caller, etag, unsavedKey, isUnsaved = false, reason = '', children } = props
  const attributes: FormAttributes = {
    id: recordFormId,
    novalidate: true,
    // Otherwise a reload would keep what is checked, and show it as if it were stored.
    autocomplete: 'off',
    'data-kept-as': unsavedKey,
    'data-unsaved': isUnsaved ? '' : undefined,
    'data-live': props.isLive === true ? '' : undefined,
  }
  return (
    <PostForm
      class="edit-form"
      action={action}
      caller={caller}
      attributes={attributes}
      hidden={{ etag, ...props.hidden }}
    >
      {children}
      <SaveBar buttons={props.buttons} reason={reason} />
    </PostForm>
  )
}

/** Stays at the lower edge of the window. */
export function SaveBar({ buttons, reason }: { readonly buttons: readonly FormButton[]; readonly reason: string }) {
  return (
    <div class="save-bar">
      <div class="field is-reason">
        <ReasonInput value={reason} />
      </div>
      <div class="buttons">
        {buttons.map(({ action, label, isQuiet = false, key }) => (
          <button
            key={action}
            type="submit"
            name="do"
            value={action}
            class={isQuiet ? 'button quiet' : 'button'}
            data-key={key}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

/** Why a change is made. It is stored with the version. */
export function ReasonInput({ value }: { readonly value: string }) {
  return (
    <>
      <label for="reason">Reason</label>
      <input
        type="text"
        id="reason"
        name="reason"
        value={value}
        dir="auto"
        autocomplete="off"
        placeholder="Why? (optional)"
        data-limit="500"
      />
    </>
  )
}

/** Takes the focus when the page opens, so that screen readers begin with it. Fields the form lacks have no link. */
export function ErrorSummary({ errors, table }: { readonly errors: FieldErrors; readonly table: FieldTable }) {
  if (errors.size === 0) return null
  return (
    <div class="error-summary" role="alert" tabindex="-1">
      <h2>
        {errors.size === 1
          ? 'Nothing is saved yet: one field has an error.'
          : `Nothing is saved yet: ${errors.size} fields have errors.`}
      </h2>
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

/** Every form has a reason, which is not a field. */
const reasonName = 'reason'

function FieldLink({ name, table }: { readonly name: string; readonly table: FieldTable }) {
  if (name === reasonName) return <a href={`#${reasonName}`}>Reason</a>
  return Object.hasOwn(table, name) ? <a href={`#${toControlId(name)}`}>{toFullLabel(name)}</a> : <span>{name}</span>
}

/** They are allowed, but hardly ever meant, and two names that differ in them look the same. */
export function Unseen({ text }: { readonly text: string }) {
  const found = listUnseen(text)
  if (found.length === 0) return null
  return (
    <p class="unseen">
      Contains {found.length === 1 ? 'a character' : 'characters'} that nobody can see ({found.join(', ')}):{' '}
      <span dir="ltr">{markUnseen(text)}</span>
    </p>
  )
}
