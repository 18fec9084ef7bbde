import { isAscii, toFolded } from './fold.ts'
import { splitRuns } from './search-text.ts'

/** A word of a text as the search index knows it: folded, with its UTF-16 offsets in the original text. */
export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Letters, digits, marks, and the invisible joiners that may stand inside a word. */
export const partPattern = /[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+/gu
const plainWord = /^[a-z0-9]+$/
/** Its marks are characters of their own, which folding joins to the letter before. */
const halfWidthKana = /[\uff66-\uff9f]/
/** Longer runs of letters are not words. */
const maxWordLength = 64

/** The words of a text in order. Words written together are followed by their joined forms. */
export function locateWords(text: string): Word[] {
  const words: Word[] = []
  for (let at = findChunk(text, 0); at !== null; at = findChunk(text, at.to)) {
    words.push(...toChunkWords(text.slice(at.from, at.to), at.from))
  }
  return words
}

/** As `locateWords`, without the offsets. Most words are plain ASCII, and take a shortcut. */
export function toWords(text: string): string[] {
  const words: string[] = []
  for (let at = findChunk(text, 0); at !== null; at = findChunk(text, at.to)) {
    const chunk = text.slice(at.from, at.to)
    if (at.isPlain && chunk.length <= maxWordLength) words.push(chunk.toLowerCase())
    else for (const word of toKnownWords(chunk)) words.push(word)
  }
  return words
}

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
export function findChunk(text: string, start: number): Chunk | null {
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
export function isWordCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  // The halves of a surrogate pair belong together.
  if (code >= 0xd800 && code <= 0xdfff) return isWordPoint(text, at, code)
  if (kinds[code] === 0) kinds[code] = isWordText(String.fromCharCode(code)) ? 2 : 1
  return kinds[code] === 2
}

function isWordPoint(text: string, at: number, code: number): boolean {
  const first = code >= 0xdc00 ? at - 1 : at
  return first >= 0 && isWordText(String.fromCodePoint(text.codePointAt(first) ?? 0))
}

const isWordText = (character: string) => /^[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]$/u.test(character)

export function toChunkWords(chunk: string, at: number): Word[] {
  const parts = [...chunk.matchAll(partPattern)].map(({ 0: text, index }) => ({ text, from: at + index }))
  const isApostrophised = /['’]/.test(chunk)
  const words = parts.flatMap(({ text, from }) => {
    return isApostrophised && text.length === 1 ? [] : toPartWords(text, from)
  })
  const texts = parts.map(({ text }) => text)
  const joined = [...toJoinedForms(chunk, texts), ...toPartialForms(chunk, texts)]
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
  if (part.normalize('NFC') === part && !halfWidthKana.test(part)) return locateMixed(part, from)
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
  const words: Word[] = []
  let last: Word | null = null
  let from = start
  for (const character of run) {
    const to = from + character.length
    const text = toKnownFolded(character)
    // Vowel signs that folding drops belong to the character before.
    if (text !== '') {
      if (last !== null) words.push({ text: `${last.text}${text}`, from: last.from, to })
      last = { text, from, to }
    }
    from = to
  }
  if (last !== null) words.push(last)
  return words
}

const knownCharacters = new Map<string, string>()

/** There are few characters, and a long run has each many times. */
function toKnownFolded(character: string): string {
  const known = knownCharacters.get(character)
  if (known !== undefined) return known
  const folded = toFolded(character)
  if (knownCharacters.size < maxKnown) knownCharacters.set(character, folded)
  return folded
}

/** `node.js` -> `node.js`, `nodejs`; `full-text` -> `fulltext`; `C++` -> `c++`; `.NET` -> `.net`. */
export function toJoinedForms(chunk: string, parts: readonly string[]): string[] {
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

/** Endings of host names, unless they are written with capitals: `.NET` does not find `slideshare.net`. */
const hostEndings = new Set(['net', 'com', 'org', 'io'])

/** What else a dotted word is looked for by: `ASP.NET` -> `.net`; `3.12.1` -> `3.12`. */
function toPartialForms(chunk: string, parts: readonly string[]): string[] {
  if (parts.length < 2 || !chunk.includes('.') || /['’\-‐‑]/.test(chunk)) return []
  const folded = parts.map(toFolded)
  const forms = /\d/.test(chunk)
    ? folded.slice(2).map((_, i) => folded.slice(0, i + 2).join('.'))
    : folded.slice(1).flatMap((part, i) => (hostEndings.has(part) && parts[i + 1] === part ? [] : [`.${part}`]))
  return forms.filter((form) => form.length <= maxWordLength)
}
