/** Texts about names that a change would add to the archive, or has added. */
export const pickTexts = {
  newNames: { category: 'New event', speaker: 'New speaker', tag: 'New tag' },
} as const
