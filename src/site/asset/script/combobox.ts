import type { FetchFailure, Found } from './finder.ts'

interface ComboboxDeps<T> {
  readonly list: OptionList<T>
  readonly pauseMs: number
  find(text: string): Promise<Found<T>>
  choose(chosen: T): void
  isLongEnough(text: string): boolean
  /** The status for screen readers. */
  toStatus(count: number): string
  /** The line shown when the server fails; without it, the list stays closed. */
  toFailure?(failure: FetchFailure): string
}

export interface Combobox {
  /** To be placed beside the input. */
  readonly status: HTMLElement
  /** Closes the list, and cancels the scheduled update. */
  stop(): void
}

/** Options while typing, by the pattern of a combobox: the input keeps the focus and names the active option. */
export function addCombobox<T>(input: HTMLInputElement, deps: ComboboxDeps<T>): Combobox {
  const { list } = deps
  const status = createStatus()
  const keys = createKeys(input, deps)
  let timer = 0
  /** How often the visitor has closed the list. */
  let closings = 0

  async function update(): Promise<void> {
    const [text, before] = [input.value.trim(), closings]
    const found = deps.isLongEnough(text) ? await deps.find(text) : []
    // Null: superseded by a later text.
    if (found === null || text !== input.value.trim() || document.activeElement !== input) return
    if (closings > before) return
    // While an option is active, the list must not change under the visitor.
    if (list.active() !== undefined) return
    if (typeof found === 'string' && deps.toFailure !== undefined) say(deps.toFailure(found))
    else show(text, typeof found === 'string' ? [] : found)
  }
  function show(text: string, found: readonly T[]): void {
    list.show(found)
    keys.setOpen(found.length > 0)
    status.textContent = text === '' ? '' : deps.toStatus(found.length)
  }
  function say(note: string): void {
    list.showNote(note)
    keys.setOpen(true)
    status.textContent = note
  }
  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(update, deps.pauseMs)
  }

  input.addEventListener('input', (event) => {
    keys.leaveList()
    // Otherwise an input method has not finished the word yet.
    if (!(event instanceof InputEvent && event.isComposing)) schedule()
  })
  input.addEventListener('compositionend', schedule)
  input.addEventListener('blur', () => keys.setOpen(false))
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (!keys.press(event.key)) return
    event.preventDefault()
    if (event.key === 'Escape') {
      // An update must not open it again.
      clearTimeout(timer)
      closings++
    }
    // Back in the input: the options may be those of an earlier text.
    if (isArrow(event.key) && list.active() === undefined) schedule()
  })
  return {
    status,
    stop() {
      clearTimeout(timer)
      list.show([])
      keys.setOpen(false)
    },
  }
}

function createKeys<T>(input: HTMLInputElement, { list, choose }: ComboboxDeps<T>) {
  for (const [name, value] of Object.entries(toAttributes(list.element.id))) input.setAttribute(name, value)
  const isOpen = () => !list.element.hidden

  function setOpen(shouldOpen: boolean): void {
    list.element.hidden = !shouldOpen
    input.setAttribute('aria-expanded', String(shouldOpen))
    if (!shouldOpen) leaveList()
  }
  function leaveList(): void {
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
    /** Makes the input active. */
    leaveList,
    /** Whether the key did something. */
    press(key: string): boolean {
      const chosen = isOpen() ? list.active() : undefined
      if (isArrow(key) && list.count() > 0) move(key === 'ArrowDown' ? 1 : -1)
      else if (key === 'Enter' && chosen !== undefined) choose(chosen)
      else if (key === 'Escape' && isOpen()) setOpen(false)
      else return false
      return true
    },
  }
}

const isArrow = (key: string) => key === 'ArrowDown' || key === 'ArrowUp'

function toAttributes(id: string) {
  return { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': id }
}

function createStatus(): HTMLElement {
  const status = document.createElement('span')
  status.className = 'hidden-text'
  status.setAttribute('role', 'status')
  return status
}

/** A list of options below an input. Keeps which of them is active; -1 is the input itself. */
export interface OptionList<T> {
  readonly element: HTMLElement
  show(options: readonly T[]): void
  /** Instead of options: a line that cannot be chosen. */
  showNote(text: string): void
  /** Moves by one; beyond either end is the input. */
  move(step: 1 | -1): void
  /** Makes the input active. */
  reset(): void
  count(): number
  /** The options shown last, even while the list is closed. */
  options(): readonly T[]
  active(): T | undefined
  /** The id of the active option. */
  activeId(): string
}

interface OptionListDeps<T> {
  readonly id: string
  readonly className: string
  readonly label: string
  createOption(option: T): HTMLElement
  onChoose(chosen: T, event: MouseEvent): void
}

export function createOptionList<T>(deps: OptionListDeps<T>): OptionList<T> {
  const { id } = deps
  const element = createListbox(deps)
  let shown: readonly T[] = []
  let active = -1

  // The input keeps the focus, otherwise the list would close before the click.
  element.addEventListener('pointerdown', (event) => event.preventDefault())
  element.addEventListener('mousedown', (event) => event.preventDefault())
  element.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('[role=option]') : null
    const chosen = shown[Array.from<Element | null>(element.children).indexOf(option)]
    if (chosen !== undefined) deps.onChoose(chosen, event)
  })

  function activate(next: number): void {
    active = next
    for (const [i, option] of [...element.children].entries()) option.setAttribute('aria-selected', String(i === next))
    element.children[next]?.scrollIntoView({ block: 'nearest' })
  }

  return {
    element,
    show(options) {
      shown = options
      element.replaceChildren(...options.map((option, i) => withRole(deps.createOption(option), `${id}-${i}`)))
      element.scrollTop = 0
      activate(-1)
    },
    showNote(text) {
      shown = []
      element.replaceChildren(createNote(text, `${id}-note`))
      activate(-1)
    },
    move(step) {
      // The options and the input.
      const positions = shown.length + 1
      activate(((active + 1 + step + positions) % positions) - 1)
    },
    reset: () => activate(-1),
    count: () => shown.length,
    options: () => shown,
    active: () => shown[active],
    activeId: () => element.children[active]?.id ?? '',
  }
}

function createListbox<T>({ id, className, label }: OptionListDeps<T>): HTMLElement {
  const element = document.createElement('ul')
  element.id = id
  element.className = className
  element.hidden = true
  element.setAttribute('role', 'listbox')
  element.setAttribute('aria-label', label)
  return element
}

function withRole(option: HTMLElement, id: string): HTMLElement {
  option.id = id
  option.setAttribute('role', 'option')
  return option
}

/** A disabled option: a listbox may contain nothing else. */
function createNote(text: string, id: string): HTMLElement {
  const note = document.createElement('li')
  note.className = 'note'
  note.textContent = text
  note.setAttribute('aria-disabled', 'true')
  return withRole(note, id)
}

/** Text is never HTML. */
export function createSpan(className: string, text: string): HTMLElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}
