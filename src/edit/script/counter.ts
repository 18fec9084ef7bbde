import { editScriptTexts } from '../form/script-texts.ts'
import { createElement } from './form-state.ts'

/** The counter appears when this part of the limit is used. */
const shownFrom = 0.8
const numbers = new Intl.NumberFormat('en')

/** Says how many characters are left. The limits count code points, which `maxlength` does not. */
export function addCounters(): void {
  // The limit of a list is that of each entry.
  const selector = '[data-limit]:not([data-max-items]):not(.is-names *)'
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector)) {
    const limit = Number(control.dataset.limit)
    const counter = createElement('p', 'counter')
    counter.setAttribute('role', 'status')
    control.after(counter)
    const update = () => {
      const left = limit - countCharacters(control.value, limit)
      counter.hidden = left > limit * (1 - shownFrom)
      counter.classList.toggle('is-over', left < 0)
      const { left: some, tooMany } = editScriptTexts.counter
      counter.textContent = counter.hidden ? '' : left < 0 ? tooMany(numbers.format(-left)) : some(numbers.format(left))
    }
    control.addEventListener('input', update)
    update()
  }
}

/** A text of fewer code units has fewer characters, too; most texts are far below their limit. */
function countCharacters(text: string, limit: number): number {
  return text.length < limit * shownFrom ? text.length : [...text].length
}
