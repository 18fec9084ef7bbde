import type { EntryKind } from '../../record/name.ts'
import type { Visibility } from '../../record/state.ts'
import { toFolded } from '../../record/text/fold.ts'
import { toTokenText } from '../../record/text/search-text.ts'
import { compareCodePoints } from '../columns/numbering.ts'
import type { Database } from '../database.ts'
import { entryKinds, type Name, type NameIndex } from './name-index.ts'
import { listMatchedWords, type Strictness, type TypedWord } from './typed-words.ts'

interface TypedNameQuery {
  readonly words: readonly TypedWord[]
  /** The folded text. */
  readonly key: string
  readonly visibility: Visibility
  readonly strictness: Strictness
  readonly limit: number
}

/** A name whose words begin with all typed words. */
export interface RankedName {
  readonly name: Name
  readonly count: number
  /** By which it is ranked: its count; for an edition the largest of its series, so that they stay together. */
  readonly weight: number
  /** 0: the typed text is the whole name; 1: it is a part of it; then by the number of errors. */
  readonly tier: number
}

interface NameCounts {
  countOf(kind: EntryKind, id: number, visibility: Visibility): number
}

/** A completion looks at this many words of names at most, in about 5 ms: those of a letter among a million names. */
const maxPostings = 500_000
const categoryKind = entryKinds.indexOf('category')

/** Finds the names that have all typed words, best first. Names without visible records are left out. */
export function createNameSearch(index: NameIndex, counts: NameCounts, onStep: () => void) {
  /** The number of the last word that each name has, if all words before were found too; counted on over all queries. */
  let reached = new Uint32Array(1024)
  let edits = new Uint8Array(1024)
  let base = 0
  let nextBase = 0

  /** Takes numbers that no query has used, not even one that was interrupted. */
  function begin(words: number): void {
    if (index.end() > reached.length) {
      reached = new Uint32Array(2 * index.end())
      edits = new Uint8Array(2 * index.end())
    }
    if (nextBase + words > 0xffffff00) {
      reached.fill(0)
      nextBase = 0
    }
    base = nextBase
    nextBase += words + 1
  }

  /** The numbers of the names that have the word at `at` and all words before it. */
  function reach(word: TypedWord, position: number, strictness: Strictness): number[] {
    const found: number[] = []
    let left = maxPostings
    for (const { word: matched, edits: more } of listMatchedWords(index.dictionary, word, strictness)) {
      const numbers = index.namesWith(matched)
      left -= numbers.length
      if (left < 0) break
      for (const number of numbers) {
        const last = reached[number] ?? 0
        if (position === 0 ? last > base : last !== base + position) continue
        reached[number] = base + position + 1
        edits[number] = (position === 0 ? 0 : (edits[number] ?? 0)) + more
        found.push(number)
      }
    }
    return found
  }

  function rank(numbers: readonly number[], { key, visibility, limit }: TypedNameQuery): RankedName[] {
    const { kinds, ids, lengths } = index.arrays()
    const best = createBest(key, limit)
    const toCount = (number: number) =>
      counts.countOf(entryKinds[kinds[number] ?? 0] ?? 'speaker', ids[number] ?? 0, visibility)
    const largest = findLargest(numbers, toCount)
    for (const number of numbers) {
      const count = toCount(number)
      const weight = Math.max(count, largest.get(toSeries(number)) ?? 0)
      const tier = 1 + (edits[number] ?? 0)
      // Most names end here.
      if (count === 0 || (lengths[number] !== key.length && best.isWorse(tier, weight))) continue
      const name = index.get(number)
      if (name !== undefined) best.offer({ name, count, weight, tier: name.key === key ? 0 : tier })
    }
    return best.list()
  }

  /** Empty unless it is an edition. */
  const toSeries = (number: number) =>
    index.arrays().kinds[number] === categoryKind ? (index.get(number)?.edition?.series ?? '') : ''

  /** The count of the largest edition of each series. */
  function findLargest(numbers: readonly number[], toCount: (number: number) => number): ReadonlyMap<string, number> {
    const largest = new Map<string, number>()
    for (const number of numbers) {
      const series = toSeries(number)
      if (series !== '') largest.set(series, Math.max(largest.get(series) ?? 0, toCount(number)))
    }
    return largest
  }

  return (query: TypedNameQuery): RankedName[] => {
    const { words, strictness } = query
    begin(words.length)
    let found: readonly number[] = []
    for (const [position, word] of words.entries()) {
      onStep()
      found = reach(word, position, strictness)
      if (found.length === 0) break
    }
    return rank(found, query)
  }
}

