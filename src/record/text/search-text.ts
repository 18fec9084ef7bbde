import type { VideoRecord } from '../record.ts'
import { isAscii, toFolded } from './fold.ts'

export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
/** Separators between the words of folded ASCII text. */
const asciiGaps = /[^a-z0-9]+/g
const oddAscii = /[^a-z0-9 ]| {2}|^ | $/
/** Runs of scripts that write words without spaces. */
const runPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
/** Longer runs of letters are not words. Texts and queries are cut alike. */
export const maxTokenLength = 64
const longAscii = new RegExp(`[a-zA-Z0-9]{${maxTokenLength + 1}}`)

/**
 * The search tokens of a text, in order: folded words, and in scripts without spaces overlapping pairs of characters plus
 * the last character. Any substring of such a run is then found as a phrase of pairs, whatever its word boundaries.
 */
export function toTokens(text: string): string[] {
  return toPieces(text).flatMap((piece) => (piece.isRun ? [...toPairs(piece.text), toLast(piece.text)] : [piece.text]))
}

/** The tokens joined by spaces, as the index stores them. Most texts are ASCII, and take a shortcut. */
export function toTokenText(text: string): string {
  if (!isAscii(text) || longAscii.test(text)) return toTokens(text).join(' ')
  const folded = text.toLowerCase()
  return oddAscii.test(folded) ? folded.replace(asciiGaps, ' ').trim() : folded
}

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

/** The tokens of a query term. It must match inside a run too, so its last character is not a token of its own. */
export function toQueryTokens(text: string): string[] {
  const pieces = toPieces(text)
  return pieces.flatMap((piece, i) => {
    if (!piece.isRun) return [piece.text]
    const pairs = toPairs(piece.text)
    return i === pieces.length - 1 && pairs.length > 0 ? pairs : [...pairs, toLast(piece.text)]
  })
}

/** Whether a token comes from a run of a script without spaces. */
export const isOfRun = (token: string) => token.search(runPattern) === 0

/** A single character of a script without spaces matches every pair that starts with it. */
export function isLoneCharacter(token: string): boolean {
  return [...token].length === 1 && isOfRun(token)
}

export interface Piece {
  readonly text: string
  readonly isRun: boolean
}

function toPieces(text: string): Piece[] {
  const words = toFolded(text).match(wordPattern) ?? []
  return words.flatMap(splitWord)
}

/** The pieces of a folded word, one after the other. */
export function splitWord(word: string): Piece[] {
  return splitRuns(word.length > maxTokenLength ? cut(word) : word)
}

/** Runs of scripts without spaces are not cut: a whole sentence may be one run. */
function cut(word: string): string {
  return word.search(runPattern) >= 0 ? word : word.slice(0, maxTokenLength).toWellFormed()
}

/** Separates runs of scripts without spaces from other letters. */
export function splitRuns(word: string): Piece[] {
  if (isAscii(word)) return [{ text: word, isRun: false }]
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

function toPairs(run: string): string[] {
  const characters = [...run]
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

const toLast = (run: string) => [...run].at(-1) ?? ''

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

export type ParsedSearch =
  | { readonly ok: true; readonly search: Search }
  | { readonly ok: false; readonly problem: string }

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
