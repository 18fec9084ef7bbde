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
  /** Those that were shown last, also while the list is closed. */
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
      // One place more than there are options: the input.
      const places = shown.length + 1
      activate(((active + 1 + step + places) % places) - 1)
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

/** A listbox has nothing but options. */
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
