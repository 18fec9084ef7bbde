import { isAscii, toFolded } from './fold.ts'
import { isEndOfRun, isOfRun, locateTokens, maxTokenLength, toTokenText, type Word } from './search-text.ts'

/** Letters, digits, marks, and the invisible joiners that may stand inside a word. */
const partPattern = /[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+/gu

/** The words of a text in order: its search tokens, and after words written together their joined forms. */
export function locateWords(text: string): Word[] {
  const words: Word[] = []
  for (let at = findChunk(text, 0); at !== null; at = findChunk(text, at.to)) {
    const chunk = text.slice(at.from, at.to)
    if (isPlainWord(at)) words.push({ text: chunk.toLowerCase(), from: at.from, to: at.to })
    else for (const word of toChunkWords(chunk, at.from)) words.push(word)
  }
  return words
}

/** As `locateWords`, without the offsets. */
export function toWords(text: string): string[] {
  const words: string[] = []
  for (let at = findChunk(text, 0); at !== null; at = findChunk(text, at.to)) {
    const chunk = text.slice(at.from, at.to)
    if (isPlainWord(at)) words.push(chunk.toLowerCase())
    else for (const word of toKnownWords(chunk)) words.push(word)
  }
  return words
}

const isPlainWord = ({ from, to, isPlain }: Chunk) => isPlain && to - from <= maxTokenLength

const [maxKnown, maxKnownLength] = [20_000, 32]
const knownWords = new Map<string, readonly string[]>()

/** Folding takes long, and words repeat. */
function toKnownWords(chunk: string): readonly string[] {
  const known = knownWords.get(chunk)
  if (known !== undefined) return known
  const words = toChunkWords(chunk, 0).map(({ text }) => text)
  if (knownWords.size >= maxKnown) knownWords.clear()
  if (chunk.length <= maxKnownLength) knownWords.set(chunk, words)
  return words
}

/**
 * Words that are written together: `node.js`, `3.12`, `full-text`, `don't`, and what gives a word another meaning:
 * `C++`, `C#`, `.NET`.
 */
interface Chunk {
  readonly from: number
  readonly to: number
  /** One word of ASCII letters and digits. */
  readonly isPlain: boolean
}

const [dot, plus, hash] = [46, 43, 35]
const joiners = new Set([...".-'’‐‑"].map((character) => character.charCodeAt(0)))

/** Finds the next chunk. Scans by hand: regular expressions on Unicode classes take ten times as long. */
function findChunk(text: string, start: number): Chunk | null {
  let from = start
  while (from < text.length && !isWordCode(text, from)) from++
  if (from === text.length) return null
  let to = from
  let isPlain = true
  for (;;) {
    while (to < text.length && isWordCode(text, to)) if (text.charCodeAt(to++) > 127) isPlain = false
    if (!(joiners.has(text.charCodeAt(to)) && to + 1 < text.length && isWordCode(text, to + 1))) break
    isPlain = false
    to++
  }
  if (text.charCodeAt(to) === hash) return { from, to: to + 1, isPlain: false }
  if (text.charCodeAt(to) === plus && text.charCodeAt(to + 1) === plus) return { from, to: to + 2, isPlain: false }
  if (from > start && text.charCodeAt(from - 1) === dot) return { from: from - 1, to, isPlain: false }
  return { from, to, isPlain }
}

/** For each UTF-16 code unit: 0 while unknown, 1 if it is no part of a word, 2 if it is. */
const kinds = new Uint8Array(65_536)

/** Whether the UTF-16 code unit at this offset is a part of a word. */
export function isWordCode(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset)
  // The halves of a surrogate pair belong together.
  if (code >= 0xd800 && code <= 0xdfff) return isWordPoint(text, offset, code)
  if (kinds[code] === 0) kinds[code] = isWordText(String.fromCharCode(code)) ? 2 : 1
  return kinds[code] === 2
}

function isWordPoint(text: string, offset: number, code: number): boolean {
  const first = code >= 0xdc00 ? offset - 1 : offset
  return first >= 0 && isWordText(String.fromCodePoint(text.codePointAt(first) ?? 0))
}

const isWordText = (character: string) => /^[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]$/u.test(character)

