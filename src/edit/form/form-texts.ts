import { editScriptTexts } from './script-texts.ts'

/** Texts of the form, of differences and of conflicts. */
export const formTexts = {
  editScript: editScriptTexts,
  form: {
    groups: {
      about: 'The talk',
      event: 'Event and day',
      people: 'People and tags',
      texts: 'Texts',
      video: 'Video',
      files: 'Files',
      rights: 'Licence and quality',
      internal: 'For curators',
      more: 'More',
    },
    facts: 'Set by the service',
    required: 'required',
    yes: 'Yes',
    no: 'No',
    onePerLine: 'One per line.',
    clock: 'As on a player, such as 39:07, or in seconds. Empty if unknown.',
    day: 'Year, month and day, such as 2024-05-31. Empty if unknown.',
    publicNote: 'Anyone can read this through the API.',
    embedHelp: 'Old players need it. For known hosts it follows the address of the video until it is edited.',
    stateHelp: 'Live talks are public; drafts are for curators.',
    atMost: (count: string) => `At most ${count} characters.`,
    atMostEntries: (count: string) => `At most ${count} entries.`,
    summary: (count: number) =>
      count === 1
        ? 'Nothing is saved yet: one field needs a look.'
        : `Nothing is saved yet: ${count} fields need a look.`,
    errorAt: 'Error:',
    reason: 'Reason',
    reasonHelp: 'Why? (optional)',
  },
  formErrors: {
    required: 'This field is required.',
    number: 'Must be a whole number, written with digits only.',
    clock: 'Must be a length such as 39:07 or 1:02:03, or a number of seconds.',
  },
  diff: {
    none: 'No field has changed.',
    unset: 'not set',
    empty: 'empty',
    added: 'added:',
    removed: 'removed:',
    moved: 'moved:',
    endOfChange: 'end of change',
    lineEnds: 'Only the line ends differ.',
    tooLong: 'too long to be shown here.',
    show: 'Show what changed',
    skipped: (count: string) => `… ${count} unchanged characters …`,
  },
  conflict: {
    base: 'As it was',
    theirs: 'Theirs',
    theirsBy: (name: string) => `Theirs, by ${name}`,
    yours: 'Yours',
    both: 'Both',
    edited: 'My own text',
    choose: 'Choose one of these.',
    editedToo: (choice: string) =>
      `You chose “${choice}”, but also changed the text below. Choose “My own text” to use it.`,
    others: 'Your other changes are saved too:',
  },
} as const
