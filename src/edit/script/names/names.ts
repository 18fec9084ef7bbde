import { editScriptTexts } from '../../form/script-texts.ts'
import { createButton, createElement } from '../form-state.ts'
import { moveEntry, parseEntries, withEntries } from './name-entries.ts'
import { createEntry, focusEntry, markEntry } from './name-entry.ts'
import { addKeys } from './name-keys.ts'
import { createNameMarks } from './name-marks.ts'
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
  const hint = document.querySelector(`#${CSS.escape(area.id)}-help .names-hint`)
  const lines = hint?.textContent ?? ''
  const toggle = createButton('button quiet small', texts.asText, () => setAsText(area.hidden === true))
  function setAsText(isText: boolean): void {
    area.hidden = !isText
    editor.hidden = isText
    toggle.textContent = isText ? texts.asList : texts.asText
    if (hint !== null) hint.textContent = isText ? lines : texts.hint
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
  addKeys(input, list, { addTyped, cancel })
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

/** The list that is shown, and the text area behind it, which tells the form, the guard and what keeps unsaved text. */
function createNames(area: HTMLTextAreaElement, list: HTMLElement, input: HTMLInputElement, status: HTMLElement) {
  /** The name that is edited, and where it was; null if the next name goes behind the last one. */
  let edited: { readonly name: string; readonly at: number } | null = null
  const marks = createMarks(area, list, status)

  function write(names: readonly string[], said: string): void {
    area.value = names.join('\n')
    area.dispatchEvent(new Event('input', { bubbles: true }))
    status.textContent = said
    show()
  }
  function edit(before: readonly string[], place: number): void {
    const name = before[place] ?? ''
    // What is typed but not added yet must not be lost.
    if (input.value.trim() !== '') add(input.value)
    const names = parseEntries(area.value)
    const at = names.indexOf(name)
    write(names.toSpliced(at, 1), '')
    edited = { name, at }
    input.value = name
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
    marks?.show(names)
  }
  function add(text: string): void {
    const { names, added, repeated } = withEntries(parseEntries(area.value), parseEntries(text), edited?.at ?? null)
    input.value = ''
    edited = null
    if (added.length > 0) write(names, added.map(texts.added).join(' '))
    else status.textContent = repeated.map(texts.twice).join(' ')
  }
  return {
    ...{ show, add },
    /** Forgets what is typed. A name that was edited is in the list again. */
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
  const marks = createNameMarks(pick, parseEntries(known), (name) => {
    status.textContent = texts.isNew(name)
    mark()
  })
  function mark(): void {
    for (const [at, name] of parseEntries(area.value).entries()) markEntry(list, at, name, marks.isNew(name))
  }
  return {
    show(names: readonly string[]): void {
      mark()
      void marks.look(names)
    },
  }
}