function toChunkWords(chunk: string, offset: number): Word[] {
  const parts = [...chunk.matchAll(partPattern)]
  const isApostrophised = /['’]/.test(chunk)
  const words = parts.flatMap(({ 0: part, index }) => {
    if (isApostrophised && part.length === 1) return []
    const start = offset + index
    if (isAscii(part))
      return [{ text: part.slice(0, maxTokenLength).toLowerCase(), from: start, to: start + part.length }]
    return locateTokens(part).map(({ text, from, to }) => ({ text, from: start + from, to: start + to }))
  })
  const texts = parts.map(([part]) => part)
  const joined = [...toJoinedForms(chunk, texts), ...toPartialForms(chunk, texts)]
  return [...words, ...joined.map((text) => ({ text, from: offset, to: offset + chunk.length }))]
}

/** `node.js` -> `node.js`, `nodejs`; `full-text` -> `fulltext`; `C++` -> `c++`; `.NET` -> `.net`. */
function toJoinedForms(chunk: string, parts: readonly string[]): string[] {
  const suffix = /(?:\+\+|#)$/.exec(chunk)?.[0] ?? ''
  const folded = parts.map(toFolded)
  const bare = folded.join('')
  const forms: string[] = []
  if (suffix !== '') forms.push(`${folded.at(-1)}${suffix}`)
  if (chunk.startsWith('.')) forms.push(`.${folded[0]}`)
  if (parts.length > 1) {
    const isDotted = !/['’\-‐‑]/.test(chunk)
    if (isDotted) forms.push(folded.join('.'))
    if (!isDotted || !/\d/.test(bare)) forms.push(bare)
  }
  return forms.filter((form) => form.length <= maxTokenLength)
}

/** Endings of host names, unless they are written with capitals: `.NET` does not find `slideshare.net`. */
const hostEndings = new Set(['net', 'com', 'org', 'io'])

/** What else a dotted word is looked for by: `ASP.NET` -> `.net`; `3.12.1` -> `3.12`. */
function toPartialForms(chunk: string, parts: readonly string[]): string[] {
  if (parts.length < 2 || !chunk.includes('.') || /['’\-‐‑]/.test(chunk)) return []
  const folded = parts.map(toFolded)
  const forms = /\d/.test(chunk)
    ? folded.slice(2).map((_, i) => folded.slice(0, i + 2).join('.'))
    : folded.slice(1).flatMap((part, i) => (hostEndings.has(part) && parts[i + 1] === part ? [] : [`.${part}`]))
  return forms.filter((form) => form.length <= maxTokenLength)
}

/** A word of a query. */
export interface QueryWord {
  /** As it was typed. */
  readonly typed: string
  /** The words of the index that it stands for, the first of them before all others. */
  readonly words: readonly string[]
  /** A pair of characters of a script without spaces. Those of one run make one word together. */
  readonly isPair: boolean
  /** Taken as it is written: `C++`, `.NET`, `3.12`. It has no beginnings, other forms or other spellings. */
  readonly isLiteral: boolean
  /** What to look for if no record has a literal word. */
  readonly parts: readonly QueryWord[]
  /** Matches have the phrase as it was typed, so the word has no beginnings, other forms or other spellings. */
  readonly isOfPhrase: boolean
}

/** The words of a query, each with the forms that it may have in a text. */
export function toQueryWords(text: string): QueryWord[] {
  const words: QueryWord[] = []
  for (let at = findChunk(text, 0); at !== null; at = findChunk(text, at.to)) {
    words.push(...toChunkQuery(text.slice(at.from, at.to), at.from))
  }
  return words
}

/** More words are not written as one. */
const maxJoined = 3

/** The word at `at` joined to its neighbours: `data base` -> `database`, `van der plas` -> `vanderplas`. */
export function toJoinedWords(query: readonly QueryWord[], index: number): string[] {
  const joined: string[] = []
  for (let from = Math.max(0, index - maxJoined + 1); from <= index; from++) {
    for (let to = Math.max(from + 2, index + 1); to <= Math.min(from + maxJoined, query.length); to++) {
      const words = query.slice(from, to)
      if (!words.some(({ isLiteral, isPair }) => isLiteral || isPair)) joined.push(words.map(toFirst).join(''))
    }
  }
  return joined
}

const toFirst = ({ words }: QueryWord) => words[0] ?? ''

export function toPhraseWords(text: string): QueryWord[] {
  return toQueryWords(text).map(toPhraseWord)
}

const toPhraseWord = (word: QueryWord): QueryWord => {
  return { ...word, parts: word.parts.map(toPhraseWord), isOfPhrase: true }
}

function toChunkQuery(chunk: string, offset: number): QueryWord[] {
  const parts = chunk.match(partPattern) ?? []
  const joined = toJoinedForms(chunk, parts)
  if (isContraction(chunk, parts)) return [toPlainWord(chunk, joined.slice(-1))]
  const isSeparated = /['’\-‐‑]/.test(chunk)
  const alternatives = isSeparated ? joined.slice(-1) : []
  // The last character of a run is a word of its own in texts; a query has it in its last pair already.
  const words = toChunkWords(chunk, offset).filter(({ text }) => !joined.includes(text) && !text.includes('.'))
  const whole = words.filter((_, i) => !isEndOfRun(words, i))
  const plain = whole.map(({ text, from, to }) => {
    const transcribed = toTranscribed(chunk.slice(from - offset, to - offset))
    return toPlainWord(parts.length === 1 ? chunk : text, [text, ...transcribed, ...alternatives])
  })
  if (joined.length === 0 || isSeparated) return plain
  // A letter or a number of it would find anything.
  const longer = plain.filter(({ isPair, words: [text = ''] }) => isPair || !/^(?:.|\d{1,64})$/u.test(text))
  return [{ typed: chunk, words: joined, isPair: false, isLiteral: true, parts: longer, isOfPhrase: false }]
}

const toPlainWord = (typed: string, words: readonly string[]): QueryWord => {
  return { typed, words, isPair: isOfRun(words[0] ?? ''), isLiteral: false, parts: [], isOfPhrase: false }
}

/** `don't` and `O'Reilly` are one word; `l'apprentissage` is an article and a word. */
function isContraction(chunk: string, [first, last, ...others]: readonly string[]): boolean {
  if (first === undefined || last === undefined || others.length > 0 || !/['’]/.test(chunk)) return false
  return last.length === 1 || first.toLowerCase() === 'o'
}

const transcriptions: { readonly [letter: string]: string } = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** As it is written without these letters: `Müller` -> `mueller`. */
function toTranscribed(typed: string): string[] {
  const composed = typed.normalize('NFC').toLowerCase()
  const transcribed = composed.replace(/[äöüøå]/g, (letter) => transcriptions[letter] ?? letter)
  return transcribed === composed ? [] : [toFolded(transcribed)]
}

/** Whether two names differ in case, accents and signs only: `Müller`, `Mueller`. */
export function isSameName(one: string, other: string): boolean {
  const keys = toNameKeys(other)
  return toNameKeys(one).some((key) => keys.includes(key))
}

const toNameKeys = (name: string) => [name, ...toTranscribed(name)].map(toTokenText)

/** Tests whether a word of a folded text begins with `part`. In scripts without spaces any character begins a word. */
export function toWordStartTest(part: string): (text: string) => boolean {
  const isAnywhere = isOfRun(part)
  return (text) => {
    let offset = text.indexOf(part)
    while (offset > 0 && !isAnywhere && isWordCode(text, offset - 1)) offset = text.indexOf(part, offset + 1)
    return offset >= 0
  }
}

/** The initial of names that begin with no letter of an alphabet: with a digit, a symbol, a Han or Hangul character. */
export const otherInitial = 'other'

const [a, z, lastAscii] = [0x61, 0x7a, 0x7f]

/** Under which initial a folded name is listed from A to Z. Most begin with an ASCII letter, and take a shortcut. */
export function toInitial(text: string): string {
  const code = text.charCodeAt(0)
  if (code >= a && code <= z) return text.charAt(0)
  if (code <= lastAscii) return otherInitial
  return /^(?![\p{Script=Han}\p{Script=Hangul}])[\p{Ll}\p{Lo}]/u.exec(text)?.[0] ?? otherInitial
}

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
interface WordForms {
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
