interface Endings {
  readonly script: RegExp
  readonly minStem: number
  /** Besides none at all. */
  readonly endings: readonly string[]
  /** Endings that many short words have as part of their stem, as `window` has. */
  readonly longStemEndings?: readonly string[]
}

const minLongStem = 5

const toList = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '))

/**
 * Endings of inflected words, by script. Two words are taken for forms of one word if they begin alike and differ in such
 * endings only. This needs no knowledge of the language of a text or a query.
 */
const endings: readonly Endings[] = [
  {
    script: /^[a-z]/,
    minStem: 4,
    endings: toList(
      's es ed ing er ers ly e d y ies ied ion ions ation ations able al n en em ern ung ungen a o i as os is us',
      'um ar ir acion aciones lar ler lari leri larin lerin larini lerini larinin lerinin ando endo ado ada ados',
      'adas ai ais ait ant ee ees r t te st',
    ),
    longStemEndings: toList('ao oes ow ami ach om ego ych owie'),
  },
  {
    script: /^\p{Script=Cyrillic}/u,
    minStem: 3,
    endings: toList(
      'а я о е ы и у ю ь ъ ой ей ои еи ом ем ам ям ами ями ах ях ов ев ии ыи ая яя ое ее ые ие ого его ому ему',
      'ым им ых их ую юю ия ию ием иях иям ть ет ит ют ят ал ил',
    ),
  },
  {
    script: /^\p{Script=Greek}/u,
    minStem: 3,
    endings: toList('α η ο ε ι υ ασ ησ οσ εσ ισ ου ων ουσ οι εισ εων εωσ ματα ματοσ'),
  },
  {
    script: /^\p{Script=Hangul}/u,
    minStem: 2,
    endings: toList('은 는 이 가 을 를 의 에 에서 로 으로 와 과 도 만 까지 부터 에게 하기 하는 한 들 이다'),
  },
  { script: /^\p{Script=Arabic}/u, minStem: 3, endings: toList('ة ات ون ين ه ها ي ية') },
  { script: /^\p{Script=Hebrew}/u, minStem: 3, endings: toList('ים ות ה ת י') },
]

/** Articles and prepositions that are written together with the word. */
const beginnings: readonly {
  readonly script: RegExp
  readonly minStem: number
  readonly beginnings: readonly string[]
}[] = [
  { script: /^\p{Script=Arabic}/u, minStem: 3, beginnings: ['ال', 'وال', 'بال', 'لل', 'كال', 'فال', 'و', 'ب', 'ل'] },
  { script: /^\p{Script=Hebrew}/u, minStem: 3, beginnings: ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ', 'וה', 'שה', 'בה'] },
]

/** Letters that are written as two without their marks. */
const digraphs: readonly (readonly [string, string])[] = [
  ['ae', 'a'],
  ['oe', 'o'],
  ['ue', 'u'],
  ['aa', 'a'],
]

/** What the other forms of a word look like. */
export interface WordForms {
  /** All forms begin with it. */
  readonly beginning: string
  isForm(word: string): boolean
}

/** Null if the word is too short to have a stem. */
export function toWordForms(word: string): WordForms | null {
  const table = endings.find(({ script }) => script.test(word))
  if (table === undefined) return null
  const minStems = new Map([
    ...['', ...table.endings].map((ending) => [ending, table.minStem] as const),
    ...(table.longStemEndings ?? []).map((ending) => [ending, minLongStem] as const),
  ])
  const isStem = (stem: string, ending: string) => stem.length >= (minStems.get(ending) ?? Number.POSITIVE_INFINITY)
  const stems = [...minStems.keys()].flatMap((ending) => {
    const stem = word.slice(0, word.length - ending.length)
    return word.endsWith(ending) && isStem(stem, ending) ? [stem] : []
  })
  const shortest = stems.reduce((short, stem) => (stem.length < short.length ? stem : short), word)
  if (stems.length === 0) return null
  return {
    beginning: shortest,
    isForm: (other) => stems.some((stem) => other.startsWith(stem) && isStem(stem, other.slice(stem.length))),
  }
}

/** The word with and without an article or preposition, and as others write the same word. */
export function toSpellings(word: string): string[] {
  const spellings = digraphs.flatMap(([two, one]) => (word.includes(two) ? [word.replaceAll(two, one)] : []))
  spellings.push(...toConstruct(word), ...toNasals(word))
  for (const { script, minStem, beginnings: all } of beginnings) {
    if (!script.test(word)) continue
    for (const beginning of all) {
      for (const form of [word, ...toConstruct(word)]) spellings.push(`${beginning}${form}`)
      const isStem = word.startsWith(beginning) && word.length - beginning.length >= minStem
      if (isStem) spellings.push(word.slice(beginning.length))
    }
  }
  return spellings
}

/** Before another noun, a Hebrew word ends with another letter. */
function toConstruct(word: string): string[] {
  if (!/^\p{Script=Hebrew}{3}/u.test(word)) return []
  return word.endsWith('ה') ? [`${word.slice(0, -1)}ת`] : word.endsWith('ת') ? [`${word.slice(0, -1)}ה`] : []
}

/** Devanagari writes a nasal before a consonant as a dot, or as the nasal of that consonant's class. */
const nasals: readonly (readonly [dot: RegExp, nasal: string, written: RegExp])[] = [
  [/ं(?=[क-घ])/g, 'ङ्', /ङ्(?=[क-घ])/g],
  [/ं(?=[च-झ])/g, 'ञ्', /ञ्(?=[च-झ])/g],
  [/ं(?=[ट-ढ])/g, 'ण्', /ण्(?=[ट-ढ])/g],
  [/ं(?=[त-ध])/g, 'न्', /न्(?=[त-ध])/g],
  [/ं(?=[प-भ])/g, 'म्', /म्(?=[प-भ])/g],
]

function toNasals(word: string): string[] {
  if (!/^\p{Script=Devanagari}/u.test(word)) return []
  const spelledOut = nasals.reduce((text, [dot, nasal]) => text.replace(dot, nasal), word)
  const dotted = nasals.reduce((text, [, , written]) => text.replace(written, 'ं'), word)
  return [spelledOut, dotted].filter((each) => each !== word)
}
