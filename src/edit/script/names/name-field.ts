import { findOnce } from '../../../site/asset/script/finder.ts'
import { editScriptTexts } from '../../form/script-texts.ts'
import { createButton, createElement } from '../form-state.ts'
import { moveEntry, parseNameLines, withEntries } from './name-entries.ts'
import { addPicker, type PickOption } from './picker.ts'

const texts = editScriptTexts.names

/**
 * Turns lists of names into entries that can be completed, moved and removed one by one. The text area with one name
 * per line remains the control of the form, and can be shown again.
 */
export function addNameLists(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-pick]')) addNameList(area)
}

function addNameList(area: HTMLTextAreaElement): void {
  const label = area.labels[0]
  const { editor, list, input, status } = createParts(label?.firstChild?.textContent?.trim() ?? '')
  input.id = `${area.id}-add`
  input.placeholder = area.dataset.commas === undefined ? texts.placeholder : texts.tagPlaceholder
  input.setAttribute('aria-describedby', area.getAttribute('aria-describedby') ?? '')
  const names = createNames(area, list, input, status)
  const hint = document.querySelector(`#${CSS.escape(area.id)}-help .names-hint`)
  const lines = hint?.textContent ?? ''
  const toggle = createButton('button quiet small', texts.asText, () => setAsText(area.hidden === true))
  function setAsText(isText: boolean): void {
    area.hidden = !isText
    editor.hidden = isText
    toggle.textContent = isText ? texts.asList : texts.asText
    if (hint !== null)
      hint.textContent = isText ? lines : area.dataset.commas === undefined ? texts.hint : texts.tagHint
    if (label instanceof HTMLLabelElement) label.htmlFor = isText ? area.id : input.id
    if (!isText) names.show()
  }
  area.after(editor, toggle)
  const picker = addPicker(input, {
    address: area.dataset.pick ?? '',
    toNew: editScriptTexts.pick.create,
    choose(text) {
      names.add(text)
      picker.stop()
    },
  })
  const addTyped = () => {
    if (input.value.trim() !== '') names.add(picker.findSame(input.value) ?? input.value)
    picker.stop()
  }
  const cancel = () => {
    names.cancel()
    picker.stop()
  }
  addNameKeys(input, list, { addTyped, cancel, parse: toParser(area) })
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
  })
  input.setAttribute('aria-label', texts.add(label))
  status.setAttribute('role', 'status')
  editor.append(list, input, status)
  return { editor, list, input, status }
}

/**
 * Keeps the visible list and the text area in step. Events of the area inform the form, the guard and the storage of
 * unsaved text.
 */
function createNames(area: HTMLTextAreaElement, list: HTMLElement, input: HTMLInputElement, status: HTMLElement) {
  /** The name being edited and its position; null if the next name is added at the end. */
  let edited: { readonly name: string; readonly index: number } | null = null
  const marks = createMarks(area, list, status)

  function write(names: readonly string[], message: string): void {
    area.value = names.join('\n')
    area.dispatchEvent(new Event('input', { bubbles: true }))
    status.textContent = message
    show()
  }
  function edit(before: readonly string[], place: number): void {
    const name = before[place] ?? ''
    // What is typed but not added yet must not be lost.
    if (input.value.trim() !== '') add(input.value)
    const names = parseNameLines(area.value)
    const index = names.indexOf(name)
    write(names.toSpliced(index, 1), '')
    edited = { name, index }
    input.value = name
    input.focus()
  }
  function move(names: readonly string[], index: number, to: number): void {
    write(moveEntry(names, index, to), texts.moved(names[index] ?? '', to + 1))
    focusEntry(list, to, to < index ? 'up' : 'down')
  }
  function remove(names: readonly string[], index: number): void {
    write(names.toSpliced(index, 1), texts.removed(names[index] ?? ''))
    if (names.length === 1) input.focus()
    else focusEntry(list, Math.min(index, names.length - 2), 'remove')
  }
  function show(): void {
    const names = parseNameLines(area.value)
    list.replaceChildren(...names.map((_, index) => createEntry(names, index, { edit, move, remove })))
    marks?.show(names)
  }
  function add(text: string): void {
    const { names, added, repeated } = withEntries(
      parseNameLines(area.value),
      parseNameLines(text),
      edited?.index ?? null,
    )
    input.value = ''
    edited = null
    if (added.length > 0) write(names, added.map(texts.added).join(' '))
    else status.textContent = repeated.map(texts.twice).join(' ')
  }
  return {
    ...{ show, add },
    /** Clears the input. A name that was being edited returns to the list. */
    cancel(): void {
      if (edited === null) input.value = ''
      else add(edited.name)
    },
  }
}

/** Marks names that the archive does not have. Only lists that say which names are stored have marks. */
function createMarks(area: HTMLTextAreaElement, list: HTMLElement, status: HTMLElement) {
  const { pick = '', known } = area.dataset
  if (known === undefined) return null
  const marks = createNameMarks(pick, parseNameLines(known), (name) => {
    status.textContent = texts.isNew(name)
    mark()
  })
  function mark(): void {
    for (const [index, name] of parseNameLines(area.value).entries()) markEntry(list, index, name, marks.isNew(name))
  }
  return {
    show(names: readonly string[]): void {
      mark()
      void marks.look(names)
    },
  }
}

