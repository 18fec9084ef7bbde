import { readItem } from './storage.ts'

/** Where the visitor's choice is stored. */
export const keysItem = 'rostrum.keys'

/** Whether single keys act. Some visitors' keyboards, or voices, press them by accident. */
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

/** Whether keys belong to a field. Nobody types into a checkbox. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !buttonTypes.includes(target.type)
  return target.isContentEditable || /^(?:SELECT|TEXTAREA)$/.test(target.tagName)
}
