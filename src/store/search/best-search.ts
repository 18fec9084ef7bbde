import type { Visibility } from '../../record/state.ts'
import type { QueryWord } from '../../record/text/words.ts'
import type { SlotSet } from '../columns/slots.ts'
import { type Alternative, findTerms, type SearchTerm, toCorrected, type VisibleWords } from './alternatives.ts'
import { createMatches, FoundMatches, type Matches } from './matches.ts'
import { createRanker, maxRankedTerms, type RankedTerm, weights } from './ranking.ts'
import { type FieldPostings, fieldBits, findWord, maxTitlePosition, type Segment, toTitlePosition } from './segment.ts'
import type { WordsIndex } from './words-index.ts'

/** What ranking needs to know of records, by slot. */
export interface RankedRecords {
  isVisible(slot: number, visibility: Visibility): boolean
  toId(slot: number): number
  /** Days since 1970; 0 if unknown. */
  dayOf(slot: number): number
  /** Moves whenever a record changes. */
  revision(): number
}

interface BestQuery {
  readonly words: readonly QueryWord[]
  readonly visibility: Visibility
  /** The number of visible records. */
  readonly total: number
  /** How many of the best matches are wanted. */
  readonly limit: number
  /** The records that the filters of the list accept. */
  readonly accepted: SlotSet
  /** The same without the filters, which decide nothing about the words. */
  readonly whole: SlotSet
  /** Whether the accepted records match even if the index has none of the words. */
  readonly isStrict: boolean
  /** Whether any of the words is enough: the accepted records are the matches of `match=all`, to be put in order. */
  readonly isAny?: boolean
}

export interface BestMatches {
  readonly count: number
  /** Whether words were left out because too many records have them. */
  readonly isPartial: boolean
  /** The slots of all matches, in no particular order. */
  slots(): Uint32Array
  /** The slots of these of the best matches, best first. */
  take(offset: number, limit: number): number[]
  readonly terms: readonly SearchTerm[]
  /** Whether too few records have all words, so that others have some of them, or words like them. */
  readonly isWidened: boolean
  /** How many of the matches have all words. */
  readonly completeCount: number
  /** Words as they were typed that no visible record has, in any form or spelling. */
  readonly unknown: readonly string[]
  readonly corrected: { readonly [typed: string]: readonly string[] }
}

/** Finds the records that have most of the words of a query, best first (decision 42). */
export function createBestSearch(index: WordsIndex, records: RankedRecords, onStep: () => void) {
  const ranker = createRanker()

  function countVisible(word: number, visibility: Visibility, toPostings: (segment: Segment) => FieldPostings): number {
    let count = 0
    for (const segment of index.segments()) {
      const { slots, dead } = segment
      const { positions, starts } = toPostings(segment)
      const at = findWord(segment, word)
      for (let i = starts[at] ?? 0; at >= 0 && i < (starts[at + 1] ?? 0); i++) {
        const position = positions[i] ?? 0
        if (dead[position] === 0 && records.isVisible(slots[position] ?? 0, visibility)) count++
      }
    }
    return count
  }

  function countPairs(first: number, second: number, visibility: Visibility): number {
    let count = 0
    for (const segment of index.segments()) {
      for (const position of listPairs(segment, first, second)) {
        if (records.isVisible(segment.slots[position] ?? 0, visibility)) count++
      }
    }
    return count
  }

  /** Counts are kept until a record changes. */
  const known = { revision: Number.NaN, all: new Map<number, number>(), live: new Map<number, number>() }

  function createVisibleWords(visibility: Visibility): VisibleWords {
    const revision = index.revision() + records.revision()
    if (revision !== known.revision) for (const each of [known.all, known.live]) each.clear()
    known.revision = revision
    const counts = known[visibility]
    return {
      dictionary: index.dictionary,
      countRecords(word) {
        const counted = counts.get(word)
        if (counted !== undefined) return counted
        onStep()
        const count = countVisible(word, visibility, (segment) => segment)
        counts.set(word, count)
        return count
      },
      countSpeakers: (word) => countVisible(word, visibility, ({ speakers }) => speakers),
      countPairs(first, second) {
        onStep()
        return countPairs(first, second, visibility)
      },
    }
  }

  return (query: BestQuery): BestMatches => {
    const words = createVisibleWords(query.visibility)
    const understood = findTerms(query.words, words)
    const known = understood.filter(({ parts }) => parts.length > 0)
    const { terms, isPartial } = limitTerms(known.slice(0, maxRankedTerms), words)
    const areNeeded = toNeeded(terms, query)
    const deps = {
      terms: terms.map((term, i): RankedTerm => {
        return { term, rarities: toRarities(term, words, query.total), isNeeded: areNeeded[i] === true }
      }),
      accepted: query.accepted.flags,
      whole: query.whole.flags,
      newnessOf: (slot: number) => Math.max(0, Math.min(1, records.dayOf(slot) / newestDay)),
      onStep,
    }
    const create = () => createMatches(query.limit, (slot, other) => isBefore(records, slot, other))
    const found = new FoundMatches(create, toEnough(areNeeded))
    if (terms.length > 0) for (const segment of index.segments()) ranker.rankSegment(segment, deps, found)
    if (query.isStrict && (terms.length === 0 || query.words.every(isAccepted))) addRest(query.accepted, found.all)
    const widened = found.findWidened()
    const matches = widened ?? found.all
    return {
      count: matches.count(),
      isPartial,
      slots: matches.slots,
      take: matches.take,
      terms,
      isWidened: widened !== null,
      completeCount: found.all.count(),
      unknown: understood.filter(isUnknown).map(({ typed }) => typed),
      corrected: toCorrected(terms, words),
    }
  }
}

