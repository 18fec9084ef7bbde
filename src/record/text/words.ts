import { isAscii, toFolded } from './fold.ts'
import { splitRuns } from './search-text.ts'

/** A word of a text as the search index knows it: folded, with its UTF-16 offsets in the original text. */
export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Letters, digits, marks, and the invisible joiners that may stand inside a word. */
const letters = '[\\p{L}\\p{N}\\p{M}\\u00ad\\u200c\\u200d]+'
/**
 * Words that are written together: `node.js`, `3.12`, `full-text`, `don't`, and what gives a word another meaning:
 * `C++`, `C#`, `.NET`.
 */
const chunkPattern = new RegExp(`\\.?${letters}(?:['’.\\-‐‑]${letters})*(?:\\+\\+|#)?`, 'gu')
const asciiChunk = /\.?[a-z0-9]+(?:['.-][a-z0-9]+)*(?:\+\+|#)?/g
const partPattern = new RegExp(letters, 'gu')
const plainWord = /^[a-z0-9]+$/
/** Longer runs of letters are not words. */
const maxWordLength = 64

/** The words of a text in order. Words written together are followed by their joined forms. */
export function locateWords(text: string): Word[] {
  return [...text.matchAll(chunkPattern)].flatMap(({ 0: chunk, index }) => toChunkWords(chunk, index))
}

/** As `locateWords`, without the offsets. Most texts are ASCII, and take a shortcut. */
export function toWords(text: string): string[] {
  if (!isAscii(text)) return locateWords(text).map((word) => word.text)
  const chunks = text.toLowerCase().match(asciiChunk) ?? []
  if (chunks.every(isPlain)) return chunks
  return chunks.flatMap((chunk) => (isPlain(chunk) ? [chunk] : toChunkWords(chunk, 0).map((word) => word.text)))
}

const isPlain = (chunk: string) => chunk.length <= maxWordLength && plainWord.test(chunk)

function toChunkWords(chunk: string, at: number): Word[] {
  const parts = [...chunk.matchAll(partPattern)].map(({ 0: text, index }) => ({ text, from: at + index }))
  const isApostrophised = /['’]/.test(chunk)
  const words = parts.flatMap(({ text, from }) => {
    return isApostrophised && text.length === 1 ? [] : toPartWords(text, from)
  })
  const joined = toJoinedForms(
    chunk,
    parts.map(({ text }) => text),
  )
  return [...words, ...joined.map((text) => ({ text, from: at, to: at + chunk.length }))]
}

/** Folding may split a part (½), and scripts without spaces become overlapping pairs of characters. */
function toPartWords(part: string, from: number): Word[] {
  const folded = toFolded(part)
  const to = from + part.length
  if (isAscii(folded) && plainWord.test(folded)) return [{ text: folded.slice(0, maxWordLength), from, to }]
  const pieces = (folded.match(partPattern) ?? []).flatMap(splitRuns)
  if (pieces.length === 1 && pieces[0]?.isRun === false) {
    return [{ text: pieces[0].text.slice(0, maxWordLength).toWellFormed(), from, to }]
  }
  // Offsets inside a decomposed text would be those of another text.
  if (part.normalize('NFC') === part) return locateMixed(part, from)
  return locateMixed(folded, 0).map(({ text }) => ({ text, from, to }))
}

/** A part with runs of scripts without spaces. Folded character by character, so that offsets are right. */
function locateMixed(part: string, start: number): Word[] {
  const words: Word[] = []
  let from = start
  for (const { text, isRun } of splitRuns(part)) {
    if (isRun) words.push(...locatePairs(text, from))
    else words.push({ text: toFolded(text).slice(0, maxWordLength).toWellFormed(), from, to: from + text.length })
    from += text.length
  }
  return words.filter(({ text }) => text !== '')
}

/** Overlapping pairs and the last character, so that any part of a run is found. */
function locatePairs(run: string, start: number): Word[] {
  const characters: Word[] = []
  let from = start
  for (const character of run) {
    const to = from + character.length
    const text = toFolded(character)
    // Vowel signs that folding drops belong to the character before.
    if (text !== '') characters.push({ text, from, to })
    from = to
  }
  const pairs = characters.slice(1).map((second, i) => {
    const first = characters[i] ?? second
    return { text: `${first.text}${second.text}`, from: first.from, to: second.to }
  })
  return [...pairs, ...characters.slice(-1)]
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
  return forms.filter((form) => form.length <= maxWordLength)
}

/** A word of a query. */
export interface QueryWord {
  /** As it was typed. */
  readonly typed: string
  /** The words of the index that it stands for, the first of them before all others. */
  readonly words: readonly string[]
  /** Taken as it is written: `C++`, `.NET`, `3.12`. It has no beginnings, other forms or other spellings. */
  readonly isLiteral: boolean
  /** What to look for if no record has a literal word. */
  readonly parts: readonly QueryWord[]
}

/** The words of a query, each with the forms that it may have in a text. */
export function toQueryWords(text: string): QueryWord[] {
  return [...text.matchAll(chunkPattern)].flatMap(({ 0: chunk, index }) => toChunkQuery(chunk, index))
}

function toChunkQuery(chunk: string, at: number): QueryWord[] {
  const parts = chunk.match(partPattern) ?? []
  const joined = toJoinedForms(chunk, parts)
  const isSeparated = /['’\-‐‑]/.test(chunk)
  const alternatives = isSeparated ? joined.slice(-1) : []
  const words = toChunkWords(chunk, at).filter(({ text }) => !joined.includes(text))
  const plain = dropLastCharacters(words).map(({ text }) => {
    return { typed: parts.length === 1 ? chunk : text, words: [text, ...alternatives], isLiteral: false, parts: [] }
  })
  if (joined.length === 0 || isSeparated) return plain
  return [{ typed: chunk, words: joined, isLiteral: true, parts: plain }]
}

/** The last character of a run is a word of its own in texts; a query has it in its last pair already. */
function dropLastCharacters(words: readonly Word[]): readonly Word[] {
  return words.filter((word, i) => {
    const before = words[i - 1]
    return before === undefined || !(before.to === word.to && before.from < word.from)
  })
}
