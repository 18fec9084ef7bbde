import { editScriptTexts } from '../../../edit/form/script-texts.ts'

/** Work lists: select all on the page, ranges with Shift, and how many are ticked. */
export function addTicks(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-list-form]')
  if (form === null) return
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name="id"]')]
  const all = form.querySelector<HTMLInputElement>('input[data-select-all]')
  const hint = form.querySelector<HTMLElement>('[data-ticked]')
  const parking = form.querySelector<HTMLButtonElement>('[data-needs-ticks]')
  let last: HTMLInputElement | null = null

  function update(): void {
    const count = boxes.filter(({ checked }) => checked).length
    if (all !== null) {
      all.checked = count === boxes.length
      all.indeterminate = count > 0 && count < boxes.length
    }
    if (parking !== null) parking.disabled = count === 0
    if (hint !== null) hint.textContent = count === 0 ? (hint.dataset.ticked ?? '') : editScriptTexts.ticked(count)
    for (const box of boxes) box.closest('tr')?.classList.toggle('is-ticked', box.checked)
  }

  if (all !== null) all.hidden = false
  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    update()
  })
  for (const box of boxes) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last !== null) tickBetween(boxes, last, box)
      last = box
      update()
    })
  }
  // After going back, the browser restores ticks without an event.
  addEventListener('pageshow', update)
  update()
}

function tickBetween(boxes: readonly HTMLInputElement[], one: HTMLInputElement, other: HTMLInputElement): void {
  const [from = 0, to = 0] = [boxes.indexOf(one), boxes.indexOf(other)].sort((a, b) => a - b)
  for (const box of boxes.slice(from, to + 1)) box.checked = other.checked
}
