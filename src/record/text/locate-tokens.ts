import { isAscii, toFolded } from './fold.ts'
import { maxTokenLength, splitWord, wordPattern } from './search-text.ts'
import type { Word } from './words.ts'

const chunkPattern = /\S+/g
const asciiWord = /[a-z0-9]+/gi
/**
 * A letter or digit with everything that normalization may join to it: marks, joiners, and the Hangul and halfwidth
 * letters that compose with the letter before them.
 */
const clusterPattern =
  /[\p{L}\p{N}\p{M}][\p{M}\p{Script=Inherited}\u00ad\u1160-\u11ff\ud7b0-\ud7ff\u314f-\u3163\uff9e\uff9f\uffa0-\uffdc]*|./gsu

/**
 * The tokens of `toTokens` in the same order, each with its UTF-16 offsets in the original text. `clusters` remembers
 * folded characters, since texts repeat them.
 */
export function locateTokens(text: string, clusters: Map<string, string> = new Map()): Word[] {
  const words: Word[] = []
  for (const { 0: chunk, index } of text.matchAll(chunkPattern)) {
    const found = isAscii(chunk) ? locateAscii(chunk, index) : locateFolded(fold(chunk, index, clusters))
    for (const word of found) words.push(word)
  }
  return words
}

function locateAscii(chunk: string, at: number): Word[] {
  return [...chunk.matchAll(asciiWord)].map(({ 0: word, index }) => {
    return { text: word.slice(0, maxTokenLength).toLowerCase(), from: at + index, to: at + index + word.length }
  })
}

/** A folded text; each of its UTF-16 units knows the range of the original that it comes from. */
interface Folded {
  readonly text: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Folds cluster by cluster. */
function fold(chunk: string, at: number, clusters: Map<string, string>): Folded {
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  for (const { 0: cluster, index } of chunk.matchAll(clusterPattern)) {
    const known = clusters.get(cluster)
    const folded = known ?? toFolded(cluster)
    if (known === undefined) clusters.set(cluster, folded)
    text += folded
    for (let i = 0; i < folded.length; i++) {
      starts.push(at + index)
      ends.push(at + index + cluster.length)
    }
  }
  const whole = toFolded(chunk)
  if (text === whole) return { text, starts, ends }
  // Two clusters were joined, which no common script does: every token is the whole chunk.
  return { text: whole, starts: Array(whole.length).fill(at), ends: Array(whole.length).fill(at + chunk.length) }
}

function locateFolded({ text, starts, ends }: Folded): Word[] {
  const toWord = (token: string, from: number, to: number): Word => {
    return { text: token, from: starts[from] ?? 0, to: ends[to - 1] ?? 0 }
  }
  return [...text.matchAll(wordPattern)].flatMap(({ 0: word, index }) => {
    const pieces = splitWord(word)
    let at = index
    return pieces.flatMap((piece, i) => {
      const from = at
      at += piece.text.length
      if (piece.isRun) return locatePairs(piece.text, from, toWord)
      // A long word is cut, but its range is not.
      return [toWord(piece.text, from, i === pieces.length - 1 ? index + word.length : at)]
    })
  })
}

/** Overlapping pairs of characters, and the last character. */
function locatePairs(run: string, start: number, toWord: (token: string, from: number, to: number) => Word): Word[] {
  const characters = [...run]
  let from = start
  return characters.map((character, i) => {
    const pair = `${character}${characters[i + 1] ?? ''}`
    const word = toWord(pair, from, from + pair.length)
    from += character.length
    return word
  })
}
