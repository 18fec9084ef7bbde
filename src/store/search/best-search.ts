import type { QueryWord } from '../../record/text/words.ts'
import type { Visibility } from '../../record/visibility.ts'
import { type Alternative, findTerms, type SearchTerm, toCorrected, type VisibleWords } from './alternatives.ts'
import { createMatches } from './matches.ts'
import { createRanker, maxRankedTerms, weights } from './rank.ts'
import type { WordsIndex } from './words-index.ts'

/** What ranking needs to know of records, by slot. */
export interface RankedRecords {
  isVisible(slot: number, visibility: Visibility): boolean
  countVisible(visibility: Visibility): number
  toId(slot: number): number
  /** Days since 1970; 0 if unknown. */
  dayOf(slot: number): number
  /** The newest of all. */
  lastDay(): number
}

export interface BestQuery {
  readonly words: readonly QueryWord[]
  readonly visibility: Visibility
  /** Whether the filters of the list accept a visible record. */
  isAccepted(slot: number): boolean
  /** How many of the best matches are wanted. */
  readonly limit: number
}

export interface BestMatches {
  readonly count: number
  /** Best first. */
  readonly slots: readonly number[]
  readonly terms: readonly SearchTerm[]
  readonly corrected: { readonly [typed: string]: readonly string[] }
}

/** Finds the records that have most of the words of a query, best first (ADR 42). */
export function createBestSearch(index: WordsIndex, records: RankedRecords, onStep: () => void) {
  const ranker = createRanker()

  function countVisible(word: number, visibility: Visibility): number {
    let count = 0
    for (const segment of index.segments()) {
      const found = segment.findPostings(word)
      if (found === null) continue
      for (let at = found.from; at < found.to; at++) {
        const position = found.positions[at] ?? 0
        if (segment.dead[position] === 0 && records.isVisible(segment.slots[position] ?? 0, visibility)) count++
      }
    }
    return count
  }

  function createVisibleWords(visibility: Visibility): VisibleWords {
    const counts = new Map<number, number>()
    return {
      dictionary: index.dictionary,
      countRecords(word) {
        const known = counts.get(word) ?? countVisible(word, visibility)
        counts.set(word, known)
        return known
      },
    }
  }

  return (query: BestQuery): BestMatches => {
    const words = createVisibleWords(query.visibility)
    const terms = findTerms(query.words, words).slice(0, maxRankedTerms)
    const ranked = terms.map((term) => ({
      term,
      rarities: toRarities(term, words, records.countVisible(query.visibility)),
    }))
    const newest = records.lastDay()
    const matches = createMatches()
    const needs = {
      terms: ranked,
      isCandidate: (slot: number) => records.isVisible(slot, query.visibility) && query.isAccepted(slot),
      newnessOf: (slot: number) => 1 / (1 + Math.max(0, newest - records.dayOf(slot)) / daysToHalf),
      onStep,
    }
    for (const segment of index.segments()) ranker.rankSegment(segment, needs, matches)
    return {
      count: matches.count(),
      slots: matches.takeBest(query.limit, (slot, other) => isBefore(records, slot, other)),
      terms,
      corrected: toCorrected(terms, words),
    }
  }
}

const daysToHalf = 4 * 365

/** Of equally good records the newer one comes first, then the one with the smaller id. */
function isBefore({ dayOf, toId }: RankedRecords, slot: number, other: number): boolean {
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
