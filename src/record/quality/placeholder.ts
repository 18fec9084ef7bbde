import { toFolded } from '../text/fold.ts'

/** Texts that stand for one that somebody meant to write; folded, without punctuation at their ends. */
const placeholders = new Set([
  'tbd',
  'tba',
  'tbc',
  'todo',
  'fixme',
  'xxx',
  'to be announced',
  'to be added',
  'to be confirmed',
  'to be determined',
  'to be done',
  'to do',
  'coming soon',
  'placeholder',
  'untitled',
])

/** More of them, in texts other than titles and names, which may be called so. */
const emptyTexts = new Set([
  '',
  'n/a',
  'na',
  'nil',
  'none',
  'null',
  'undefined',
  'unknown',
  'empty',
  'missing',
  'description',
  'summary',
  'abstract',
  'no description',
  'no description available',
  'no description provided',
  'no description yet',
  'description not available',
  'no summary',
  'no summary available',
  'no abstract',
  'no abstract available',
])

const emptyNames = new Set(['', 'n/a', 'none', 'null', 'unknown', 'unknown speaker', 'speaker', 'speaker name'])

/** Longer texts are none of these: folding them would only cost time. */
const maxLength = 60
const maxNameLength = 24
/** How all of these begin, so that few texts are folded: every write looks at every name. */
const firstLetters = /^\W{0,24}(?:tb|to|fi|xx|co|pl|un|n|sp|$)/i

/** Whether somebody still has to write this title. */
export const isPlaceholderTitle = (title: string) =>
  title.length <= maxNameLength && firstLetters.test(title) && placeholders.has(toBare(title))

/** Whether this stands for the name of a speaker or a tag. */
export function isPlaceholderName(name: string): boolean {
  if (name.length > maxNameLength || !firstLetters.test(name)) return false
  const bare = toBare(name)
  return placeholders.has(bare) || emptyNames.has(bare)
}

/** Whether a summary or description says nothing: filler, or the title again. Blank texts are missing instead. */
export function isPlaceholderText(text: string, title: string): boolean {
  if (text.trim() === '') return false
  if (/^\W{0,20}lorem ipsum\b/i.test(text)) return true
  if (text.length <= maxLength) {
    const bare = toBare(text)
    if (placeholders.has(bare) || emptyTexts.has(bare)) return true
  }
  // Markup around it may make it a little longer than the title.
  const isSimilar = text.length >= title.length / 2 && text.length <= title.length + maxLength
  return isSimilar && toBare(text) === toBare(title)
}

const ends = /^[^\p{L}\p{N}]{1,200}|[^\p{L}\p{N}]{1,200}$/gu

/** Folded, single spaces, without anything but letters and digits at its ends. */
function toBare(text: string): string {
  return toFolded(text).replace(/\s+/g, ' ').replace(ends, '')
}
