import { readItem } from './storage.ts'

/** Where the visitor's choice is stored. */
export const keysItem = 'rostrum.keys'

/** Whether single-key shortcuts are on. Speech input and some keyboards trigger them by accident. */
export const areKeysOn = () => readItem(keysItem) !== 'off'

/** `/` moves to the search box. */
export function addShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (!areKeysOn()) return
    const box = document.querySelector<HTMLInputElement>('.search-box input')
    if (box === null) return
    event.preventDefault()
    box.focus()
    box.select()
  })
}

const buttonTypes = ['checkbox', 'radio', 'button', 'submit', 'reset']

/** Whether keys are input for a field. Checkboxes and buttons take none. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !buttonTypes.includes(target.type)
  return target.isContentEditable || /^(?:SELECT|TEXTAREA)$/.test(target.tagName)
}
