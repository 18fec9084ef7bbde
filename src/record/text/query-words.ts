import { toFolded } from './fold.ts'
import { isOfRun } from './search-text.ts'
import { findChunk, partPattern, toChunkWords, toJoinedForms, type Word } from './words.ts'

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

export function toPhraseWords(text: string): QueryWord[] {
  return toQueryWords(text).map(toPhraseWord)
}

const toPhraseWord = (word: QueryWord): QueryWord => {
  return { ...word, parts: word.parts.map(toPhraseWord), isOfPhrase: true }
}

function toChunkQuery(chunk: string, at: number): QueryWord[] {
  const parts = chunk.match(partPattern) ?? []
  const joined = toJoinedForms(chunk, parts)
  if (isContraction(chunk, parts)) return [toPlainWord(chunk, joined.slice(-1))]
  const isSeparated = /['’\-‐‑]/.test(chunk)
  const alternatives = isSeparated ? joined.slice(-1) : []
  const words = toChunkWords(chunk, at).filter(({ text }) => !joined.includes(text) && !text.includes('.'))
  const plain = dropLastCharacters(words).map(({ text, from, to }) => {
    const transcribed = toTranscribed(chunk.slice(from - at, to - at))
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

/** The last character of a run is a word of its own in texts; a query has it in its last pair already. */
function dropLastCharacters(words: readonly Word[]): readonly Word[] {
  return words.filter((word, i) => {
    const before = words[i - 1]
    const isEnd = before?.to === word.to && before.text !== word.text && before.text.endsWith(word.text)
    return !(isEnd && isOfRun(word.text))
  })
}
