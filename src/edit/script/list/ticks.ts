import { tabItems } from '../../../site/asset/script/storage.ts'
import { editScriptTexts } from '../../form/script-texts.ts'
import { createElement } from '../form-state.ts'

/** Work lists and lists of names: select all on the page, ranges with Shift, how many are ticked, and ticks that outlast a page. */
export function addTicks(): void {
  dropUsedTicks()
  const form = document.querySelector<HTMLFormElement>('form[data-list-form]')
  if (form === null) return
  const ticks = createTicks(form)
  addBoxes(form, ticks)
  form.querySelector('[data-clear-ticks]')?.addEventListener('click', ticks.clear)
  form.addEventListener('submit', (event) => {
    const { submitter } = event
    // A button of a row is for this row alone.
    if (submitter?.matches('tbody button')) return
    // Done without a preview, and returns to the list.
    if (submitter?.matches('[data-max-ticks]')) ticks.forget()
    else if (ticks.areNone()) refuse(event, form)
    else if (submitter?.matches('[data-acts-now]')) ticks.forget()
  })
  // After going back, the browser restores ticks without an event.
  addEventListener('pageshow', ticks.restore)
  ticks.restore()
}

interface Ticks {
  readonly boxes: readonly HTMLInputElement[]
  /** Reads the ticks of all pages from the storage. */
  restore(): void
  /** Stores the ticks. */
  keep(): void
  /** Removes the ticks from the storage, but not from the page, whose form is being sent. */
  forget(): void
  clear(): void
  areNone(): boolean
}

function createTicks(form: HTMLFormElement): Ticks {
  const list = form.querySelector<HTMLInputElement>('input[name="list"]')?.value ?? ''
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name="id"]')]
  const whole = form.querySelector<HTMLInputElement>('input[type="checkbox"][name="scope"]')
  const here = new Set(boxes.map(({ value }) => value))
  const hidden = form.appendChild(createElement('div', ''))
  hidden.hidden = true
  let others: readonly string[] = []
  const listTicked = () => boxes.filter(({ checked }) => checked).map(({ value }) => value)
  const forget = () => storeTicks(list, [])

  function update(): void {
    const count = listTicked().length + others.length
    show(form, { count, others: others.length, isWhole: whole?.checked === true })
    for (const box of boxes) box.closest('tr')?.classList.toggle('is-ticked', box.checked)
  }

  function restore(): void {
    const ticked = readTicks(list)
    for (const box of boxes) box.checked = ticked.has(box.value)
    // A talk that is not on the only page of a list has left the list.
    others = form.dataset.listForm === 'whole' ? [] : [...ticked].filter((id) => !here.has(id))
    // One field for all of them: a form may have 1,000 fields, and 10,000 talks.
    hidden.replaceChildren(...(others.length === 0 ? [] : [createHidden(others.join(','))]))
    update()
  }

  whole?.addEventListener('change', update)
  return {
    boxes,
    restore,
    keep() {
      storeTicks(list, [...others, ...listTicked()])
      // A curator who ticks single talks does not mean the whole list.
      if (whole !== null) whole.checked = false
      update()
    },
    forget,
    clear() {
      forget()
      restore()
    },
    areNone: () => whole?.checked !== true && others.length + listTicked().length === 0,
  }
}

function addBoxes(form: HTMLFormElement, { boxes, keep }: Ticks): void {
  const all = form.querySelector<HTMLInputElement>('input[data-select-all]')
  let last: HTMLInputElement | null = null
  if (all !== null) all.hidden = false
  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    keep()
  })
  for (const box of boxes) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last !== null) tickBetween(boxes, last, box)
      last = box
      keep()
    })
  }
}

interface Chosen {
  /** On all pages. */
  readonly count: number
  readonly others: number
  readonly isWhole: boolean
}

function show(form: HTMLFormElement, { count, others, isWhole }: Chosen): void {
  const { ticks: texts } = editScriptTexts
  const hint = form.querySelector<HTMLElement>('[data-ticked]')
  const parking = form.querySelector<HTMLButtonElement>('[data-max-ticks]')
  const clear = form.querySelector<HTMLElement>('[data-clear-ticks]')
  if (parking !== null) parking.disabled = isWhole || count === 0 || count > Number(parking.dataset.maxTicks)
  if (clear !== null) clear.hidden = count === 0
  showAll(form, count - others)
  if (hint === null) return
  const what = form.dataset.ticksOf ?? 'talk'
  const ticked = others === 0 ? texts.here(count, what) : texts.withOthers(count, others, what)
  hint.textContent = isWhole ? texts.whole : count === 0 ? (hint.dataset.ticked ?? '') : ticked
  hint.classList.remove('is-wrong')
}

/** The box in the head of the table is for this page. */
function showAll(form: HTMLFormElement, count: number): void {
  const all = form.querySelector<HTMLInputElement>('input[data-select-all]')
  if (all === null) return
  const size = form.querySelectorAll('tbody input[name="id"]').length
  all.checked = count === size
  all.indeterminate = count > 0 && count < size
}

/** Shows the same message as the server, without leaving the page. */
function refuse(event: Event, form: HTMLFormElement): void {
  event.preventDefault()
  const hint = form.querySelector<HTMLElement>('[data-ticked]')
  if (hint === null) return
  hint.textContent = hint.dataset.unticked ?? ''
  hint.classList.add('is-wrong')
}

function createHidden(ids: string): HTMLInputElement {
  const input = document.createElement('input')
  Object.assign(input, { type: 'hidden', name: 'id', value: ids })
  return input
}

function tickBetween(boxes: readonly HTMLInputElement[], first: HTMLInputElement, last: HTMLInputElement): void {
  const [from = 0, to = 0] = [boxes.indexOf(first), boxes.indexOf(last)].sort((a, b) => a - b)
  for (const box of boxes.slice(from, to + 1)) box.checked = last.checked
}

const toKey = (list: string) => `rostrum.ticks.${toFilters(list)}`
const doneKey = 'rostrum.ticks-done'

/** A list in another order has the same talks. */
function toFilters(list: string): string {
  const filters = new URLSearchParams(list)
  filters.delete('ordering')
  return filters.toString()
}

/** The ids of the talks that are ticked in a list, on all of its pages. */
function readTicks(list: string): ReadonlySet<string> {
  return new Set((tabItems.readItem(toKey(list)) ?? '').split(',').filter((id) => /^\d+$/.test(id)))
}

function storeTicks(list: string, ids: Iterable<string>): void {
  const text = [...ids].join()
  if (text === '') tabItems.removeItem(toKey(list))
  else tabItems.storeItem(toKey(list), text)
}

/**
 * The page of a batch, and that of merged names, names its list, whose ticks are no longer needed. Drops them once, so
 * that returning to the page drops no new ticks.
 */
function dropUsedTicks(): void {
  const list = document.querySelector<HTMLElement>('[data-changed-list]')?.dataset.changedList
  const change = `${location.pathname} ${new URLSearchParams(location.search).get('merged') ?? ''}`
  if (list === undefined || tabItems.readItem(doneKey) === change) return
  tabItems.removeItem(toKey(list))
  tabItems.storeItem(doneKey, change)
}
