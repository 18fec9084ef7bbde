import { suggestTexts } from '../../search/suggest-texts.ts'
import { addCombobox } from './combobox.ts'
import { createFinder } from './finder.ts'
import { createSuggestionList, type Suggestion } from './suggestion-list.ts'

const pauseMs = 120
const minLength = 2
/** One character of these scripts is often a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Suggestions while typing, below every search box: a combobox with a list. */
export function addSuggestions(): void {
  for (const [i, form] of [...document.querySelectorAll<HTMLFormElement>('form[data-suggest]')].entries()) {
    const input = form.querySelector<HTMLInputElement>('input[name=q]')
    const address = form.getAttribute('data-suggest')
    if (input !== null && address !== null) addTo(form, input, address, `suggestions-${i}`)
  }
}

function addTo(form: HTMLFormElement, input: HTMLInputElement, address: string, id: string): void {
  const list = createSuggestionList(id, go)
  const box = addCombobox(input, {
    ...{ list, pauseMs, isLongEnough },
    find: createFinder<Suggestion>(address),
    choose: (chosen) => go(chosen),
    toStatus: (count) => (count === 0 ? suggestTexts.none : suggestTexts.found(count)),
  })
  form.append(list.element, box.status)
  form.addEventListener('submit', box.stop)
}

/** With a modifier, as links do: in a new tab. */
function go({ url }: Suggestion, event?: MouseEvent): void {
  if (event?.ctrlKey || event?.metaKey) window.open(url, '_blank', 'noopener')
  else location.assign(url)
}

const isLongEnough = (text: string) => [...text].length >= (dense.test(text) ? 1 : minLength)
