import { toCounted } from '../../../record/text/counted.ts'
/** Texts of the editor and of its conflict page. */
export const videoTexts = {
  links: {
    label: 'This talk',
    page: 'Public page',
    preview: 'Preview',
    related: 'Related links',
    history: 'History',
    json: 'JSON',
  },
  state: { live: 'Live', draft: 'Draft' },
  version: (number: string) => `Version ${number}`,
  changedBy: 'changed',
  by: 'by',
  list: {
    label: 'Work list',
    count: (count: number) => `${toCounted(count, 'talk')} in this list`,
    previous: 'Previous',
    next: 'Next',
    end: 'You have been through the list.',
    /** After `end`; "0" has a sentence of its own. */
    still: (count: number) =>
      count === 0 ? 'No talk is left in it.' : `${toCounted(count, 'talk is', 'talks are')} still in it.`,
  },
  findings: 'What needs work',
  /** Instead of details that are for programs. */
  findingDetails: {
    missing_duration: 'The length is not known. Type it as on a player, such as 39:07.',
  },
  review: {
    title: 'What will change',
    text: 'Nothing is saved yet.',
  },
  buttons: {
    save: 'Save',
    saveDraft: 'Save as draft',
    saveLive: 'Save and keep live',
    next: 'Save and next',
    publish: 'Publish',
    publishNext: 'Publish and next',
    withdraw: 'Withdraw',
    review: 'What will change?',
  },
  oldSlug: (slug: string) =>
    `The address of the talk keeps the words of its first title: “${slug}”. If they must not become public, make a new talk instead.`,
  locked: {
    reader: 'Your role (reader) can look at talks but not change them.',
    live: 'This talk is live. Your role (editor) changes drafts only; a publisher can change it.',
  },
  saved: {
    done: 'Saved',
    states: { live: 'Published', draft: 'Withdrawn' },
    here: (done: string, version: string) => `${done} as version ${version}.`,
    undo: 'Undo',
    undoVersion: 'Undo this version',
    merged: 'Others changed the talk meanwhile. Their changes are kept, and yours are added:',
    mergedField: (field: string, by: string) => `${field} (by ${by})`,
    unchanged: 'There was nothing to save: the talk is as your form has it.',
    unchangedOther: 'There was nothing to save in',
    unchangedTalk: (id: string) => `talk ${id}`,
  },
  refused: {
    title: 'Nothing is saved yet.',
    kept: 'What you typed is still here.',
    live: 'This talk has been published since. Your role (editor) changes drafts only: ask a publisher, or copy your text.',
    publish: 'Your role (editor) cannot publish. Save it as a draft, and tell a publisher.',
    unknown: 'It is not known whether this was saved. Save again: nothing is saved twice.',
    again: 'Save again in a moment.',
    reason: 'Shorten the reason, or write it without control characters.',
  },
  unknownBase:
    'The version that this form was made from does not exist. Your text was compared with the talk as it is now. Look at every difference before you save: some may be changes that others made.',
  lost: {
    title: 'This talk does not exist any more',
    text: 'It was erased, so nothing can be saved. Below is what the form had. Copy what you need.',
    fields: 'What the form had',
  },
  conflict: {
    title: (talk: string) => `Conflict: ${talk}`,
    moves: {
      publish: 'With “Publish”, the talk becomes live. “Save as draft” leaves it a draft.',
      withdraw: 'With “Withdraw”, viewers no longer see the talk. “Save and keep live” leaves it as it is.',
    },
    back: 'Give up my changes',
  },
} as const
