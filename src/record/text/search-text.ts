import type { VideoRecord } from '../record.ts'
import { isAscii, toFolded } from './fold.ts'

/** The searched fields, in the order of the columns of the index. */
export const searched = ['title', 'speakers', 'tags', 'category', 'summary', 'description'] as const

type Searched = (typeof searched)[number]
export type SearchTokens = { readonly [N in Searched]: string }

/** Separates names with a token that no query can contain, so that no phrase matches across two names. */
const boundary = ' ¦ '

/** The search tokens of a record, by column of the index. */
export function toSearchTokens({
  title,
  speakers,
  tags,
  category,
  summary,
  description,
}: Pick<VideoRecord, Searched>): SearchTokens {
  return {
    title: toTokenText(title),
    speakers: toNames(speakers),
    tags: toNames(tags),
    category: toTokenText(category),
    summary: toTokenText(summary),
    description: toTokenText(description),
  }
}

function toNames(names: readonly string[]): string {
  return names.map(toTokenText).join(boundary)
}

/** Tokens that must follow each other; the last one may be a prefix of a word. */
export interface Term {
  /** The word or phrase as typed, without quotes and minus, for `match=best`, which splits words by its own rules. */
  readonly text: string
  readonly isPhrase: boolean
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** A parsed `q`: records match every term of `all` and none of `none`. If both are empty (`q=!!!`), none does. */
export interface Search {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
}

const maxSearchLength = 200
const maxSearchWords = 16
/** About as many characters of a script without spaces are a word; each is a token. */
const charactersPerWord = 4

type ParsedSearch = { readonly ok: true; readonly search: Search } | { readonly ok: false; readonly problem: string }

/** Words, `"phrases"` and `-exclusions`. There is no other syntax, so only the length can be invalid. */
export function parseSearch(text: string): ParsedSearch {
  if ([...text].length > maxSearchLength)
    return { ok: false, problem: `q can have at most ${maxSearchLength} characters.` }
  const all: Term[] = []
  const none: Term[] = []
  for (const [, minus, phrase, word = ''] of text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const isPhrase = phrase !== undefined
    const typed = phrase ?? word
    const tokens = dropRepeats(toQueryTokens(typed))
    if (tokens.length === 0) continue
    const term = { text: typed, isPhrase, tokens, isPrefix: !isPhrase || isLoneCharacter(tokens.at(-1) ?? '') }
    if (minus === '-') none.push(term)
    else all.push(term)
  }
  const words = [...all, ...none].reduce((sum, { tokens }) => sum + countWords(tokens), 0)
  return words > maxSearchWords ? { ok: false, problem: tooManyWords } : { ok: true, search: { all, none } }
}

const tooManyWords =
  `q can have at most ${maxSearchWords} words. Those of phrases and the parts of words like full-text count, and ` +
  `${charactersPerWord} characters of a script without spaces count as one.`

/**
 * `very very very good` is searched as `very very good`: the engine would read all occurrences of a token once for each
 * of its positions in the phrase (decision 71).
 */
function dropRepeats(tokens: readonly string[]): string[] {
  return tokens.filter((token, i) => token !== tokens[i - 1] || token !== tokens[i - 2])
}

function countWords(tokens: readonly string[]): number {
  const ofRuns = tokens.filter(isOfRun).length
  return tokens.length - ofRuns + Math.ceil(ofRuns / charactersPerWord)
}

/** A search token or a word, folded, with its UTF-16 offsets in the original text. */
export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
}

const chunkPattern = /\S+/g
const asciiWord = /[a-z0-9]+/g
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
/** Runs of scripts that write words without spaces. */
const runPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
/**
 * A letter or digit with everything that normalization may join to it: marks, joiners, and the Hangul and halfwidth
 * letters that compose with the letter before them.
 */
const clusterPattern =
  /[\p{L}\p{N}\p{M}][\p{M}\p{Script=Inherited}\u00ad\u1160-\u11ff\ud7b0-\ud7ff\u314f-\u3163\uff9e\uff9f\uffa0-\uffdc]*|./gsu
/** Longer runs of letters are not words. Texts and queries are cut alike. */
export const maxTokenLength = 64

/**
 * The search tokens of a text, in order: folded words, and in scripts without spaces overlapping pairs of characters plus
 * the last character. Any substring of such a run is then found as a phrase of pairs, whatever its word boundaries.
 */
export function toTokens(text: string): string[] {
  return cutFolded(toFolded(text)).map((token) => token.text)
}

