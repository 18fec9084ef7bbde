import { suggestTexts } from '../../search/suggest-texts.ts'
import { createSuggestionList, type Suggestion, type SuggestionList } from './suggestion-list.ts'

const pauseMs = 120
const minLength = 2
/** One character of these scripts is often a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Suggestions while typing, below every search box: a combobox with a list. */
export function addSuggestions(): void {
  for (const [i, form] of [...document.querySelectorAll<HTMLFormElement>('form[data-suggest]')].entries()) {
    const input = form.querySelector<HTMLInputElement>('input[name=q]')
    const address = form.getAttribute('data-suggest')
    if (input !== null && address !== null) addTo(form, input, createFinder(address), `suggestions-${i}`)
  }
}

type Find = (text: string) => Promise<readonly Suggestion[] | null>

function addTo(form: HTMLFormElement, input: HTMLInputElement, find: Find, id: string): void {
  const list = createSuggestionList(id, go)
  const status = createStatus()
  form.append(list.element, status)
  const box = createCombobox(input, list, id)
  let timer = 0

  async function update(): Promise<void> {
    const text = input.value.trim()
    const found = isLongEnough(text) ? await find(text) : []
    // Null: a later text is being looked for.
    if (found === null || text !== input.value.trim() || document.activeElement !== input) return
    list.show(found)
    box.setOpen(found.length > 0)
    status.textContent = text === '' ? '' : found.length === 0 ? suggestTexts.none : suggestTexts.found(found.length)
  }
  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(update, pauseMs)
  }

  input.addEventListener('input', (event) => {
    // Otherwise an input method has not finished the word yet.
    if (!(event instanceof InputEvent && event.isComposing)) schedule()
  })
  input.addEventListener('compositionend', schedule)
  input.addEventListener('blur', () => box.setOpen(false))
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (box.press(event.key)) event.preventDefault()
  })
  form.addEventListener('submit', () => clearTimeout(timer))
}

/** The pattern of a combobox: the input keeps the focus and names the active option. */
function createCombobox(input: HTMLInputElement, list: SuggestionList, id: string) {
  for (const [name, value] of Object.entries(toAttributes(id))) input.setAttribute(name, value)
  const isOpen = () => !list.element.hidden

  function setOpen(shouldOpen: boolean): void {
    list.element.hidden = !shouldOpen
    input.setAttribute('aria-expanded', String(shouldOpen))
    if (shouldOpen) return
    list.reset()
    input.removeAttribute('aria-activedescendant')
  }
  function move(step: 1 | -1): void {
    setOpen(true)
    list.move(step)
    const active = list.activeId()
    if (active === '') input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', active)
  }
  return {
    setOpen,
    /** Whether the key did something. */
    press(key: string): boolean {
      const chosen = isOpen() ? list.active() : undefined
      if ((key === 'ArrowDown' || key === 'ArrowUp') && list.count() > 0) move(key === 'ArrowDown' ? 1 : -1)
      else if (key === 'Enter' && chosen !== undefined) go(chosen)
      else if (key === 'Escape' && isOpen()) setOpen(false)
      else return false
      return true
    },
  }
}

/** With a modifier, as links do: in a new tab. */
function go({ url }: Suggestion, event?: MouseEvent): void {
  if (event?.ctrlKey || event?.metaKey) window.open(url, '_blank', 'noopener')
  else location.assign(url)
}

const isLongEnough = (text: string) => [...text].length >= (dense.test(text) ? 1 : minLength)

function toAttributes(id: string) {
  return { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': id }
}

function createStatus(): HTMLElement {
  const status = document.createElement('span')
  status.className = 'hidden-text'
  status.setAttribute('role', 'status')
  return status
}

/** Asks the server, one text at a time: a new one aborts the last. Without an answer there are no suggestions. */
function createFinder(address: string): Find {
  const known = new Map<string, readonly Suggestion[]>()
  let asked = new AbortController()
  return async (text) => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const before = known.get(text)
    if (before !== undefined) return before
    try {
      const response = await fetch(`${address}?q=${encodeURIComponent(text)}`, { signal })
      if (!response.ok) return []
      // Our own server.
      const { results } = (await response.json()) as { results: readonly Suggestion[] }
      known.set(text, results)
      return results
    } catch {
      return signal.aborted ? null : []
    }
  }
}
