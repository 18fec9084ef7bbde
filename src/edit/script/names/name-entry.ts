import { editScriptTexts } from '../../form/script-texts.ts'
import { createButton, createElement } from '../form-state.ts'

const texts = editScriptTexts.names

/** What the buttons of an entry do to the list. */
export interface EntryActions {
  edit(names: readonly string[], at: number): void
  move(names: readonly string[], at: number, to: number): void
  remove(names: readonly string[], at: number): void
}

/** A name of a list, with buttons to edit, move and remove it. */
export function createEntry(names: readonly string[], at: number, { edit, move, remove }: EntryActions): HTMLElement {
  const name = names[at] ?? ''
  const label = named('name', name, texts.edit(name), () => edit(names, at))
  label.dir = 'auto'
  const up = named('up', '↑', texts.earlier(name), () => move(names, at, at - 1))
  const down = named('down', '↓', texts.later(name), () => move(names, at, at + 1))
  up.disabled = at === 0
  down.disabled = at === names.length - 1
  const entry = createElement('li', '')
  const badge = createElement('span', 'new-name', texts.new)
  badge.hidden = true
  entry.append(
    label,
    badge,
    up,
    down,
    named('remove', '×', texts.remove(name), () => remove(names, at)),
  )
  return entry
}

/** Shows whether a name is new. The list stays as it is, and so does the focus. */
export function markEntry(list: HTMLElement, at: number, name: string, isNew: boolean): void {
  const entry = list.children[at]
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

/** Focuses a button of an entry, or its name if that button has nothing more to do. */
export function focusEntry(list: HTMLElement, at: number, button: 'up' | 'down' | 'remove'): void {
  const entry = list.children[at]
  const target = entry?.querySelector<HTMLElement>(`.${button}:enabled`) ?? entry?.querySelector<HTMLElement>('.name')
  target?.focus()
}
