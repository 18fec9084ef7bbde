export const previewTexts = {
  title: 'Preview',
  open: 'Open the preview in a new tab',
  unsaved: 'This is what the form has now. Nothing is saved: close this tab to go on.',
  stored: {
    live: 'This talk is live: everybody sees it like this.',
    draft: 'This talk is a draft: only curators see it.',
  },
  untitled: 'No title yet',
  back: 'Back to the editor',
  wrong: (labels: string) => `Not as typed, since something is wrong there: ${labels}.`,
} as const
