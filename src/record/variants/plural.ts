import { toFolded } from '../text/fold.ts'
import { toBareKey, wordPattern } from './spelling-keys.ts'

/** The same for names whose English words differ only in number, however they are spelled: `Unit-Tests`, `unit test`. */
export function toSingularKey(name: string): string {
  return toBareKey(toFolded(name).replace(wordPattern, toSingular))
}

/** Shorter ones are too often something else: `os`, `ios`, `aws`. */
const minSingular = 3

/** The singular of a folded word; the word itself if it is none, or may be something else (decision 54). */
export function toSingular(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (!pluralWord.test(word) || notPlural.has(word)) return word
  for (const [ending, singular] of endings) {
    const changed = word.replace(ending, singular)
    if (changed !== word && changed.length >= minSingular) return changed
  }
  return word
}

/** Not `class`, `status`, `analysis`; nor `djangos`, since the plural of few words with an o is like that. */
const pluralWord = /^[a-z]+(?<!s|u|i|[^aeiou]o)s$/

/** The first one that leaves enough letters. */
const endings: readonly (readonly [ending: RegExp, singular: string])[] = [
  [/(?<=[^aeiou])ies$/, 'y'],
  [/(?<=ss|sh|ch|x|o|[^aeo]us)es$/, ''],
  [/zzes$/, 'z'],
  [/s$/, ''],
]

const toWords = (text: string) => text.trim().split(/\s+/)

/** The plural is another word, or the singular does not exist. */
const notPlural = new Set(
  toWords(`
    alias always arms atlas bias canvas chaos christmas customs ftps glasses goods https imaps keras ldaps lens
    means news pandas rails series smtps species thanks windows
  `),
)

/** The plural only adds an s, whatever their ending. */
const onlyS = toWords(`
  algo apache api cache calorie cli cookie cpu demo emoji euro expo gpu gui headache intro kpi logo macro memo menu
  movie newbie niche photo piano promo repo rookie selfie shoe tpu typo uri wiki zero zombie
`)

const irregular = new Map<string, string>([
  ...onlyS.map((word) => [`${word}s`, word] as const),
  ...([
    ['analyses', 'analysis'],
    ['appendices', 'appendix'],
    ['children', 'child'],
    ['crises', 'crisis'],
    ['criteria', 'criterion'],
    ['diagnoses', 'diagnosis'],
    ['hypotheses', 'hypothesis'],
    ['indices', 'index'],
    ['matrices', 'matrix'],
    ['men', 'man'],
    ['mice', 'mouse'],
    ['people', 'person'],
    ['theses', 'thesis'],
    ['vertices', 'vertex'],
    ['women', 'woman'],
  ] as const),
])
