import type { QueryWord } from '../../record/text/words.ts'
import type { Visibility } from '../../record/visibility.ts'
import type { SlotSet } from '../columns/slot-arrays.ts'
import { type Alternative, findTerms, type SearchTerm, toCorrected, type VisibleWords } from './alternatives.ts'
import { createMatches, type Matches } from './matches.ts'
import { createRanker, maxRankedTerms, weights } from './rank.ts'
import { findWord } from './segment.ts'
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

export interface BestQuery {
  readonly words: readonly QueryWord[]
  readonly visibility: Visibility
  /** The number of visible records. */
  readonly total: number
  /** How many of the best matches are wanted. */
  readonly limit: number
  /** The records that the filters of the list accept. */
  readonly accepted: SlotSet
  /** Whether the accepted records match even if the index has none of the words. */
  readonly isStrict: boolean
  /** The share of the query that a record must match, unless it is that of `match=best`. */
  readonly least?: number
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
  readonly corrected: { readonly [typed: string]: readonly string[] }
}

/** Finds the records that have most of the words of a query, best first (decision 42). */
export function createBestSearch(index: WordsIndex, records: RankedRecords, onStep: () => void) {
  const ranker = createRanker()

  function countVisible(word: number, visibility: Visibility): number {
    let count = 0
    for (const segment of index.segments()) {
      const { slots, dead, positions, starts } = segment
      const at = findWord(segment, word)
      for (let i = starts[at] ?? 0; at >= 0 && i < (starts[at + 1] ?? 0); i++) {
        const position = positions[i] ?? 0
        if (dead[position] === 0 && records.isVisible(slots[position] ?? 0, visibility)) count++
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
        const count = countVisible(word, visibility)
        counts.set(word, count)
        return count
      },
    }
  }

  return (query: BestQuery): BestMatches => {
    const words = createVisibleWords(query.visibility)
    const { terms, isPartial } = limitTerms(findTerms(query.words, words).slice(0, maxRankedTerms), words)
    const deps = {
      terms: terms.map((term) => ({ term, rarities: toRarities(term, words, query.total) })),
      accepted: query.accepted.flags,
      least: query.least ?? weights.least,
      newnessOf: (slot: number) => Math.max(0, Math.min(1, records.dayOf(slot) / newestDay)),
      onStep,
    }
    const matches = createMatches(query.limit, (slot, other) => isBefore(records, slot, other))
    if (terms.length > 0) for (const segment of index.segments()) ranker.rankSegment(segment, deps, matches)
    if (query.isStrict && (terms.length === 0 || query.words.every(isAccepted))) addRest(query.accepted, matches)
    return {
      count: matches.count(),
      isPartial,
      slots: matches.slots,
      take: matches.take,
      terms,
      corrected: toCorrected(terms, words),
    }
  }
}

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
  return Math.log(1 + (total - count + 0.5) / (count + 0.5))
}
