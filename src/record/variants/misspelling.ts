import type { NameKind } from '../name.ts'
import { toSingular } from './plural.ts'
import { isCased } from './spelling-keys.ts'
import { stepSize } from './variant.ts'

/** One edit of a letter: the word in both texts, and the letters that were replaced, left out or swapped. */
interface Edit {
  readonly words: readonly [string, string]
  /** Offset in the words. */
  readonly at: number
  readonly letters: string
  readonly is: 'replaced' | 'swapped' | 'left out'
  readonly isFirstWord: boolean
  readonly isOneWord: boolean
}

const minLetters = 8
/** Letters that sound alike in names of people and in British and American spellings. */
const soundsAlike = ['ck', 'iy', 'sz', 'vw', 'ij']
const digit = /\p{N}/u

/**
 * Whether one text is probably the other with one letter wrong, missing or swapped with the next. Both are folded words
 * with single spaces between. Never the first letter of a word (`cython`, `python`), never a digit, and only in words
 * that are long enough: many short words differ by one letter.
 */
export function isMisspelling(a: string, b: string, kind: NameKind): boolean {
  const edit = findEdit(a, b)
  if (edit === null || edit.at === 0 || edit.words.some((word) => digit.test(word))) return false
  // Other scripts have syllables or words in place of letters.
  if (![...edit.letters].every(isCased)) return false
  return kind === 'speaker' && !edit.isOneWord ? isMisspelledPerson(edit, a, b) : isMisspelledWord(edit, kind)
}

function isMisspelledPerson(edit: Edit, a: string, b: string): boolean {
  if (Math.min(a.length, b.length) - (a.split(' ').length - 1) < minLetters || isOtherFirstName(edit)) return false
  const length = toLength(edit)
  if (isSlip(edit)) return length >= 3
  return edit.is === 'swapped' ? length >= 4 : length >= 5
}

/** `Simon` and `Simone`, `Maria` and `Mario`, `Andrea` and `Andreas` are different people. */
function isOtherFirstName({ is, words, at, letters, isFirstWord }: Edit): boolean {
  const isAtEnd = is !== 'swapped' && at === Math.max(words[0].length, words[1].length) - 1
  return isFirstWord && isAtEnd && [...letters].some((letter) => 'aeious'.includes(letter))
}

function isMisspelledWord(edit: Edit, kind: NameKind): boolean {
  const length = toLength(edit)
  if (kind === 'tag' && isPlural(edit)) return false
  if (edit.is === 'swapped') return length >= 5
  return length >= (isSlip(edit) ? 6 : 8)
}

/** Which is a reason of its own. */
const isPlural = ({ words: [a, b] }: Edit) => toSingular(a) === toSingular(b)

const toLength = ({ words: [a, b] }: Edit) => Math.min(a.length, b.length)

/** A likely mistake: a letter that sounds alike, a doubled letter, or a silent h. */
function isSlip({ is, letters, words: [a, b], at }: Edit): boolean {
  if (is === 'replaced') return soundsAlike.includes([...letters].sort().join(''))
  const longer = a.length > b.length ? a : b
  return is === 'left out' && (letters === 'h' || longer[at - 1] === letters)
}

/** Null if the texts differ by anything else, or in a space. */
function findEdit(a: string, b: string): Edit | null {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  let from = 0
  while (from < short.length && long[from] === short[from]) from++
  const found = toEdited(long, short, from)
  if (found === null) return null
  const start = long.lastIndexOf(' ', from - 1) + 1
  const words = [toWordAt(long, start), toWordAt(short, start)] as const
  const isOneWord = !long.includes(' ')
  return { ...found, words, at: from - start, isFirstWord: start === 0 && !isOneWord, isOneWord }
}

function toEdited(long: string, short: string, from: number): Pick<Edit, 'is' | 'letters'> | null {
  const letters = long[from] ?? ''
  if (long.length === short.length + 1) {
    return long.slice(from + 1) === short.slice(from) ? { is: 'left out', letters } : null
  }
  if (long.length !== short.length || letters === '') return null
  const both = letters + (short[from] ?? '')
  if (long.slice(from + 1) === short.slice(from + 1)) return { is: 'replaced', letters: both }
  const isSwapped = long[from + 1] === short[from] && long[from] === short[from + 1]
  return isSwapped && long.slice(from + 2) === short.slice(from + 2) ? { is: 'swapped', letters: both } : null
}

function toWordAt(text: string, start: number): string {
  const end = text.indexOf(' ', start)
  return end === -1 ? text.slice(start) : text.slice(start, end)
}

/** Longer texts are sentences. */
const maxLength = 64
/**
 * If more texts share a key, they are a series (`hall a`, `hall b`), not misspellings. Also bounds the number of pairs,
 * so that time stays proportional to the number of texts.
 */
export const maxSeries = 8

/**
 * Finds the pairs of texts that may be a letter apart by their keys: the text itself, and the text without one letter, for
 * each of its letters (decision 54). Goes by length, so that few keys are in memory at a time. Yields between steps.
 */
export function* findNearPairs(texts: readonly string[], onPair: (a: number, b: number) => void): Generator<void> {
  const byLength = Map.groupBy(texts.keys(), (number) => texts[number]?.length ?? 0)
  for (const [length, numbers] of byLength) {
    if (length > maxLength) continue
    const byKey = new Map<string, number[]>()
    const add = (key: string, number: number) => {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [number])
      else known.push(number)
    }
    for (const [i, number] of numbers.entries()) {
      for (const key of listDeletions(texts[number] ?? '')) add(key, number)
      if (i % stepSize === stepSize - 1) yield
    }
    for (const number of byLength.get(length - 1) ?? []) add(texts[number] ?? '', number)
    yield
    for (const same of byKey.values()) {
      if (same.length > maxSeries) continue
      for (const [i, a] of same.entries()) for (const b of same.slice(i + 1)) onPair(a, b)
    }
    yield
  }
}

/** The text without one letter, for each of its letters but the first of a word. */
function* listDeletions(text: string): Generator<string> {
  for (let i = 1; i < text.length; i++) {
    // A run of equal letters gives the same key for each.
    if (text[i] === text[i + 1] || text[i] === ' ' || text[i - 1] === ' ') continue
    yield text.slice(0, i) + text.slice(i + 1)
  }
}
