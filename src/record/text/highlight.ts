import type { Match } from '../query/query.ts'
import type { VideoRecord } from '../record.ts'
import { toFolded } from './fold.ts'
import { isLoneCharacter, locateTokens, type Search, type Word } from './search-text.ts'
import { locateWords } from './words.ts'

/** What a search matches in texts. */
export interface Hits {
  /** Words as `locateWords` finds them. */
  readonly words: ReadonlySet<string>
  /** Every word that starts with one of these is a hit. */
  readonly prefixes: readonly string[]
  /** Search tokens that follow each other, as `toTokens` finds them. */
  readonly phrases: readonly (readonly string[])[]
  /** The same, but the last token may be the start of a word. */
  readonly openPhrases?: readonly (readonly string[])[]
}

/** What every word of a search matches, by the tokens of the index that answers `match=all`. */
export function toHits({ all }: Search): Hits {
  const single = all.filter(({ tokens }) => tokens.length === 1)
  const several = all.filter(({ tokens }) => tokens.length > 1)
  const toTokens = (terms: typeof all) => terms.map(({ tokens }) => tokens)
  return {
    words: new Set(toTokens(single.filter(({ isPrefix }) => !isPrefix)).flat()),
    prefixes: toTokens(single.filter(({ isPrefix }) => isPrefix)).flat(),
    phrases: toTokens(several.filter(({ isPrefix }) => !isPrefix)),
    openPhrases: toTokens(several.filter(({ isPrefix }) => isPrefix)),
  }
}

/** A range in code points; the end is exclusive. */
export type Mark = readonly [from: number, to: number]

/** Where a record matches. Marks are in order and do not overlap. Types, not interfaces, so that they are JSON. */
export type Highlight = {
  /** Marks in the title. */
  readonly title: readonly Mark[]
  /** Without a hit, the beginning of the summary or description; null if both are empty. */
  readonly passage: Passage | null
}

type Passage = {
  readonly field: PassageField
  /** A part of the field; names are separated by `, `. */
  readonly text: string
  readonly marks: readonly Mark[]
}

/** Fields that a passage can come from; the first is preferred. */
export const passageFields = ['summary', 'description', 'speakers', 'tags', 'category'] as const
type PassageField = (typeof passageFields)[number]

export type HighlightedRecord = Pick<VideoRecord, 'title' | PassageField>

/** Only the beginning of a long field is searched for hits, so that a page of long texts takes bounded time. */
const maxSearched = 10_000

/** Returns a function that highlights records. */
export function createHighlighter(hits: Hits, match: Match): (record: HighlightedRecord) => Highlight {
  const find = createHitFinder(hits, match)
  return (record) => {
    const { title } = record
    return { title: toMarks(find(title), title, { from: 0, to: title.length }), passage: toPassage(record, find) }
  }
}

/** A field as one text, with its hits. */
interface Searched {
  readonly field: PassageField
  readonly text: string
  readonly hits: readonly Hit[]
}

type Find = (text: string) => readonly Hit[]

function toPassage(record: HighlightedRecord, find: Find): Passage | null {
  const searched = passageFields.map((field) => search(field, record[field], find))
  const counts = new Map<string, number>()
  for (const { key } of searched.flatMap(({ hits }) => hits)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const toWeight = (key: string) => 1_000 + Math.floor(100 / (counts.get(key) ?? 1))
  let best: { readonly in: Searched; readonly group: Group } | null = null
  for (const each of searched) {
    const group = findBestGroup(each.hits, toWeight)
    if (group !== null && group.score > (best?.group.score ?? 0)) best = { in: each, group }
  }
  if (best !== null) return cutPassage(best.in, best.group)
  const [first] = searched.filter(({ field, text }) => isProse(field) && text.trim() !== '')
  if (first === undefined) return null
  const start = first.text.search(/\S/)
  return cutPassage(first, { from: start, to: start })
}

const isProse = (field: PassageField) => field === 'summary' || field === 'description'

function search(field: PassageField, value: string | readonly string[], find: Find): Searched {
  if (typeof value === 'string') {
    const text = toBeginning(value)
    return { field, text, hits: find(text) }
  }
  // Name by name, so that no phrase matches across two names.
  const hits: Hit[] = []
  let text = ''
  for (const name of value) {
    if (text.length > maxSearched) break
    const offset = text === '' ? 0 : text.length + separator.length
    text = text === '' ? name : `${text}${separator}${name}`
    for (const { key, from, to } of find(name)) hits.push({ key, from: from + offset, to: to + offset })
  }
  return { field, text, hits }
}

const separator = ', '

function toBeginning(text: string): string {
  const isSplit = (text.codePointAt(maxSearched - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? maxSearched - 1 : maxSearched)
}

function cutPassage({ field, text, hits }: Searched, group: Range): Passage {
  const range = toPassageRange(text, group)
  return { field, text: text.slice(range.from, range.to), marks: toMarks(hits, text, range) }
}

/** The hits inside a range as marks that are relative to it; hits that overlap or touch become one. */
function toMarks(hits: readonly Hit[], text: string, range: Range): Mark[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of hits) {
    // A hit that is longer than the passage is cut like it.
    const end = from === range.from ? Math.min(to, range.to) : to
    if (from < range.from || end > range.to) continue
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, end)
    else merged.push({ from, to: end })
  }
  let offset = range.from
  let count = 0
  const toCodePoints = (at: number) => {
    for (; offset < at; offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1) count++
    return count
  }
  return merged.map(({ from, to }): Mark => [toCodePoints(from), toCodePoints(to)])
}

