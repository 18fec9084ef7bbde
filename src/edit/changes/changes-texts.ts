import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { BatchKind, BatchOther, UnchangedFields } from '../../store/change-log.ts'

const toTalks = (count: number) => toCounted(count, 'talk')

/** What each kind of batch is called. */
const kinds: { readonly [kind in BatchKind]: string } = {
  import: 'Import',
  'rename category': 'Event renamed',
  'rename speaker': 'Speaker renamed',
  'rename tag': 'Tag renamed',
  'merge category': 'Events merged',
  'merge speaker': 'Speakers merged',
  'merge tag': 'Tags merged',
  undo: 'Undo',
  bulk: 'Bulk change',
  restore: 'An author’s changes taken back',
}

/** Why a batch left a talk as it is. */
const refusals: { readonly [code: string]: string } = {
  publisher_required: 'Only publishers may change a live talk or publish one.',
  changed_since: 'It was changed after the preview.',
  bad_fields: 'The result would not be valid.',
  not_found: 'There is no such talk.',
  gone: 'It was erased.',
}

const whys: { readonly [why in UnchangedFields['why']]: string } = {
  changed_since: 'changed since by somebody else',
  already_restored: 'already as before',
  already_draft: 'already a draft',
  no_longer_known: 'what it was before is no longer known',
  erased: 'erased',
}

/** Why a batch left a name or an event as it is. */
const otherWhys: { readonly [why in NonNullable<BatchOther['left']>]: string } = {
  changed_since: 'changed since',
  in_use: 'talks still have it',
  name_taken: 'another one has the old name now',
  for_publishers: 'only publishers may change it',
}

const otherKinds: { readonly [kind in BatchOther['kind']]: string } = {
  related: 'Talk',
  speaker: 'Speaker',
  tag: 'Tag',
  category: 'Event',
}

/** What is no field of an event. */
const otherFields: { readonly [field: string]: string } = {
  related: 'Related links',
  name: 'Name',
  merged_into: 'Merge',
  listed: 'Shown to viewers',
}

/** Texts of the pages about batches and changes. */
export const changesTexts = {
  talks: toTalks,
  changes: {
    title: 'Changes',
    titleOf: (event: string) => `Changes at ${event}`,
    ofTalks: 'Changes of its talks',
    author: 'Author',
    event: 'Event',
    eventHelp: 'title or short name',
    day: 'Day',
    show: 'Show',
    mine: 'Mine',
    all: 'All changes',
    ofBatch: 'Only changes of',
    none: 'There are no changes like that.',
    noEvent: (text: string) => `There is no event “${text}”.`,
    badDay: 'A day is written as 2026-11-17.',
    older: 'Older changes',
    newest: 'Newest changes',
    feed: 'Feed of what viewers see of them',
    by: 'by',
    diff: 'Diff',
    diffOf: (title: string) => `Diff of ${title}`,
    erased: (id: number) => `Talk ${id} was erased.`,
    erasedSince: (id: number) => `Talk ${id}, erased since`,
    first: 'New',
    kinds: { created: 'Published', withdrawn: 'Withdrawn', updated: null },
    newEvent: 'New event',
    eventChanged: 'Event',
    dismissed: { speaker: 'Different speakers', tag: 'Different tags' },
    goneName: 'a name that no longer exists',
    eventFields: {
      title: 'Title',
      description: 'Description',
      url: 'Address',
      start_date: 'Start',
      whiteboard: 'Whiteboard',
    },
  },
  batches: {
    title: 'Batches',
    text: 'Changes of many talks at once: bulk changes, renames, merges, imports, and what was undone of them.',
    own: 'You see your own batches. Publishers see all of them.',
    none: 'There are no batches.',
    noneBy: (name: string) => `There are no batches by ${name}.`,
    author: 'Author',
    filter: 'Show',
    mine: 'Mine',
    all: 'All',
    when: 'When',
    what: 'What',
    count: 'Talks',
    state: 'State',
    undone: 'undone',
    /** After the number and before the author, where there is no head of a table. */
    talks: (count: number) => (count === 1 ? 'talk' : 'talks'),
    by: 'by',
  },
  batch: {
    title: (id: number) => `Batch ${id}`,
    kinds,
    undoOf: (id: number) => `Undo of batch ${id}`,
    by: 'by',
    gone: 'a name that no longer exists',
    reason: 'Reason',
    changed: 'Changed',
    unchanged: 'Left as they were',
    refusedCount: 'Refused',
    erased: 'Erased since',
    state: {
      running: (done: number, total: number) => `Running: ${toNumber(done)} of ${toTalks(total)}.`,
      stopped: (done: number, total: number) => `Stopped after ${toNumber(done)} of ${toTalks(total)}.`,
      done: 'Done',
    },
    stoppedHelp: 'It was stopped before it was done. Undo it, or ask for the same change again to finish it.',
    rolledBackHelp: 'It was stopped before it was done; nothing was changed. Ask for the same change again to make it.',
    stop: 'Stop',
    stopThis: (id: number) => `Stop batch ${id}`,
    stopHelp:
      'Nothing is changed then. Of more than 10,000 talks, those that are done may stay changed; undo them after.',
    refreshes: 'This page refreshes itself.',
    refresh: 'Refresh now',
    done: (count: number) => `Done: ${toTalks(count)} changed.`,
    undone: (count: number) => `Undone: ${toTalks(count)} changed back.`,
    undoneBy: 'Undone by',
    undo: 'Undo',
    undoThis: (id: number) => `Undo batch ${id}`,
    undoRest: 'Undo what was left',
    undoRestOf: (id: number) => `Undo what was left of batch ${id}`,
    undoHelp: 'Each field goes back if it still has the value that this batch gave it. Later changes stay.',
    notYours: 'Only its author or an admin can undo it.',
    notYoursToSee: 'Only publishers and its author see this batch.',
    nothingUndone: 'Nothing was undone: no field still has the value that this batch gave it.',
    refused: 'Refused',
    refusal: (code: string) => refusals[code] ?? code,
    others: 'Names, events and links that changed',
    otherKinds,
    otherField: (field: string) => otherFields[field] ?? null,
    otherWhy: ({ left, by }: BatchOther) =>
      left === null ? '' : `${otherWhys[left]}${by === null ? '' : ` by ${by}`}`,
    left: 'Left as they are',
    leftUndone: 'Not undone',
    why: (why: UnchangedFields['why']) => whys[why],
    more: (count: number) => `… and ${toNumber(count)} more.`,
    talk: (id: number) => `Talk ${id}`,
    members: 'What changed',
    created: 'New talk',
    next: 'More talks',
    first: 'From the beginning',
    all: 'All batches',
    changesOfBatch: 'As a list of changes',
  },
} as const
