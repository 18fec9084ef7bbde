import { isEmpty, listForms, readState, toDifference } from './form-state.ts'

/** Asks before a page with changes is left. A form that is shown again after an error has changes from the start. */
export function addUnsavedGuard(): void {
  for (const form of listForms()) {
    const first = readState(form)
    let isSubmitted = false
    form.addEventListener('submit', ({ submitter }) => {
      // A preview in another tab saves nothing.
      isSubmitted = submitter?.getAttribute('formtarget') !== '_blank'
    })
    // After "back" or a failed request the form is still here.
    addEventListener('pageshow', () => {
      isSubmitted = false
    })
    addEventListener('beforeunload', (event) => {
      const isUnsaved = form.hasAttribute('data-unsaved') || !isEmpty(toDifference(first, readState(form)))
      if (isUnsaved && !isSubmitted) event.preventDefault()
    })
  }
}

/** Presses the first button of the form; whether the page has one. A key that is held down saves once. */
export function pressSave(isRepeat: boolean): boolean {
  const [form] = listForms()
  if (form === undefined) return false
  if (!isRepeat) form.requestSubmit(form.querySelector<HTMLElement>('button[type=submit]'))
  return true
}

/** Screen readers and the keyboard begin at what is wrong. */
export function focusErrors(): void {
  document.querySelector<HTMLElement>('.error-summary')?.focus()
}
