import { toCounted } from '../../record/text/counted.ts'
/** Texts of the suggestions while typing: part of `texts`, in a file of their own since the script has them too. */
export const suggestTexts = {
  label: 'Suggestions',
  kinds: { speaker: 'Speaker', category: 'Event', tag: 'Tag', video: 'Talk' },
  talks: (count: number) => toCounted(count, 'talk'),
  found: (count: number) => `${toCounted(count, 'suggestion')}. Use the arrow keys.`,
  none: 'No suggestions.',
} as const
