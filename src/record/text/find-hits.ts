import type { Match } from '../query/query.ts'
import { toFolded } from './fold.ts'
import type { Hits } from './hits.ts'
import { locateTokens } from './locate-tokens.ts'
import { isLoneCharacter } from './search-text.ts'
import { locateWords, type Word } from './words.ts'

/** A place in a text that a search matches, with UTF-16 offsets. */
export interface Hit {
  /** The same for all hits of a phrase or prefix, and for a word and those that start with it. */
  readonly key: string
  readonly from: number
  readonly to: number
}

/** Finds the hits in a text, in order of their start. For `match=all` the words of the hits are search tokens. */
export function createHitFinder(hits: Hits, match: Match): (text: string) => readonly Hit[] {
  const clusters = new Map<string, string>()
  const keys = toKeys(hits.words)
  const mayHaveHit = createFilter([...new Set([...keys.values(), ...hits.prefixes])])
  const locateAny = match === 'all' ? (chunk: string) => locateTokens(chunk, clusters) : locateWords
  const locate = (chunk: string) => locatePlain(chunk) ?? (mayHaveHit(chunk) ? locateAny(chunk) : [])
  // Texts repeat words.
  const wordHits = createMemo((chunk) => findWordHits(keys, hits.prefixes, locate(chunk)).sort(byStart))
  const tokens = createMemo((chunk) => locatePlain(chunk) ?? locateTokens(chunk, clusters))
  const phrases = toPhrases(hits)
  return (text) => {
    const inWords = mayHaveHit(text) ? mapChunks(text, wordHits) : []
    const present = phrases.length === 0 ? [] : filterPresent(phrases, text)
    if (present.length === 0) return inWords
    return [...inWords, ...findPhrases(present, mapChunks(text, tokens))].sort(byStart)
  }
}

const byStart = (one: Hit, other: Hit) => one.from - other.from

/** For each word the shortest one that it starts with: ranked search lists all forms of a word. */
function toKeys(words: ReadonlySet<string>): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  let key = ''
  // A word comes before those that start with it.
  for (const word of [...words].sort()) {
    if (key === '' || !word.startsWith(key)) key = word
    keys.set(word, key)
  }
  return keys
}

const joiners = /['’.\-‐‑]/g

/** A cheap check that saves most texts from being cut into words. True for a text with a hit, and for some others. */
function createFilter(needles: readonly string[]): (text: string) => boolean {
  return (text) => {
    const folded = toFolded(text)
    const joined = folded.replace(joiners, '')
    return needles.some((needle) => folded.includes(needle) || joined.includes(needle))
  }
}

function filterPresent(phrases: readonly Phrase[], text: string): readonly Phrase[] {
  const folded = toFolded(text)
  return phrases.filter(({ tokens }) => tokens.every((token) => folded.includes(token)))
}

const plainChunk = /^([a-z0-9]{1,64})[,.;:!?)]?$/i

/** Most chunks are one ASCII word, which is the same word and token. */
function locatePlain(chunk: string): readonly Word[] | null {
  const word = plainChunk.exec(chunk)?.[1]
  return word === undefined ? null : [{ text: word.toLowerCase(), from: 0, to: word.length }]
}

function createMemo<T>(compute: (chunk: string) => T): (chunk: string) => T {
  const known = new Map<string, T>()
  return (chunk) => {
    const before = known.get(chunk)
    if (before !== undefined) return before
    const value = compute(chunk)
    known.set(chunk, value)
    return value
  }
}

/** What `find` returns for each chunk, with offsets in the whole text. */
function mapChunks<T extends { readonly from: number; readonly to: number }>(
  text: string,
  find: (chunk: string) => readonly T[],
): T[] {
  const all: T[] = []
  for (let from = 0, at = 0; at <= text.length; at++) {
    if (at < text.length && !isGap(text.charCodeAt(at))) continue
    if (at > from) {
      for (const each of find(text.slice(from, at))) all.push({ ...each, from: each.from + from, to: each.to + from })
    }
    from = at + 1
  }
  return all
}

/** White space, and punctuation of texts without spaces. No word or token contains any of it. */
function isGap(code: number): boolean {
  if (code <= 0x20) return true
  return code >= 0x3000 && (code <= 0x3003 || (code >= 0x3008 && code <= 0x3011) || code === 0xff0c || code === 0xff01)
}

function findWordHits(keys: ReadonlyMap<string, string>, prefixes: readonly string[], located: readonly Word[]): Hit[] {
  return located.flatMap(({ text, from, to }, i) => {
    const key = keys.get(text)
    if (key !== undefined) return [{ key, from, to }]
    const prefix = prefixes.find((each) => text.startsWith(each))
    if (prefix === undefined) return []
    return [{ key: prefix, from, to: isLoneCharacter(prefix) ? toSecondCharacter(located, i) : to }]
  })
}

/** In a run of characters without spaces, the next pair starts at the second character of this one. */
function toSecondCharacter(located: readonly Word[], i: number): number {
  const { from = 0, to = 0 } = located[i] ?? {}
  const next = located[i + 1]?.from ?? to
  return next > from && next < to ? next : to
}

interface Phrase {
  readonly key: string
  readonly tokens: readonly string[]
  /** Whether the last token may be the start of a word. */
  readonly isOpen: boolean
}

function toPhrases({ phrases, openPhrases = [] }: Hits): readonly Phrase[] {
  const toPhrase = (isOpen: boolean) => (tokens: readonly string[]) => ({ key: tokens.join(' '), tokens, isOpen })
  return [...phrases.map(toPhrase(false)), ...openPhrases.map(toPhrase(true))]
}

/** One hit for each token of each phrase, also where matches overlap, as those of `a b a` in `a b a b a`. */
function findPhrases(phrases: readonly Phrase[], located: readonly Word[]): Hit[] {
  return phrases.flatMap((phrase) => {
    const { key, tokens } = phrase
    let end = 0
    return located.flatMap((_, start) => {
      if (!matchesAt(phrase, located, start)) return []
      const added = located.slice(Math.max(start, end), start + tokens.length)
      end = start + tokens.length
      return added.map(({ from, to }) => ({ key, from, to }))
    })
  })
}

function matchesAt({ tokens, isOpen }: Phrase, located: readonly Word[], start: number): boolean {
  return tokens.every((token, i) => {
    const text = located[start + i]?.text
    return text === token || (isOpen && i === tokens.length - 1 && text?.startsWith(token) === true)
  })
}
