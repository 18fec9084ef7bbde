import { toCounted, toNumber } from '../../../record/text/counted.ts'
import { namesTexts } from '../names-texts.ts'

const { talks } = namesTexts

/** Texts of the pages for likely variants. */
export const variantTexts = {
  title: { speaker: 'Likely variants of speakers', tag: 'Likely variants of tags' },
  text: 'Names that are probably the same. Choose the one that stays, and untick what does not belong to it.',
  readOnly: 'Publishers can merge them, or say that they are not the same.',
  count: (count: number) => toCounted(count, 'group'),
  none: 'No likely variants are left.',
  dismissed: 'Called different',
  dismissedTitle: 'Called different',
  dismissedText: 'These groups are hidden from the likely variants.',
  noneDismissed: 'No group was called different.',
  back: 'Likely variants',
  by: (name: string, moment: string) => `by ${name}, ${moment}`,
  reasons: {
    alias: 'was merged before',
    case: 'upper and lower case',
    space: 'spaces',
    accent: 'accents',
    punctuation: 'punctuation',
    order: 'order of words',
    initials: 'initials',
    letter: 'one letter',
  },
  group: (number: number) => `Group ${toNumber(number)}`,
  differ: (reason: string) => `Differ in: ${reason}`,
  wasMerged: 'A name that was merged before has come back.',
  keep: 'Stays',
  mergeColumn: 'Merge',
  name: 'Name',
  talks: 'Talks',
  examples: 'Examples',
  keepThis: (name: string) => `${name} stays`,
  mergeThis: (name: string) => `Merge ${name}`,
  merge: 'Merge',
  dismiss: 'Not the same',
  more: (count: number) => `and ${toNumber(count)} more names, which are shown when these are merged`,
  late: {
    title: 'Still searching',
    text: 'Many names have to be compared. This page tries again by itself in two seconds.',
    again: 'Try again now',
  },
  done: {
    merged: (name: string, changed: number) => `Merged into “${name}”: ${talks(changed)} changed.`,
    mergedSome: (changed: number) => `Merged: ${talks(changed)} changed.`,
    running: 'The merge is still running.',
    dismissed: 'Hidden from the likely variants.',
    shown: 'The group is among the likely variants again.',
    undone: 'Undone: everything is as before.',
    undoneSome: 'Undone, except for fields that somebody has changed since.',
    undo: 'Undo',
    details: 'Details',
  },
  problems: {
    nothing: 'Tick at least one name besides the one that stays.',
    changed: 'Somebody has renamed or merged one of these names meanwhile. This is how they are now.',
    some: (merged: number, why: string) =>
      `${toCounted(merged, 'name was', 'names were')} merged, which you can undo under batches; the next was not. ${why}`,
  },
} as const
