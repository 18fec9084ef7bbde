import type { Child } from '#jsx/jsx-runtime'
import { PostForm } from '../edit-page.tsx'
import type { NameFrame } from './name-frame.ts'
import { namesTexts } from './names-texts.ts'

/** What was typed into the forms of a name, and what is wrong with it. */
export interface TypedName {
  readonly name?: string
  readonly into?: string
  readonly reason?: string
  readonly errors?: { readonly name?: string; readonly into?: string; readonly reason?: string }
  /** The form that it was typed into. */
  readonly form: 'rename' | 'merge'
}

interface FormProps extends NameFrame {
  readonly typed: TypedName | undefined
}

const { rename, merge } = namesTexts

export function RenameForm({ typed, ...frame }: FormProps) {
  const { name } = frame
  const own = typed?.form === 'rename' ? typed : undefined
  return (
    <NameForm {...frame} title={rename.title} action="rename" submit={rename.submit}>
      <TextField
        id="rename-name"
        field="name"
        label={rename.name}
        help={rename.help}
        value={own?.name ?? name.name}
        error={own?.errors?.name}
      />
      <Reason id="rename-reason" value={own?.reason} error={own?.errors?.reason} />
    </NameForm>
  )
}

export function MergeForm({ typed, ...frame }: FormProps) {
  const { site, name } = frame
  const own = typed?.form === 'merge' ? typed : undefined
  return (
    <NameForm {...frame} title={merge.title} action="merge" submit={merge.submit}>
      <TextField
        id="merge-into"
        field="into"
        label={merge.into}
        help={name.kind === 'category' ? merge.helpCategory : merge.help}
        value={own?.into ?? ''}
        error={own?.errors?.into}
        pick={site.urls.pick(name.kind)}
      />
      <Reason id="merge-reason" value={own?.reason} error={own?.errors?.reason} />
    </NameForm>
  )
}

interface NameFormProps extends NameFrame {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly children: Child
}

/** The first step of a change: what it would do is shown next. */
function NameForm({ site, caller, name, title, action, submit, children }: NameFormProps) {
  return (
    <PostForm class="name-form" caller={caller} action={site.urls.editName(name.kind, name.key)}>
      <h2>{title}</h2>
      <input type="hidden" name="tag" value={name.versionTag} />
      {children}
      <button class="button quiet" type="submit" name="do" value={action}>
        {submit}
      </button>
    </PostForm>
  )
}

interface TextFieldProps {
  readonly id: string
  readonly field: string
  readonly label: string
  readonly help: string
  readonly value: string
  readonly error: string | undefined
  readonly pick?: string
}

function TextField({ id, field, label, help, value, error, pick }: TextFieldProps) {
  return (
    <div class={error === undefined ? 'field' : 'field is-wrong'}>
      <label for={id}>{label}</label>
      <input
        type="text"
        {...{ id, value }}
        name={field}
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        data-pick={pick}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={error === undefined ? `${id}-help` : `${id}-error ${id}-help`}
      />
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  )
}

interface ReasonProps {
  readonly id: string
  readonly value: string | undefined
  readonly error: string | undefined
}

function Reason({ id, value = '', error }: ReasonProps) {
  return <TextField {...{ id, value, error }} field="reason" label="Reason" help="Why? (optional)" />
}
