import { toFolded } from '../../src/record/text/fold.ts'
import type { Random } from '../generated/random.ts'

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
/** Parts of a text that nobody searches for. */
const notProse = /<[^<>]*>|&#?\w+;|\b(?:https?:\/\/|www\.)\S+|\S+@\S+/g
/** Soft hyphens and joiners: a reader does not see them, so nobody types them. */
const invisible = /\p{Cf}/gu
const minLetters = 3
const minSwappedLetters = 4

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
