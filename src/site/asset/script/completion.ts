import { toCounted } from '../../../record/text/counted.ts'
import { addCombobox, createOptionList, createSpan, type OptionList } from './combobox.ts'
import { createFinder } from './finder.ts'

const pauseMs = 120
const minLength = 2
/** One character of these scripts is often a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Suggestions while typing, below every search box: a combobox with a list. */
export function addCompletions(): void {
  for (const [i, form] of [...document.querySelectorAll<HTMLFormElement>('form[data-suggest]')].entries()) {
    const input = form.querySelector<HTMLInputElement>('input[name=q]')
    const url = form.getAttribute('data-suggest')
    if (input !== null && url !== null) addTo(form, input, url, `suggestions-${i}`)
  }
}

function addTo(form: HTMLFormElement, input: HTMLInputElement, url: string, id: string): void {
  const list = createCompletionList(id, go)
  const box = addCombobox(input, {
    ...{ list, pauseMs, isLongEnough },
    find: createFinder<Completion>(url),
    choose: (chosen) => go(chosen),
    toStatus: (count) => (count === 0 ? 'No suggestions.' : `${toCounted(count, 'suggestion')}. Use the arrow keys.`),
  })
  form.append(list.element, box.status)
  form.addEventListener('submit', box.stop)
}

/** Opens the page; with a modifier key in a new tab, like a link. */
function go({ url }: Completion, event?: MouseEvent): void {
  if (event?.ctrlKey || event?.metaKey) window.open(url, '_blank', 'noopener')
  else location.assign(url)
}

const isLongEnough = (text: string) => [...text].length >= (dense.test(text) ? 1 : minLength)

const kindNames = { speaker: 'Speaker', category: 'Event', tag: 'Tag', video: 'Talk' } as const

/** As in the API. */
interface Completion {
  readonly kind: keyof typeof kindNames
  readonly text: string
  readonly url: string
  readonly count: number
}

/** The list of suggestions below a search box. */
function createCompletionList(
  id: string,
  onChoose: (chosen: Completion, event: MouseEvent) => void,
): OptionList<Completion> {
  return createOptionList({ id, className: 'suggestions', label: 'Suggestions', createOption, onChoose })
}

function createOption({ kind, text, count }: Completion): HTMLElement {
  const option = document.createElement('li')
  const name = createSpan('text', text)
  name.dir = 'auto'
  const counted = kind === 'video' ? [] : [createSpan('count', toCounted(count, 'talk'))]
  option.append(createSpan(`kind ${kind}`, kindNames[kind]), ' ', name, ' ', ...counted)
  return option
}
