import { editScriptTexts } from '../../../edit/form/script-texts.ts'
import { createButton, createElement } from './form-state.ts'
import { moveEntry, parseEntries, withEntries } from './name-entries.ts'
import { createEntry, focusEntry } from './name-entry.ts'
import { addPicker } from './picker.ts'

const texts = editScriptTexts.names

/**
 * Lists of names become entries that can be searched for, moved and removed one by one. The text area with one name per
 * line stays the control of the form, and can be shown again.
 */
export function addNameLists(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-pick]')) addTo(area)
}

function addTo(area: HTMLTextAreaElement): void {
  const label = area.labels[0]
  const { editor, list, input, status } = createParts(label?.firstChild?.textContent?.trim() ?? '')
  input.id = `${area.id}-add`
  input.setAttribute('aria-describedby', area.getAttribute('aria-describedby') ?? '')
  const names = createNames(area, list, input, status)
  const toggle = createButton('button quiet small', texts.asText, () => setAsText(area.hidden === true))
  function setAsText(isText: boolean): void {
    area.hidden = !isText
    editor.hidden = isText
    toggle.textContent = isText ? texts.asList : texts.asText
    if (label instanceof HTMLLabelElement) label.htmlFor = isText ? area.id : input.id
    if (!isText) names.show()
  }
  area.after(editor, toggle)
  const picker = addPicker(input, {
    address: area.dataset.pick ?? '',
    offersNew: true,
    choose(text) {
      names.add(text)
      picker.stop()
    },
  })
  const addTyped = () => {
    if (input.value.trim() !== '') names.add(input.value)
    picker.stop()
  }
  addKeys(input, list, addTyped)
  // What is typed but not added yet must not be lost.
  area.form?.addEventListener('submit', addTyped)
  for (const event of ['beforeunload', 'pagehide']) addEventListener(event, addTyped)
  area.addEventListener('restore', names.show)
  // Errors name the number of a line, and link to the text area.
  setAsText(area.getAttribute('aria-invalid') === 'true')
}

function createParts(label: string) {
  const [editor, list] = [createElement('div', 'name-editor'), createElement('ol', 'name-entries')]
  const [input, status] = [createElement('input', ''), createElement('span', 'hidden-text')]
  list.setAttribute('aria-label', texts.entries(label))
  Object.assign(input, {
    type: 'text',
    dir: 'auto',
    autocomplete: 'off',
    spellcheck: false,
    placeholder: texts.placeholder,
  })
  input.setAttribute('aria-label', texts.add(label))
  status.setAttribute('role', 'status')
  editor.append(list, input, status)
  return { editor, list, input, status }
}

/** The list that is shown, and the text area behind it, which tells the form, the guard and the draft. */
function createNames(area: HTMLTextAreaElement, list: HTMLElement, input: HTMLInputElement, status: HTMLElement) {
  /** Where the next name goes: behind the last one, or where the edited one was. */
  let position: number | null = null

  function write(names: readonly string[], said: string): void {
    area.value = names.join('\n')
    area.dispatchEvent(new Event('input', { bubbles: true }))
    status.textContent = said
    show()
  }
  function edit(names: readonly string[], at: number): void {
    write(names.toSpliced(at, 1), '')
    position = at
    input.value = names[at] ?? ''
    input.focus()
  }
  function move(names: readonly string[], at: number, to: number): void {
    write(moveEntry(names, at, to), texts.moved(names[at] ?? '', to + 1))
    focusEntry(list, to, to < at ? 'up' : 'down')
  }
  function remove(names: readonly string[], at: number): void {
    write(names.toSpliced(at, 1), texts.removed(names[at] ?? ''))
    if (names.length === 1) input.focus()
    else focusEntry(list, Math.min(at, names.length - 2), 'remove')
  }
  function show(): void {
    const names = parseEntries(area.value)
    list.replaceChildren(...names.map((_, at) => createEntry(names, at, { edit, move, remove })))
  }
  return {
    show,
    add(text: string): void {
      const { names, added, repeated } = withEntries(parseEntries(area.value), parseEntries(text), position)
      input.value = ''
      position = null
      if (added.length > 0) write(names, added.map(texts.added).join(' '))
      else status.textContent = repeated.map(texts.twice).join(' ')
    },
  }
}

/** Enter, or leaving the input, adds what is typed; several lines are pasted as several names. */
function addKeys(input: HTMLInputElement, list: HTMLElement, addTyped: () => void): void {
  input.addEventListener('keydown', (event) => {
    // The list of suggestions has used the key, or an input method does.
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') {
      // Otherwise it would save the form.
      event.preventDefault()
      addTyped()
    } else if (event.key === 'Backspace' && input.value === '') {
      focusEntry(list, list.children.length - 1, 'remove')
    }
  })
  input.addEventListener('blur', () => whenReleased(addTyped))
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
