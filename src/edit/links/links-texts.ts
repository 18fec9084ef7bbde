export const linksTexts = {
  title: (talk: string) => `Related links: ${talk}`,
  heading: 'Related links',
  help: 'One link per line: its address, then a space and what it is, such as “https://example.org/slides.pdf Slides”. At most 100.',
  none: 'This talk has no related links.',
  locked: 'Your role cannot change this talk.',
  save: 'Save',
  back: 'Back to the talk',
  saved: 'Saved.',
  unchanged: 'Nothing was different, so nothing was saved.',
  stale:
    'Nothing is saved yet: somebody else has changed the links. These are the ones that are stored now. Saving replaces them by what is in the text below.',
  refused: 'Nothing is saved yet.',
  kept: 'What you typed is still here.',
  edits: 'Earlier changes',
  by: 'by',
  undo: 'Go back to these',
  imported: 'As imported',
} as const