/** The same tokens with their offsets. */
export function locateTokens(text: string): Word[] {
  const clusters = new Map<string, string>()
  const words: Word[] = []
  for (const { 0: chunk, index } of text.matchAll(chunkPattern)) {
    const located = isAscii(chunk) ? cutFolded(chunk.toLowerCase()) : locateFolded(fold(chunk, clusters))
    for (const { text: token, from, to } of located) words.push({ text: token, from: from + index, to: to + index })
  }
  return words
}

const oddAscii = /[^a-z0-9 ]| {2}|^ | $/
const asciiGaps = /[^a-z0-9]+/g
const longAscii = new RegExp(`[a-zA-Z0-9]{${maxTokenLength + 1}}`)

/** The tokens joined by spaces, as the index stores them. Most texts are ASCII, and take a shortcut. */
export function toTokenText(text: string): string {
  if (!isAscii(text) || longAscii.test(text)) return toTokens(text).join(' ')
  const folded = text.toLowerCase()
  return oddAscii.test(folded) ? folded.replace(asciiGaps, ' ').trim() : folded
}

/** The tokens of a query term. It must match inside a run too, so its last character is not a token of its own. */
export function toQueryTokens(text: string): string[] {
  const tokens = locateTokens(text)
  return tokens.filter((_, i) => i < tokens.length - 1 || !isEndOfRun(tokens, i)).map((token) => token.text)
}

/** Whether this is the last character of a run, which the pair before it has too. */
export function isEndOfRun(tokens: readonly Word[], i: number): boolean {
  const [before, last] = [tokens[i - 1], tokens[i]]
  if (before === undefined || last === undefined || before.to !== last.to || !isOfRun(last.text)) return false
  return before.text !== last.text && before.text.endsWith(last.text)
}

/** Whether a token comes from a run of a script without spaces. */
export const isOfRun = (token: string) => token.search(runPattern) === 0

/** A single character of a script without spaces matches every pair that starts with it. */
export function isLoneCharacter(token: string): boolean {
  return [...token].length === 1 && isOfRun(token)
}

/** The tokens of a folded text, with their offsets in it. */
function cutFolded(folded: string): Word[] {
  const words: Word[] = []
  for (const { 0: word, index } of folded.matchAll(isAscii(folded) ? asciiWord : wordPattern)) {
    const pieces = isAscii(word) ? [{ text: word, isRun: false }] : splitRuns(word)
    if (pieces.length === 1 && pieces[0]?.isRun === false) {
      // A long word is cut, but its range is not.
      const text = word.length > maxTokenLength ? word.slice(0, maxTokenLength).toWellFormed() : word
      words.push({ text, from: index, to: index + word.length })
      continue
    }
    let from = index
    for (const { text, isRun } of pieces) {
      const to = from + text.length
      if (isRun) for (const pair of cutRun(text, from)) words.push(pair)
      else words.push({ text, from, to })
      from = to
    }
  }
  return words
}

/** A folded text; each of its UTF-16 units knows the range of the original that it comes from. */
interface Folded {
  readonly text: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Folds cluster by cluster. `clusters` remembers them, since texts repeat them. */
function fold(chunk: string, clusters: Map<string, string>): Folded {
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  for (const { 0: cluster, index } of chunk.matchAll(clusterPattern)) {
    const known = clusters.get(cluster)
    const folded = known ?? toFolded(cluster)
    if (known === undefined) clusters.set(cluster, folded)
    text += folded
    for (let i = 0; i < folded.length; i++) {
      starts.push(index)
      ends.push(index + cluster.length)
    }
  }
  const whole = toFolded(chunk)
  if (text === whole) return { text, starts, ends }
  // Two clusters were joined, which no common script does: every token is the whole chunk.
  return { text: whole, starts: Array(whole.length).fill(0), ends: Array(whole.length).fill(chunk.length) }
}

function locateFolded({ text, starts, ends }: Folded): Word[] {
  return cutFolded(text).map(({ text: token, from, to }) => {
    return { text: token, from: starts[from] ?? 0, to: ends[to - 1] ?? 0 }
  })
}

interface Piece {
  readonly text: string
  readonly isRun: boolean
}

/** Separates runs of scripts without spaces from other letters. */
function splitRuns(word: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: run, index } of word.matchAll(runPattern)) {
    if (index > from) pieces.push({ text: word.slice(from, index), isRun: false })
    pieces.push({ text: run, isRun: true })
    from = index + run.length
  }
  if (from < word.length) pieces.push({ text: word.slice(from), isRun: false })
  return pieces
}

/** Overlapping pairs of characters, and the last character. */
function cutRun(run: string, start: number): Word[] {
  const characters = [...run]
  let from = start
  return characters.map((character, i) => {
    const text = `${character}${characters[i + 1] ?? ''}`
    const word = { text, from, to: from + text.length }
    from += character.length
    return word
  })
}
