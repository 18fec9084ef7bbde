import type { QueryWord } from '../../record/text/words.ts'
import type { Visibility } from '../../record/visibility.ts'
import type { SlotSet } from '../columns/select.ts'
import { type Alternative, findTerms, type SearchTerm, toCorrected, type VisibleWords } from './alternatives.ts'
import { createMatches } from './matches.ts'
import { createRanker, maxRankedTerms, weights } from './rank.ts'
import type { WordsIndex } from './words-index.ts'

/** What ranking needs to know of records, by slot. */
export interface RankedRecords {
  isVisible(slot: number, visibility: Visibility): boolean
  toId(slot: number): number
  /** Days since 1970; 0 if unknown. */
  dayOf(slot: number): number
}

export interface BestQuery {
  readonly words: readonly QueryWord[]
  readonly visibility: Visibility
  /** The number of visible records. */
  readonly total: number
  /** The records that the filters of the list accept. */
  readonly accepted: SlotSet
  /** Whether the accepted records match even if the index has none of the words. */
  readonly isStrict: boolean
}

export interface BestMatches {
  readonly count: number
  /** The slots of all matches, in no particular order. */
  slots(): Uint32Array
  /** The slots of the best matches, best first. */
  takeBest(limit: number): number[]
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
    const needs = {
      terms: terms.map((term) => ({ term, rarities: toRarities(term, words, query.total) })),
      isCandidate: (slot: number) => query.accepted.flags[slot] === 1,
      newnessOf: (slot: number) => Math.max(0, Math.min(1, records.dayOf(slot) / newestDay)),
      onStep,
    }
    const matches = createMatches()
    if (terms.length > 0) for (const segment of index.segments()) ranker.rankSegment(segment, needs, matches)
    else if (query.isStrict)
      for (const [slot, flag] of query.accepted.flags.entries()) if (flag === 1) matches.add(slot, 0)
    return {
      count: matches.count(),
      slots: matches.slots,
      takeBest: (limit) => matches.takeBest(limit, (slot, other) => isBefore(records, slot, other)),
      terms,
      corrected: toCorrected(terms, words),
    }
  }
}

/** Days on a scale that does not depend on the clock: from 1970 to 2050. */
const newestDay = 80 * 365

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
