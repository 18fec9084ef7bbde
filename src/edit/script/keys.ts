import { areKeysOn, isTyping, keysItem } from '../../site/asset/script/shortcuts.ts'
import { storeItem } from '../../site/asset/script/storage.ts'
import { digitKeys, type Shortcut, shortcutGroups } from '../shortcuts.ts'
import { pressSave } from './form.ts'
import { chooseInRow, findCurrentRow, moveRow, openRow, tickRow } from './list/rows.ts'

/** How long the second of two keys may take. */
const sequenceMs = 1500

const shortcuts = shortcutGroups.flatMap((group) => group.shortcuts)
const begins = (typed: string) => shortcuts.some(({ keys }) => keys.startsWith(`${typed} `))

/** Handles the keys of the table in edit/shortcuts.ts, which also documents the attributes of pages. */
export function addKeys(): void {
  const help = addKeysHelp()
  let first = ''
  let timer = 0
  const expect = (key: string) => {
    clearTimeout(timer)
    first = key
    timer = setTimeout(() => expect(''), sequenceMs)
  }
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = toKey(event)
    const isChord = key.startsWith('Ctrl+')
    // A talk opens with the focus in a field, where single keys are text.
    if (key === 'Escape' && event.target instanceof HTMLElement && isTyping(event.target)) return event.target.blur()
    if (key === '' || (!isChord && (isTyping(event.target) || !areKeysOn()))) return
    const typed = first === '' ? key : `${first} ${key}`
    expect(first === '' && begins(key) ? key : '')
    const isTyped = ({ keys }: Shortcut) => keys === typed || (keys === digitKeys && /^[1-9]$/.test(typed))
    // An open dialog blocks the shortcuts of the page.
    const found = shortcuts.filter(isTyped).filter(({ action }) => !help.isOpen() || action === 'help')
    // A key may mean something on one page and something else on another: the first that finds its target acts.
    const run = (shortcut: Shortcut) =>
      shortcut.action === 'choose in row' ? chooseInRow(Number(typed)) : act(shortcut, help.toggle, event.repeat)
    if (found.some(run)) event.preventDefault()
  })
}

/** As the table names it; `""` for keys that belong to the browser or to assistive technology. */
function toKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  if (altKey) return ''
  if (ctrlKey || metaKey) return `Ctrl+${shiftKey ? 'Shift+' : ''}${key.length === 1 ? key.toUpperCase() : key}`
  // Caps Lock is not Shift.
  const isLetter = /^\p{L}$/u.test(key)
  return isLetter && shiftKey ? '' : isLetter ? key.toLowerCase() : key
}

/** Whether the page has a target for the shortcut. Holding a key down repeats only moves. */
function act(shortcut: Shortcut, toggleHelp: () => boolean, isRepeat: boolean): boolean {
  switch (shortcut.action) {
    case 'next row':
      return moveRow(1)
    case 'previous row':
      return moveRow(-1)
    case 'tick row':
      return isRepeat || tickRow()
    case 'open row':
      return isRepeat || openRow()
    case 'help':
      return isRepeat || toggleHelp()
    case 'save':
      return pressSave(isRepeat)
    default:
      return press(shortcut, isRepeat)
  }
}

const isShown = (element: HTMLElement) => element.checkVisibility()

function press({ keys, action, selector = '' }: Shortcut, isRepeat: boolean): boolean {
  const own = (within: ParentNode) =>
    [...within.querySelectorAll<HTMLElement>('[data-key]')].find(
      (element) => element.dataset.key === keys && isShown(element),
    )
  const other = () => (selector === '' ? [] : [...document.querySelectorAll<HTMLElement>(selector)]).find(isShown)
  const row = findCurrentRow()
  const inRow = row === null ? undefined : own(row)
  const element = inRow ?? (action === 'press in row' ? undefined : (own(document) ?? other()))
  if (element === undefined) return false
  if (isRepeat) return true
  element.focus()
  if (!isTyping(element)) element.click()
  else if (element instanceof HTMLInputElement) element.select()
  return true
}

/** The overlay with all shortcuts. The browser keeps the focus inside, and closes it with Escape. */
function addKeysHelp() {
  addSwitches()
  const dialog = document.querySelector<HTMLDialogElement>('#keys-help')
  const link = document.querySelector<HTMLElement>('[data-key="?"]')
  const toggle = () => {
    if (dialog === null) return false
    if (dialog.open) dialog.close()
    else dialog.showModal()
    return true
  }
  link?.addEventListener('click', (event) => {
    // With a modifier key, the browser opens the page in another tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (toggle()) event.preventDefault()
  })
  dialog?.querySelector('[data-close]')?.addEventListener('click', () => dialog.close())
  // A click beside the content is one on the backdrop.
  dialog?.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  return { toggle, isOpen: () => document.querySelector('dialog[open]') !== null }
}

/** The visitor's choice, which the page of a talk has too. */
function addSwitches(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-keys-switch] input')]
  for (const box of boxes) {
    box.checked = areKeysOn()
    box.closest<HTMLElement>('[data-keys-switch]')?.removeAttribute('hidden')
    box.addEventListener('change', () => {
      storeItem(keysItem, box.checked ? 'on' : 'off')
      for (const other of boxes) other.checked = box.checked
    })
  }
}
