/** Texts of the suggestions while typing: part of `texts`, in a file of their own since the script has them too. */
export const suggestTexts = {
  label: 'Suggestions',
  kinds: { speaker: 'Speaker', category: 'Event', tag: 'Tag', video: 'Talk' },
  talks: (count: string, isOne: boolean) => `${count} ${isOne ? 'talk' : 'talks'}`,
  found: (count: number) => `${count} ${count === 1 ? 'suggestion' : 'suggestions'}. Use the arrow keys.`,
  none: 'No suggestions.',
} as const