/** Keeps the best names in order. */
function createBest(key: string, limit: number) {
  const best: RankedName[] = []
  /** What the last one has, once there are enough. */
  let [lastTier, lastWeight] = [Number.POSITIVE_INFINITY, 0]
  return {
    isWorse: (tier: number, weight: number) => tier > lastTier || (tier === lastTier && weight < lastWeight),
    offer(found: RankedName): void {
      const index = best.findIndex((other) => compare(found, other, key) < 0)
      best.splice(index < 0 ? best.length : index, 0, found)
      if (best.length > limit) best.pop()
      const last = best[limit - 1]
      if (last !== undefined) [lastTier, lastWeight] = [last.tier, last.weight]
    },
    list: () => best,
  }
}

/** The most used first; of equally used ones, those that begin with what was typed. The newest edition of a series first. */
function compare(a: RankedName, b: RankedName, key: string): number {
  if (a.tier !== b.tier) return a.tier - b.tier
  if (a.weight !== b.weight) return b.weight - a.weight
  const [begins, otherBegins] = [a.name.key.startsWith(key), b.name.key.startsWith(key)]
  if (begins !== otherBegins) return begins ? -1 : 1
  const [series, otherSeries] = [a.name.edition?.series ?? a.name.key, b.name.edition?.series ?? b.name.key]
  return (
    compareCodePoints(series, otherSeries) ||
    compareCodePoints(b.name.edition?.year ?? '', a.name.edition?.year ?? '') ||
    compareCodePoints(a.name.key, b.name.key) ||
    compareCodePoints(a.name.text, b.name.text) ||
    compareCodePoints(a.name.kind, b.name.kind)
  )
}

/** A name that a query has in it. */
interface NamedIn {
  readonly name: Name
  readonly count: number
  /** The words of the name, folded, with spaces between them. */
  readonly words: string
}

/** A page shows no more. */
const maxNamed = 3
/** So many names are compared with the query at most, in a few milliseconds. */
const maxCompared = 20_000
const yearPattern = /^(?:19|20)\d\d$/

/**
 * Finds the names that a query has in it, longest first: the one that it is, with or without a year beside it, and
 * those of two words and more. A single word among others is a topic rather than a name. Names without visible
 * records are left out.
 */
export function findNamed(index: NameIndex, counts: NameCounts, text: string, visibility: Visibility): NamedIn[] {
  const tokens = toTokenText(text).split(' ')
  const [all, withoutYears] = [tokens.join(' '), tokens.filter((token) => !yearPattern.test(token)).join(' ')]
  const isNamed = (words: string) =>
    words === all || words === withoutYears || (words.includes(' ') && ` ${all} `.includes(` ${words} `))
  const found = listCandidates(index, tokens, toFolded(text).length).flatMap((name) => {
    const words = toTokenText(name.text)
    const count = isNamed(words) ? counts.countOf(name.kind, name.id, visibility) : 0
    return count > 0 ? [{ name, count, words }] : []
  })
  const isPart = ({ words }: NamedIn) => found.some((other) => other.words !== words && hasWords(other.words, words))
  return found
    .filter((each) => !isPart(each))
    .sort(compareNamed)
    .slice(0, maxNamed)
}

const hasWords = (text: string, words: string) => ` ${text} `.includes(` ${words} `)

/** Names that have a word of the query and are not longer than it. */
function listCandidates(index: NameIndex, tokens: readonly string[], maxLength: number): Name[] {
  const { lengths } = index.arrays()
  const found = new Set<Name>()
  let left = maxCompared
  for (const token of new Set(tokens)) {
    for (const number of index.namesWith(index.dictionary.find(token))) {
      if ((lengths[number] ?? 0) > maxLength || left-- <= 0) continue
      const name = index.get(number)
      if (name !== undefined) found.add(name)
    }
  }
  return [...found]
}

function compareNamed(a: NamedIn, b: NamedIn): number {
  return (
    b.words.length - a.words.length ||
    entryKinds.indexOf(a.name.kind) - entryKinds.indexOf(b.name.kind) ||
    b.count - a.count ||
    compareCodePoints(a.name.text, b.name.text)
  )
}

/**
 * Keeps the titles of categories up to date. Renaming one may change its row after its records, or without any of them,
 * so all are read again after every change. There are a few hundred.
 */
export function createCategoryNames(db: Database, index: NameIndex, counters: readonly (() => number)[]) {
  const readAll = db.query<{ id: number; text: string; slug: string }, []>(
    'SELECT id, title AS text, slug FROM category',
  )
  let known: readonly number[] = []

  /** Within the caller's transaction. */
  return async (): Promise<void> => {
    // Loaded before the rows: a change meanwhile is noticed by the next call.
    const current = counters.map((load) => load())
    // NaN, which means unknown, equals nothing.
    if (known.length > 0 && current.every((each, i) => each === known[i])) return
    const rows = await readAll.all()
    const found = new Set(rows.map(({ id }) => id))
    for (const id of index.listIds('category')) if (!found.has(id)) index.remove('category', id)
    for (const row of rows) index.set({ kind: 'category', ...row })
    known = current
  }
}