/** A place in a text that a search matches, with UTF-16 offsets. */
interface Hit {
  /** The same for all hits of a phrase or prefix, and for a word and those that start with it. */
  readonly key: string
  readonly from: number
  readonly to: number
}

/** Finds the hits in a text, in order of their start. For `match=all` the words of the hits are search tokens. */
function createHitFinder(hits: Hits, match: Match): (text: string) => readonly Hit[] {
  const keys = toKeys(hits.words)
  const mayHaveHit = createFilter([...new Set([...keys.values(), ...hits.prefixes])])
  const locate = match === 'all' ? locateTokens : locateWords
  const phrases = toPhrases(hits)
  return (text) => {
    const inWords = mayHaveHit(text) ? findWordHits(keys, hits.prefixes, locate(text)) : []
    const present = phrases.length === 0 ? [] : filterPresent(phrases, text)
    const inPhrases = present.length === 0 ? [] : findPhrases(present, locateTokens(text))
    return [...inWords, ...inPhrases].sort(byStart)
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

/** A range of a text in UTF-16 units. */
interface Range {
  readonly from: number
  readonly to: number
}

/** A group of hits that fit into one passage. */
interface Group extends Range {
  readonly score: number
}

const maxLength = 200
/** Leaves room for words before and after the hits. */
const maxGroupLength = 150
/** At most so much precedes the first hit. */
const maxLead = 60
/** Enough for a word segmenter to see the word at a boundary. */
const context = 32

/** The group with the highest total weight of different keys; the first of equal ones; null without hits. */
function findBestGroup(hits: readonly Hit[], toWeight: (key: string) => number): Group | null {
  const counts = new Map<string, number>()
  let best: Group | null = null
  let score = 0
  let first = 0
  for (const [i, { key, to }] of hits.entries()) {
    if (add(counts, key, 1) === 1) score += toWeight(key)
    for (let oldest = hits[first]; oldest !== undefined && first < i; oldest = hits[++first]) {
      if (to - oldest.from <= maxGroupLength) break
      if (add(counts, oldest.key, -1) === 0) score -= toWeight(oldest.key)
    }
    if (score > (best?.score ?? 0)) best = { score, from: hits[first]?.from ?? 0, to }
  }
  return best
}

function add(counts: Map<string, number>, key: string, change: number): number {
  const count = (counts.get(key) ?? 0) + change
  counts.set(key, count)
  return count
}

/** The part of a text around these hits, from the start of a sentence or word to the end of a word. */
function toPassageRange(text: string, { from, to }: Range): Range {
  const lead = Math.min(maxLead, Math.max(0, maxLength - (to - from)))
  const min = Math.max(0, Math.min(from - lead, text.length - maxLength))
  const start = findStart(text, min, from)
  const end = findEnd(text, Math.min(to, start + maxLength), start + maxLength)
  const passage = text.slice(start, end)
  const trimmed = passage.trimStart()
  return { from: end - trimmed.length, to: start + passage.trimEnd().length }
}

const sentenceStart = /[.!?…]["'”’»)\]]?\s+|[。！？]|\n\n\s*/
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The first start of a sentence at or after `min`, else of a word. `from` is the start of a hit. */
function findStart(text: string, min: number, from: number): number {
  if (min === 0) return 0
  const sentence = sentenceStart.exec(text.slice(min, from))
  if (sentence !== null) return min + sentence.index + sentence[0].length
  const base = Math.max(0, min - context)
  for (const { index } of wordSegmenter.segment(text.slice(base, from))) {
    if (base + index >= min) return base + index
  }
  return from
}

/** The last end of a word at or before `max`. `to` is the end of a hit. */
function findEnd(text: string, to: number, max: number): number {
  if (max >= text.length) return text.length
  let end = to
  for (const { index } of wordSegmenter.segment(text.slice(to, max + context))) {
    if (to + index > max) break
    end = to + index
  }
  return isInsidePair(text, end) ? end - 1 : end
}

/** Whether this offset splits a surrogate pair. */
function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff
}
