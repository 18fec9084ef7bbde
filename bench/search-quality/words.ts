import { toFolded } from '../../src/record/text/fold.ts'
import type { Random } from '../generated/random.ts'

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
/** Parts of a text that nobody searches for. */
const notProse = /<[^<>]*>|&#?\w+;|\b(?:https?:\/\/|www\.)\S+|\S+@\S+/g
/** Soft hyphens and joiners: a reader does not see them, so nobody types them. */
const invisible = /\p{Cf}/gu
const minLetters = 3
const minSwappedLetters = 4
/** Nobody can tell what a shorter word was before another error. */
const minMisspeltLetters = 5

/** English words that say nothing about a talk, and what an apostrophe leaves of contractions. */
const stopWords = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can cannot could couldn did didn do does doesn doing don down during each else ever few for from further
  get gets got had hadn has hasn have haven having he her here hers herself him himself his how however i if in into is
  isn it its itself just let may me might more most much must my myself no nor not now of off on once one only or other
  ought our ours ourselves out over own per same shan she should shouldn since so some such than that the their theirs
  them themselves then there these they this those through to too under until up upon us very via was wasn we were
  weren what when where whether which while who whom whose why will with within without won would wouldn you your yours
  yourself yourselves`.split(/\s+/),
)
/** "Various speakers" have no surname. */
const severalPeople = /^(?:various|multiple|several|unknown)\b/i
/** Suffixes after a surname. */
const nameSuffixes = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'phd', 'md', 'dr'])

/** The words of a text that a person would search for: distinct, in order of appearance, as they are written. */
export function toSearchWords(text: string): string[] {
  const words = new Map<string, string>()
  for (const [word] of text.replace(notProse, ' ').replace(invisible, '').matchAll(wordPattern)) {
    const folded = toFolded(word)
    if ([...folded].length < minLetters || stopWords.has(folded) || words.has(folded)) continue
    words.set(folded, word)
  }
  return [...words.values()]
}

/** Every word of these texts, folded. */
export function toWordSet(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => toFolded(text.replace(invisible, '')).match(wordPattern) ?? []))
}

/** The last word of a name, without titles; null if the name has a single word, or is not a name. */
export function findSurname(name: string): string | null {
  if (severalPeople.test(name)) return null
  const words = [...name.replace(invisible, '').matchAll(wordPattern)].map(([word]) => word)
  const surname = words.slice(1).findLast((word) => [...word].length > 1 && !nameSuffixes.has(toFolded(word)))
  return surname ?? null
}

/** The word with two adjacent letters swapped; null if it is too short, or if no swap changes it. */
export function swapLetters(word: string, random: Random): string | null {
  const characters = [...word]
  if (characters.filter((character) => /\p{L}/u.test(character)).length < minSwappedLetters) return null
  const isSwap = (i: number) => {
    const [one = '', other = ''] = characters.slice(i, i + 2)
    return /^\p{L}\p{L}$/u.test(one + other) && toFolded(one) !== toFolded(other)
  }
  const places = [...characters.keys()].filter(isSwap)
  const place = places[random.below(places.length)]
  if (place === undefined) return null
  return [...characters.slice(0, place), characters[place + 1], characters[place], ...characters.slice(place + 2)].join(
    '',
  )
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** The word with one error: two letters swapped, or one left out, doubled or replaced. Null if it is too short. */
export function misspell(word: string, random: Random): string | null {
  const letters = [...word]
  const kind = random.below(4)
  const at = 1 + random.below(Math.max(1, letters.length - 1))
  const other = alphabet[random.below(alphabet.length)] ?? ''
  if (kind === 0) return swapLetters(word, random)
  if (letters.length < minMisspeltLetters || !/^\p{L}+$/u.test(word)) return null
  if (kind === 1) return letters.toSpliced(at, 1).join('')
  if (kind === 2) return letters.toSpliced(at, 0, letters[at] ?? '').join('')
  return letters[at] === other ? null : letters.with(at, other).join('')
}

/** The plural of an English singular, and the other way round; null for what has none. */
export function toOtherNumber(word: string): string | null {
  if (!/^[a-z]{4,}$/i.test(word) || /ss$|us$|is$|ing$|ed$/i.test(word)) return null
  if (/ies$/i.test(word)) return word.replace(/ies$/i, 'y')
  if (/s$/i.test(word)) return word.slice(0, -1)
  return /[^aeiou]y$/i.test(word) ? word.replace(/y$/i, 'ies') : `${word}s`
}

/** So many words in a row, as they stand there; null if the text is shorter. */
export function findWordsInRow(text: string, count: number, random: Random): string | null {
  const words = [...text.replace(notProse, ' ').replace(invisible, '').matchAll(wordPattern)].map(([word]) => word)
  if (words.length < count) return null
  const at = random.below(words.length - count + 1)
  return words.slice(at, at + count).join(' ')
}