/** The positions of the living records in which one word follows another, where they first occur. */
function listPairs(segment: Segment, first: number, second: number): number[] {
  const { starts, positions, dead } = segment
  const [a, b] = [findWord(segment, first), findWord(segment, second)]
  const found: number[] = []
  if (a < 0 || b < 0) return found
  let [i, j] = [starts[a] ?? 0, starts[b] ?? 0]
  const [endOfFirst, endOfSecond] = [starts[a + 1] ?? 0, starts[b + 1] ?? 0]
  while (i < endOfFirst && j < endOfSecond) {
    const [position, other] = [positions[i] ?? 0, positions[j] ?? 0]
    if (position === other && dead[position] === 0 && isPair(segment, i, j)) found.push(position)
    if (position <= other) i++
    if (other <= position) j++
  }
  return found
}

/** Whether one posting follows another of the same record, in the title or elsewhere. */
function isPair({ occurrences, places }: Segment, i: number, j: number): boolean {
  const [first, second] = [occurrences[i] ?? 0, occurrences[j] ?? 0]
  const end = toTitlePosition(second)
  const isInTitle = (first & second & fieldBits.title) !== 0 && end < maxTitlePosition
  const place = places[i] ?? 0
  return (isInTitle && end === toTitlePosition(first) + 1) || (place > 0 && places[j] === place + 1)
}

const isUnknown = ({ parts, isFunctionWord }: SearchTerm) => parts.length === 0 && !isFunctionWord

/**
 * Which words a record must have. Accepted records have the phrases. Function words are not needed, unless there are
 * no others: a talk that answers a question rarely repeats all of it.
 */
function toNeeded(terms: readonly SearchTerm[], { isAny = false }: BestQuery): boolean[] {
  const isLoose = ({ isAccepted: isOfPhrase }: SearchTerm) => isAny || isOfPhrase
  const hasContent = terms.some((term) => !isLoose(term) && !term.isFunctionWord)
  return terms.map((term) => !isLoose(term) && !(hasContent && term.isFunctionWord))
}

/** Of many words, one may be remembered wrongly: then few records with all of them may not be the best. */
const toEnough = (areNeeded: readonly boolean[]) => (areNeeded.filter(Boolean).length >= 4 ? 20 : 1)

/** Whether all accepted records have the word. Literal words are not in the index that accepts phrases. */
const isAccepted = ({ isOfPhrase, isLiteral }: QueryWord) => isOfPhrase && !isLiteral

/** Adds accepted records without any of the words: those of a long record are not all in the index. */
function addRest({ flags }: SlotSet, matches: Matches): void {
  const rest = flags.slice()
  for (const slot of matches.slots()) rest[slot] = 0
  for (let slot = rest.indexOf(1); slot >= 0; slot = rest.indexOf(1, slot + 1)) {
    matches.add(slot)
    matches.offer(slot, 0)
  }
}

/** A search looks at this many occurrences of words at most, in about 50 ms. */
const maxPostings = 8_000_000

/** Leaves out what brings least and costs most: first the less alike words, then the most frequent ones. */
function limitTerms(
  terms: readonly SearchTerm[],
  { countRecords }: VisibleWords,
): { readonly terms: readonly SearchTerm[]; readonly isPartial: boolean } {
  const all = terms.flatMap(({ parts }) => parts.flat())
  const costs = new Map(all.map((each) => [each, countRecords(each.word)]))
  if ([...costs.values()].reduce((sum, cost) => sum + cost, 0) <= maxPostings) return { terms, isPartial: false }
  const kept = new Set<Alternative>()
  let left = maxPostings
  for (const each of all.sort((a, b) => b.quality - a.quality || (costs.get(a) ?? 0) - (costs.get(b) ?? 0))) {
    const cost = costs.get(each) ?? 0
    if (cost > left) continue
    kept.add(each)
    left -= cost
  }
  const keep = (term: SearchTerm) => {
    const parts = term.parts.map((part) => part.filter((each) => kept.has(each))).filter((part) => part.length > 0)
    return parts.length === 0 ? [] : [{ ...term, parts }]
  }
  return { terms: terms.flatMap(keep), isPartial: true }
}

/** Days on a scale that does not depend on the clock: from 1970 to 2050. */
const newestDay = 80 * 365

/** Of equally good records the newer one comes first, then the one with the smaller id. */
export function isBefore({ dayOf, toId }: RankedRecords, slot: number, other: number): boolean {
  return dayOf(slot) === dayOf(other) ? toId(slot) < toId(other) : dayOf(slot) > dayOf(other)
}

/** The parts of a word share the weight of a word. */
function toRarities({ parts }: SearchTerm, words: VisibleWords, total: number): number[] {
  const scale = parts.length === 1 ? 1 : weights.run / parts.length
  return parts.map((part) => scale * toRarity(part, words, total))
}

/** How rare a word is: that of the word itself, or of all its alternatives together. */
function toRarity(alternatives: readonly Alternative[], { countRecords }: VisibleWords, total: number): number {
  const same = alternatives.filter(({ likeness }) => likeness === 'same')
  const counted = same.length > 0 ? same : alternatives
  const count = Math.min(
    total,
    counted.reduce((sum, { word }) => sum + countRecords(word), 0),
  )
  return Math.log(1 + (total - count + 0.5) / (count + 0.5)) ** weights.rarity
}
