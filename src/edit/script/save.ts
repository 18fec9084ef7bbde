import { isTyping } from '../../site/asset/script/shortcuts.ts'
import { wasDiscarded } from './draft/kept-drafts.ts'
import { isEmpty, listForms, readState, toDifference } from './form-state.ts'

/** Asks before a page with changes is left. A form that is shown again after an error has changes from the start. */
export function addUnsavedGuard(): void {
  for (const form of listForms()) {
    const first = readState(form)
    let isSubmitted = false
    form.addEventListener('submit', ({ submitter, defaultPrevented }) => {
      // A preview in another tab saves nothing.
      isSubmitted = !defaultPrevented && submitter?.getAttribute('formtarget') !== '_blank'
    })
    // After "back" or a failed request the form is still here.
    addEventListener('pageshow', () => {
      isSubmitted = false
    })
    addEventListener('beforeunload', (event) => {
      const isUnsaved = form.hasAttribute('data-unsaved') || !isEmpty(toDifference(first, readState(form)))
      if (isUnsaved && !isSubmitted && !wasDiscarded()) event.preventDefault()
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

/** In the reason, Enter presses the button that stands out. In a field of a live talk it leads to the reason. */
export function addEnter(): void {
  for (const form of listForms()) {
    form.addEventListener('keydown', (event) => {
      const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key !== 'Enter' || ctrlKey || metaKey || altKey || shiftKey || event.isComposing) return
      if (event.defaultPrevented || !(target instanceof HTMLInputElement) || !isTyping(target)) return
      const reason = form.querySelector<HTMLInputElement>('input[name=reason]')
      const main = form.querySelector<HTMLButtonElement>('.save-bar .button:not(.quiet)')
      if (target === reason && main !== null) {
        event.preventDefault()
        main.click()
      } else if (form.hasAttribute('data-live') && reason !== null) {
        event.preventDefault()
        reason.focus()
      }
    })
  }
}

/** The field that the page opens with: scripts may have moved it since, or made a list of names of it. */
export function focusFirst(): void {
  const field = document.querySelector<HTMLElement>('form[data-draft] [autofocus]')
  const hasOther = document.activeElement !== document.body && document.activeElement !== field
  if (field === null || hasOther) return
  const shown = field.checkVisibility() ? field : document.querySelector<HTMLElement>(`#${field.id}-add`)
  shown?.focus()
}

/** Screen readers and the keyboard begin at what is wrong. */
export function focusErrors(): void {
  document.querySelector<HTMLElement>('.error-summary')?.focus()
}
