import type { Child } from '#jsx/jsx-runtime'
import type { Call, Caller, Form, TextAnswer } from '../http/route.ts'
import { toCounted } from '../record/text/counted.ts'
import { type FrameProps, Hidden, PostForm, renderEditPage, respondEditPage, StepButtons } from './edit-page.tsx'

/** More talks than this change only after the curator has typed their number. */
const maxUnconfirmed = 200

export const isBig = (talks: number) => talks > maxUnconfirmed

const countField = 'talk_count'

/** The one check of every form that may change many talks. If it fails, ask with `CountInput` and change nothing. */
export function isCountTyped(form: Form, talks: number): boolean {
  return !isBig(talks) || readTyped(form) === String(talks)
}

/** Also `21,713`, as pages show it. */
const readTyped = (form: Form | undefined) => (form?.get(countField) ?? '').replace(/[\s,.]/g, '')

interface CountInputProps {
  readonly talks: number
  /** The form that was sent, if any: a wrong number is pointed out. */
  readonly form?: Form | undefined
}

/** Asks for the number of talks; nothing for a change that needs no question. */
export function CountInput({ talks, form }: CountInputProps) {
  if (!isBig(talks)) return null
  const typed = readTyped(form)
  // The field is in the form once it has been shown.
  const isWrong = form?.has(countField) === true && typed !== String(talks)
  return (
    <div class={isWrong ? 'field count-input is-wrong' : 'field count-input'}>
      <label for={countField}>
        This changes {toCounted(talks, 'talk')}. Type <b>{talks}</b> to confirm.
      </label>
      <input
        type="text"
        inputmode="numeric"
        id={countField}
        name={countField}
        autocomplete="off"
        autofocus={isWrong}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? `${countField}-error` : undefined}
      />
      {isWrong && (
        <p class="field-error" id={`${countField}-error`}>
          {typed === '' ? 'Type the number of talks first.' : 'This is not the number of talks.'} Nothing was changed.
        </p>
      )}
    </div>
  )
}

interface Question {
  readonly title: string
  /** What the change will do. */
  readonly children: Child
  /** Where the form goes again. */
  readonly action: string
  readonly label: string
  readonly cancel: string
  readonly talks: number
  /** The form that was sent without the number. */
  readonly form: Form
}

/** The question as a page, for a form that has no preview. It sends the same form again, with the number. */
export function respondQuestion(
  call: Call,
  frame: FrameProps & { readonly caller: Caller },
  question: Question,
): TextAnswer {
  const { title, children, action, label, cancel, talks, form } = question
  const sent = [...form].filter(([name]) => !['csrf', 'do', countField].includes(name))
  const body = (
    <div class="edit-page">
      <h1>{title}</h1>
      {children}
      <PostForm class="apply-form" caller={frame.caller} action={action}>
        <Hidden fields={sent} />
        <CountInput talks={talks} form={form} />
        <StepButtons action={form.get('do') ?? ''} label={label} cancel={cancel} />
      </PostForm>
    </div>
  )
  return respondEditPage(call, renderEditPage(frame, title, body))
}
