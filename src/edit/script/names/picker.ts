import { toFolded } from '../../../record/text/fold.ts'
import { addCombobox, type Combobox, createOptionList, createSpan } from '../../../site/asset/script/combobox.ts'
import { createFinder } from '../../../site/asset/script/finder.ts'
import { editScriptTexts } from '../../form/script-texts.ts'
import { createElement } from '../form-state.ts'

/** A name that the archive has, and how many talks have it; null for one that would be new. */
export interface PickOption {
  readonly text: string
  readonly count: number | null
  /** The name that was typed, if it was merged into this one. */
  readonly alias?: string
}

const pauseMs = 100
let lists = 0

/** Suggests names of events and languages below their inputs. A text that is not suggested can be typed all the same. */
export function addPickers(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-pick]')) {
    // The list of the browser would cover ours.
    input.removeAttribute('list')
    const picker = addPicker(input, {
      address: input.dataset.pick ?? '',
      toNew: input.dataset.pickNew === 'event' ? editScriptTexts.pick.createEvent : null,
      choose(text) {
        input.value = text
        input.dispatchEvent(new Event('input', { bubbles: true }))
        picker.stop()
      },
    })
  }
}

interface PickerDeps {
  /** Answers `?q=` with names. */
  readonly address: string
  /** The label that offers an unknown text as a new name; null if new names are not offered. */
  readonly toNew: ((name: string) => string) | null
  choose(text: string): void
}

interface Picker extends Combobox {
  /** The suggestion that equals a text apart from case, accents and spaces; null if there is none. */
  findSame(text: string): string | null
}

/** Puts a list of names below an input. */
export function addPicker(input: HTMLInputElement, { address, toNew, choose }: PickerDeps): Picker {
  const { suggestions, found, none, failed } = editScriptTexts.pick
  const find = createFinder<PickOption>(address)
  const list = createOptionList<PickOption>({
    id: `pick-${++lists}`,
    className: 'pick-list',
    label: suggestions,
    createOption: (option) => createOption(option, toNew),
    onChoose: ({ text }) => choose(text),
  })
  const box = addCombobox<PickOption>(input, {
    ...{ list, pauseMs },
    isLongEnough: (text) => text !== '',
    choose: ({ text }) => choose(text),
    toStatus: (count) => (count === 0 ? none : found(count)),
    toFailure: (failure) => failed[failure],
    async find(text) {
      const known = await find(text)
      // Without a response, it is unknown whether the name is new.
      if (known === null || typeof known === 'string' || toNew === null) return known
      return known.some((option) => option.text === text) ? known : [...known, { text, count: null }]
    },
  })
  const holder = createElement('span', 'pick-holder')
  input.replaceWith(holder)
  holder.append(input, list.element, box.status)
  return { ...box, findSame: (text) => findSame(list.options(), text) }
}

/** Prefers the exact name; an alias gives the name that it was merged into. */
function findSame(options: readonly PickOption[], text: string): string | null {
  const known = options.filter(({ count }) => count !== null)
  const comparable = toComparable(text)
  const isSame = ({ text: name, alias = name }: PickOption) => toComparable(alias) === comparable
  return (known.find((option) => option.text === text.trim()) ?? known.find(isSame))?.text ?? null
}

const toComparable = (name: string) => toFolded(name).replace(/\s+/g, '')

function createOption({ text, count, alias }: PickOption, toNew: PickerDeps['toNew']): HTMLElement {
  const { talks, merged } = editScriptTexts.pick
  const option = createElement('li', count === null ? 'is-new' : '')
  const name = createSpan('text', count === null ? (toNew?.(text) ?? text) : text)
  name.dir = 'auto'
  option.append(name)
  if (alias !== undefined) option.append(' ', createSpan('count', merged(alias)))
  if (count !== null && count > 0) option.append(' ', createSpan('count', talks(count)))
  return option
}
