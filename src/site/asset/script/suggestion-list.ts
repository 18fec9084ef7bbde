import { suggestTexts } from '../../search/suggest-texts.ts'

/** As the API gives it. */
export interface Suggestion {
  readonly kind: keyof typeof suggestTexts.kinds
  readonly text: string
  readonly url: string
  readonly count: number
}

/** The list of options below a search box. Keeps which of them is active; -1 is the box itself. */
export interface SuggestionList {
  readonly element: HTMLElement
  show(suggestions: readonly Suggestion[]): void
  /** Moves by one; beyond either end is the box. */
  move(step: 1 | -1): void
  /** Makes the box active. */
  reset(): void
  count(): number
  active(): Suggestion | undefined
  /** The id of the active option. */
  activeId(): string
}

export function createSuggestionList(
  id: string,
  onChoose: (chosen: Suggestion, event: MouseEvent) => void,
): SuggestionList {
  const element = document.createElement('ul')
  element.id = id
  element.className = 'suggestions'
  element.hidden = true
  element.setAttribute('role', 'listbox')
  element.setAttribute('aria-label', suggestTexts.label)
  let shown: readonly Suggestion[] = []
  let active = -1

  // The box keeps the focus, otherwise the list would close before the click.
  element.addEventListener('pointerdown', (event) => event.preventDefault())
  element.addEventListener('mousedown', (event) => event.preventDefault())
  element.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('[role=option]') : null
    const chosen = shown[Array.from<Element | null>(element.children).indexOf(option)]
    if (chosen !== undefined) onChoose(chosen, event)
  })

  function activate(next: number): void {
    active = next
    for (const [i, option] of [...element.children].entries()) option.setAttribute('aria-selected', String(i === next))
    element.children[next]?.scrollIntoView({ block: 'nearest' })
  }

  return {
    element,
    show(suggestions) {
      shown = suggestions
      element.replaceChildren(...suggestions.map((each, i) => createOption(each, `${id}-${i}`)))
      element.scrollTop = 0
      activate(-1)
    },
    move(step) {
      // One place more than there are options: the box.
      const places = shown.length + 1
      activate(((active + 1 + step + places) % places) - 1)
    },
    reset: () => activate(-1),
    count: () => shown.length,
    active: () => shown[active],
    activeId: () => element.children[active]?.id ?? '',
  }
}

const numbers = new Intl.NumberFormat('en')

function createOption({ kind, text, count }: Suggestion, id: string): HTMLElement {
  const option = document.createElement('li')
  option.id = id
  option.setAttribute('role', 'option')
  const name = createSpan('text', text)
  name.dir = 'auto'
  const counted = kind === 'video' ? [] : [createSpan('count', suggestTexts.talks(numbers.format(count), count === 1))]
  option.append(createSpan(`kind ${kind}`, suggestTexts.kinds[kind]), ' ', name, ' ', ...counted)
  return option
}

/** Text is never HTML. */
function createSpan(className: string, text: string): HTMLElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}
