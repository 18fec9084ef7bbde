import { suggestTexts } from '../../search/suggest-texts.ts'
import { createOptionList, createSpan, type OptionList } from './option-list.ts'

/** As the API gives it. */
export interface Suggestion {
  readonly kind: keyof typeof suggestTexts.kinds
  readonly text: string
  readonly url: string
  readonly count: number
}

/** The list of suggestions below a search box. */
export function createSuggestionList(
  id: string,
  onChoose: (chosen: Suggestion, event: MouseEvent) => void,
): OptionList<Suggestion> {
  return createOptionList({ id, className: 'suggestions', label: suggestTexts.label, createOption, onChoose })
}

function createOption({ kind, text, count }: Suggestion): HTMLElement {
  const option = document.createElement('li')
  const name = createSpan('text', text)
  name.dir = 'auto'
  const counted = kind === 'video' ? [] : [createSpan('count', suggestTexts.talks(count))]
  option.append(createSpan(`kind ${kind}`, suggestTexts.kinds[kind]), ' ', name, ' ', ...counted)
  return option
}
