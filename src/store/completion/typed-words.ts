import { toNicknames } from '../../record/text/nicknames.ts'
import { createEditCount, toMaxEdits } from '../../record/text/spelling.ts'
import { toJoinedWords, toQueryWords } from '../../record/text/words.ts'
import type { Dictionary } from '../search/dictionary.ts'

/** A word of the typed text. */
export interface TypedWord {
  /** The words that it stands for, and those that it makes with its neighbours. */
  readonly texts: readonly string[]
  /** The last word may not have been typed to its end. */
  readonly isLast: boolean
}

/** A word of an index that begins with a typed word, or nearly does. */
export interface MatchedWord {
  readonly word: number
  /** How many errors were forgiven. */
  readonly edits: number
}

/** How strictly words are matched: as typed, or with other spellings. */
export type Strictness = 'typed' | 'forgiving'

/** More are dropped. A text of 200 characters without spaces has 199 pairs. */
const maxWords = 40

/**
 * The distinct words of a typed text, the longest first: they have the fewest matches, and if they have none, the others
 * need not be looked for. Words that are written together are taken apart to be forgiving.
 */
export function toTypedWords(text: string, strictness: Strictness): TypedWord[] {
  const all = toQueryWords(text).flatMap((word) =>
    strictness === 'forgiving' && word.isLiteral && word.parts.length > 0 ? word.parts : [word],
  )
  const texts = new Map(all.map((word, i) => [word.words.join(' '), [...word.words, ...toJoinedWords(all, i)]]))
  const last = all.at(-1)?.words.join(' ')
  const words = [...texts].map(([key, each]) => ({ texts: each, isLast: key === last }))
  const toLength = ({ texts: [text = ''] }: TypedWord) => text.length
  return [
    ...words.filter(({ isLast }) => !isLast).slice(0, maxWords - 1),
    ...words.filter(({ isLast }) => isLast),
  ].sort((a, b) => toLength(b) - toLength(a))
}

/** The words of an index that a typed word may mean, nearest first. */
export function listMatchedWords(dictionary: Dictionary, typed: TypedWord, strictness: Strictness): MatchedWord[] {
  const { texts, isLast } = typed
  const beginnings = texts.flatMap((text) => dictionary.listBeginning(text)).map((word) => ({ word, edits: 0 }))
  if (strictness === 'typed') return beginnings
  const [text = ''] = texts
  const max = toMaxEdits(text)
  const near = dictionary.listNear(text, max).map(({ number, edits }) => ({ word: number, edits }))
  const nicknames = toNicknames(text).map((name) => ({ word: dictionary.find(name), edits: 1 }))
  const begun = isLast && max > 0 ? listNearBeginnings(dictionary, text, max) : []
  const forgiven = [...nicknames.filter(({ word }) => word >= 0), ...near, ...begun]
  return [...beginnings, ...forgiven.sort((a, b) => a.edits - b.edits)]
}

/**
 * Words whose beginning is nearly the typed one: `asnyc` -> `asyncio`. Only those that begin with its first or second
 * letter: other words are many, and the first letter is rarely wrong.
 */
function listNearBeginnings(dictionary: Dictionary, text: string, max: number): MatchedWord[] {
  const countEdits = createEditCount(text, 'beginning')
  const found: MatchedWord[] = []
  for (const first of new Set(text.slice(0, 2).split(''))) {
    for (const word of dictionary.listBeginning(first)) {
      const edits = countEdits(dictionary.toWord(word), max)
      if (edits > 0 && edits <= max) found.push({ word, edits })
    }
  }
  return found
}
