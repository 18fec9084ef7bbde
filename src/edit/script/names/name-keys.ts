import { parseEntries } from './name-entries.ts'
import { focusEntry } from './name-entry.ts'

/** What the keys of the input below a list of names do. */
export interface NameInputActions {
  addTyped(): void
  cancel(): void
}

/** Enter, or leaving the input, adds what is typed; several lines are pasted as several names. Escape forgets it. */
export function addKeys(input: HTMLInputElement, list: HTMLElement, { addTyped, cancel }: NameInputActions): void {
  input.addEventListener('keydown', (event) => {
    // The list of suggestions has used the key, or an input method does.
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') {
      // Otherwise it would save the form.
      event.preventDefault()
      addTyped()
    } else if (event.key === 'Escape' && input.value !== '') {
      event.preventDefault()
      cancel()
    } else if (event.key === 'Backspace' && input.value === '') {
      focusEntry(list, list.children.length - 1, 'remove')
    }
  })
  input.addEventListener('blur', () =>
    whenReleased(() => {
      // The click has put a name into the input, to edit it.
      if (document.activeElement !== input) addTyped()
    }),
  )
  input.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text') ?? ''
    const [first = '', ...others] = parseEntries(pasted)
    if (others.length === 0) return
    event.preventDefault()
    for (const name of [input.value + first, ...others]) {
      input.value = name
      addTyped()
    }
  })
}

let isPressed = false
addEventListener('pointerdown', () => (isPressed = true), true)
for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => (isPressed = false), true)

/** A longer list moves what is below it, so a click that has begun there must end first. */
function whenReleased(run: () => void): void {
  if (!isPressed) return run()
  let isDone = false
  const runOnce = () => {
    if (!isDone) run()
    isDone = true
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => setTimeout(runOnce), { once: true })
}
