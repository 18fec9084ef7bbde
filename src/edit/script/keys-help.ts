import { areKeysOn, keysItem } from '../../site/asset/script/shortcuts.ts'
import { storeItem } from '../../site/asset/script/storage.ts'

/** The overlay with all shortcuts. The browser keeps the focus inside, and closes it with Escape. */
export function addKeysHelp() {
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
    // With a key, the visitor wants the page in another tab.
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
