/** Forms in which a person edits something that should not be lost. */
export const listForms = () => [...document.querySelectorAll<HTMLFormElement>('form[data-kept-as]')]

/** What a person can type or choose in a form, by the names of the controls. */
export type FormState = Readonly<Record<string, string>>

/** Leaves out entries of the form itself, such as its token and ETag. */
const isTyped = (name: string) => /^(?:field|choice)\.|^reason$/.test(name)

/** A checked box overwrites the hidden "no" before it. Line ends are those of scripts. */
export function readState(form: HTMLFormElement): FormState {
  const state: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    if (isTyped(name) && typeof value === 'string') state[name] = value.replace(/\r\n?/g, '\n')
  }
  return state
}

/** The entries that differ from those before. */
export function findDifference(before: FormState, now: FormState): FormState {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name] !== value))
}

export const isEmpty = (state: FormState) => Object.keys(state).length === 0

/** A form without one has no version to compare with. */
export const findEtag = (form: HTMLFormElement) => form.querySelector<HTMLInputElement>('input[name=etag]')

/** Puts values back, as if a person had typed them. */
export function writeState(form: HTMLFormElement, state: FormState): void {
  for (const control of form.elements) {
    if (!isControl(control) || control.type === 'hidden') continue
    const value = state[control.name]
    if (value === undefined) continue
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      control.checked = control.value === value
    } else control.value = value
    control.dispatchEvent(new Event('input', { bubbles: true }))
    control.dispatchEvent(new Event('restore'))
  }
}

/** Text is never HTML. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

export function createButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = createElement('button', className, text)
  button.type = 'button'
  button.addEventListener('click', onClick)
  return button
}

function isControl(element: Element): element is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}