/** What the buttons of an entry do to the list. */
interface EntryActions {
  edit(names: readonly string[], index: number): void
  move(names: readonly string[], index: number, to: number): void
  remove(names: readonly string[], index: number): void
}

/** A name of a list, with buttons to edit, move and remove it. */
function createEntry(names: readonly string[], index: number, { edit, move, remove }: EntryActions): HTMLElement {
  const name = names[index] ?? ''
  const label = named('name', name, texts.edit(name), () => edit(names, index))
  label.dir = 'auto'
  const up = named('up', '↑', texts.earlier(name), () => move(names, index, index - 1))
  const down = named('down', '↓', texts.later(name), () => move(names, index, index + 1))
  up.disabled = index === 0
  down.disabled = index === names.length - 1
  const entry = createElement('li', '')
  const badge = createElement('span', 'new-name', texts.new)
  badge.hidden = true
  entry.append(
    label,
    badge,
    up,
    down,
    named('remove', '×', texts.remove(name), () => remove(names, index)),
  )
  return entry
}

/** Shows whether a name is new. The list stays as it is, and so does the focus. */
function markEntry(list: HTMLElement, index: number, name: string, isNew: boolean): void {
  const entry = list.children[index]
  const badge = entry?.querySelector<HTMLElement>('.new-name')
  if (badge === null || badge === undefined) return
  badge.hidden = !isNew
  entry?.querySelector('.name')?.setAttribute('aria-label', isNew ? texts.editNew(name) : texts.edit(name))
}

function named(className: string, text: string, label: string, onClick: () => void): HTMLButtonElement {
  const button = createButton(className, text, onClick)
  button.setAttribute('aria-label', label)
  button.title = label
  return button
}

/** Focuses a button of an entry, or its name if that button is disabled. */
function focusEntry(list: HTMLElement, index: number, button: 'up' | 'down' | 'remove'): void {
  const entry = list.children[index]
  const target = entry?.querySelector<HTMLElement>(`.${button}:enabled`) ?? entry?.querySelector<HTMLElement>('.name')
  target?.focus()
}

/** What the keys of the input below a list of names do. */
interface NameInputActions {
  addTyped(): void
  cancel(): void
  /** Several names in one text. */
  parse(text: string): string[]
}

/** Names are on lines of their own; tags may also have commas between them. */
const toParser = ({ dataset }: HTMLElement) =>
  dataset.commas === undefined ? parseNameLines : (text: string) => parseNameLines(text.replaceAll(',', '\n'))

/**
 * Enter, or leaving the input, adds what is typed; so does a comma where names may have commas between them. Several
 * names are pasted at once. Escape clears the input.
 */
function addNameKeys(input: HTMLInputElement, list: HTMLElement, { addTyped, cancel, parse }: NameInputActions): void {
  const addAll = (names: readonly string[]) => {
    for (const name of names) {
      input.value = name
      addTyped()
    }
  }
  input.addEventListener('input', (event) => {
    // Not a key: keyboards of phones do not name it.
    const isEnded = event instanceof InputEvent && !event.isComposing && event.data === ','
    if (isEnded && parse(`${input.value}x`).length > 1) addAll(parse(input.value))
  })
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
    const [first = '', ...rest] = parse(pasted)
    if (rest.length === 0) return
    event.preventDefault()
    addAll([input.value + first, ...rest])
  })
}

let isPressed = false
addEventListener('pointerdown', () => (isPressed = true), true)
for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => (isPressed = false), true)

/** Waits until the pointer is released: a longer list would move the target of a click that has begun below it. */
function whenReleased(run: () => void): void {
  if (!isPressed) return run()
  let isDone = false
  const runOnce = () => {
    if (!isDone) run()
    isDone = true
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => setTimeout(runOnce), { once: true })
}

/** Which names of a list the archive does not have yet. */
interface NameMarks {
  isNew(name: string): boolean
  /** Looks up unknown names on the server one by one, and reports the new ones. */
  look(names: readonly string[]): Promise<void>
}

/** More names than anybody types; a pasted list may have more. */
const maxAsked = 50

/** `known` are names of the stored talk. Without a response, a name is not marked, and is looked up again later. */
function createNameMarks(address: string, known: readonly string[], onNew: (name: string) => void): NameMarks {
  const marks = new Map<string, boolean>(known.map((name) => [name, false]))
  const asked = new Set<string>()

  async function ask(name: string): Promise<void> {
    if (marks.has(name) || asked.has(name)) return
    asked.add(name)
    const isKnown = await findName(address, name)
    asked.delete(name)
    if (isKnown === null) return
    marks.set(name, !isKnown)
    if (!isKnown) onNew(name)
  }
  return {
    isNew: (name) => marks.get(name) === true,
    async look(names) {
      const unknown = names.filter((name) => !marks.has(name))
      for (const name of unknown.slice(0, maxAsked)) await ask(name)
    },
  }
}

/** Whether the archive has exactly this name, or had it before a merge; null without an answer. */
async function findName(address: string, name: string): Promise<boolean | null> {
  const found = await findOnce<PickOption>(address, name)
  return typeof found === 'string' ? null : found.some(({ text, alias }) => text === name || alias === name)
}
