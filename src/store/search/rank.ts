import type { Alternative, SearchTerm } from './alternatives.ts'
import type { Matches } from './matches.ts'
import { fieldBits, fieldMask, maxTitlePosition, toFrequency, toTitlePosition } from './record-words.ts'
import { findWord, maxSegmentSize, type Segment } from './segment.ts'

/** The figures of the ranking; docs/search.md explains them. */
export const weights = {
  field: { title: 3.2, speakers: 2.1, tags: 0.8, category: 1.4, summary: 0.5, description: 0.75 },
  /** For words that occur once, twice, up to four times and more often in the texts. */
  frequency: [1, 1.25, 1.5, 1.7],
  /** How much a long title weakens its words. */
  titleLength: 0.2,
  /** How much long texts weaken their words. */
  size: 0.03,
  /** The share of the query's rarity that a record must match. */
  least: 0.3,
  /** The power of the matched share. */
  coverage: 1.2,
  /** For each two words that follow each other in the title as in the query. */
  nearness: 0.09,
  /** For a title that has no other words. */
  whole: 0.15,
  /** For the newest records. */
  recency: 0.1,
  /** What all pairs of a run of characters weigh together, in words. */
  run: 1,
}

/** A word of the query, and how rare each of its parts is. */
export interface RankedTerm {
  readonly term: SearchTerm
  readonly rarities: readonly number[]
}

export interface RankDeps {
  readonly terms: readonly RankedTerm[]
  /** 1 for the slots that can match. */
  readonly accepted: Uint8Array
  /** The share of the query's rarity that a record must match. */
  readonly least: number
  /** From 0 for the oldest records to 1 for the newest. */
  newnessOf(slot: number): number
  onStep(): void
}

export const maxRankedTerms = 16

/** Ranks one segment after the other; the accumulators are reused. */
export function createRanker() {
  const best = new Float64Array(maxSegmentSize)
  const totals = new Float64Array(maxSegmentSize)
  const shares = new Float64Array(maxSegmentSize)
  const matched = new Uint16Array(maxSegmentSize)
  /** Positions that any term matches, and those that the current part does. */
  const [touched, reached] = [new Uint16Array(maxSegmentSize), new Uint16Array(maxSegmentSize)]
  const titlePositions = Array.from({ length: maxRankedTerms }, () => new Uint8Array(maxSegmentSize))
  const [texts, titles, sizeFactors] = [toTextScores(), toTitleScores(), toSizeFactors()]
  let touchedCount = 0
  let reachedCount = 0

  /** The best alternative counts, not their sum. */
  function reach(segment: Segment, at: number, quality: number, places: Uint8Array): void {
    const { dead, titleLengths, sizes, positions, occurrences, starts } = segment
    const end = starts[at + 1] ?? 0
    for (let i = starts[at] ?? 0; i < end; i++) {
      const position = positions[i] ?? 0
      if (dead[position] === 1) continue
      const occurrence = occurrences[i] ?? 0
      const isInTitle = (occurrence & fieldBits.title) !== 0
      const text = texts[(occurrence & fieldMask) | (toFrequency(occurrence) << 6)] ?? 0
      const title = isInTitle ? (titles[titleLengths[position] ?? 0] ?? 0) : 0
      const score = quality * (title + text * (sizeFactors[sizes[position] ?? 0] ?? 0))
      const known = best[position] ?? 0
      if (known === 0) reached[reachedCount++] = position
      if (score <= known) continue
      best[position] = score
      places[position] = isInTitle ? toTitlePosition(occurrence) + 1 : 0
    }
  }

  function addPart(segment: Segment, alternatives: readonly Alternative[], rarity: number, t: number): void {
    const places = titlePositions[t]
    reachedCount = 0
    for (const { word, quality } of alternatives) {
      const at = findWord(segment, word)
      if (at >= 0 && places !== undefined) reach(segment, at, quality, places)
    }
    const bit = 1 << t
    for (let i = 0; i < reachedCount; i++) {
      const position = reached[i] ?? 0
      const mask = matched[position] ?? 0
      if (mask === 0) touched[touchedCount++] = position
      matched[position] = mask | bit
      totals[position] = (totals[position] ?? 0) + rarity * (best[position] ?? 0)
      shares[position] = (shares[position] ?? 0) + rarity
      best[position] = 0
    }
  }

  /** More for a title that has the words as the query has them, and for new records. */
  function toFactor(segment: Segment, position: number, mask: number, count: number, newness: number): number {
    let [words, near, last] = [0, 0, 0]
    for (let t = 0; t < count; t++) {
      const place = mask & (1 << t) ? (titlePositions[t]?.[position] ?? 0) : 0
      if (place > 0) words++
      if (last > 0 && place === last + 1 && place <= maxTitlePosition) near++
      last = place
    }
    const isWhole = words > 0 && words >= (segment.titleLengths[position] ?? 0)
    return 1 + weights.nearness * near + (isWhole ? weights.whole : 0) + weights.recency * newness
  }

  /** A search that was interrupted leaves its sums behind. */
  function forget(): void {
    for (let i = 0; i < touchedCount; i++) {
      const position = touched[i] ?? 0
      totals[position] = 0
      shares[position] = 0
      matched[position] = 0
    }
    touchedCount = 0
  }

  function rankSegment(segment: Segment, deps: RankDeps, matches: Matches): void {
    const { terms, accepted } = deps
    const wanted = terms.reduce((sum, { rarities }) => sum + rarities.reduce((all, each) => all + each, 0), 0)
    const maxFactor = 1 + weights.nearness * (terms.length - 1) + weights.whole + weights.recency
    forget()
    for (const [t, { term, rarities }] of terms.entries()) {
      for (const [p, part] of term.parts.entries()) addPart(segment, part, rarities[p] ?? 0, t)
      deps.onStep()
    }
    for (let i = 0; i < touchedCount; i++) {
      const position = touched[i] ?? 0
      const [total, share, mask] = [totals[position] ?? 0, (shares[position] ?? 0) / wanted, matched[position] ?? 0]
      totals[position] = 0
      shares[position] = 0
      matched[position] = 0
      const slot = segment.slots[position] ?? 0
      if (share < deps.least || accepted[slot] !== 1) continue
      matches.add(slot)
      const score = share === 1 ? total : total * share ** weights.coverage
      if (score * maxFactor < matches.threshold()) continue
      matches.offer(slot, score * toFactor(segment, position, mask, terms.length, deps.newnessOf(slot)))
    }
    touchedCount = 0
  }

  return { rankSegment }
}

/** Long texts have more words by chance. */
function toSizeFactors(): Float64Array {
  return Float64Array.from({ length: 256 }, (_, size) => 1 / (1 + weights.size * Math.max(0, size - 4)))
}

/** The score of a word outside the title, by fields and frequency. */
function toTextScores(): Float64Array {
  const { field, frequency } = weights
  const table = new Float64Array((fieldMask + 1) * frequency.length)
  for (let mask = 0; mask <= fieldMask; mask++) {
    const has = (name: keyof typeof field) => ((mask & fieldBits[name]) === 0 ? 0 : field[name])
    const names = has('speakers') + has('tags') + has('category')
    for (const [times, factor] of frequency.entries()) {
      table[mask | (times << 6)] = names + factor * Math.max(has('summary'), has('description'))
    }
  }
  return table
}

/** The score of a word of the title, by the length of the title. */
function toTitleScores(): Float64Array {
  return Float64Array.from(
    { length: 256 },
    (_, length) => weights.field.title / (1 + weights.titleLength * Math.log2(1 + length / 4)),
  )
}
