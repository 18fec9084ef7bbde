import type { Alternative, Likeness, SearchTerm } from './alternatives.ts'
import type { FoundMatches } from './matches.ts'
import {
  fieldBitCount,
  fieldBits,
  fieldMask,
  findWord,
  maxSegmentSize,
  maxTitlePosition,
  type Segment,
  toFrequency,
  toTitlePosition,
} from './segment.ts'

/** The figures of the ranking; docs/search.md explains them. */
export const weights = {
  /** `year` is that of the recording. */
  field: { title: 5, speakers: 2.1, tags: 0.8, category: 1.4, year: 5, summary: 0.5, description: 0.75 },
  /** For words that occur once, twice, up to four times and more often in the texts. */
  frequency: [1, 1.25, 1.5, 1.7],
  /** The power of the rarity: with 1, the rarest word decides almost alone. */
  rarity: 0.8,
  /** How much a long title weakens its words. */
  titleLength: 0.2,
  /** How much long texts weaken their words. */
  size: 0.03,
  /** The share of the query's rarity that a record must match. */
  least: 0.3,
  /** The power of the matched share. */
  coverage: 1.2,
  /** The power of the likeness by which a word counts as matched. */
  exactness: 0.5,
  /** For each two words that follow each other in the title as in the query. */
  nearness: 0.2,
  /** For each two words that are near each other elsewhere. */
  textNearness: 0.15,
  /** For a title that has no other words. */
  whole: 0.3,
  /** For the newest records. */
  recency: 0.1,
  /** What all pairs of a run of characters weigh together, in words. */
  run: 1,
}

/** Words are near each other if the second one comes so many words after the first, or earlier. */
const maxDistance = 3

/** The fields in which a likeness counts: other forms are rarely those of a name, and only people have nicknames. */
const fieldsOf: { readonly [L in Likeness]: number } = {
  same: fieldMask,
  joined: fieldMask,
  form: fieldMask & ~fieldBits.speakers,
  nameForm: fieldMask,
  nickname: fieldBits.speakers,
  beginning: fieldMask,
  part: fieldMask & ~fieldBits.speakers,
  spelling: fieldMask,
}

/** A word of the query, and how rare each of its parts is. */
export interface RankedTerm {
  readonly term: SearchTerm
  readonly rarities: readonly number[]
  /** Whether a record without it does not have all words. */
  readonly isNeeded: boolean
}

interface RankDeps {
  readonly terms: readonly RankedTerm[]
  /** 1 for the slots that can match. */
  readonly accepted: Uint8Array
  /** The same without the filters of the list. */
  readonly whole: Uint8Array
  /** From 0 for the oldest records to 1 for the newest. */
  newnessOf(slot: number): number
  onStep(): void
}

export const maxRankedTerms = 16

/** Ranks one segment after the other; the accumulators are reused. */
export function createRanker() {
  /** The score and the likeness of the best match of the current part, by position. */
  const [best, likenesses] = [new Float64Array(maxSegmentSize), new Float64Array(maxSegmentSize)]
  const totals = new Float64Array(maxSegmentSize)
  /** The rarity of the words that were matched at all, and the same by how alike they are. */
  const [shares, exact] = [new Float64Array(maxSegmentSize), new Float64Array(maxSegmentSize)]
  const matched = new Uint16Array(maxSegmentSize)
  /** How many parts of needed words each position has. */
  const complete = new Uint16Array(maxSegmentSize)
  /** Positions that any term matches, and those that the current part does. */
  const [touched, reached] = [new Uint16Array(maxSegmentSize), new Uint16Array(maxSegmentSize)]
  /** Which posting each term matches at each position, counted from 1. */
  const hits = Array.from({ length: maxRankedTerms }, () => new Uint32Array(maxSegmentSize))
  const [texts, titles, sizeFactors] = [toTextScores(), toTitleScores(), toSizeFactors()]
  let touchedCount = 0
  let reachedCount = 0

  /** The best alternative counts, not their sum. */
  function reach(segment: Segment, index: number, { quality, likeness }: Alternative, hit: Uint32Array): void {
    const { dead, titleLengths, sizes, positions, occurrences, starts } = segment
    const counted = fieldsOf[likeness]
    const end = starts[index + 1] ?? 0
    for (let i = starts[index] ?? 0; i < end; i++) {
      const position = positions[i] ?? 0
      const occurrence = occurrences[i] ?? 0
      const fields = occurrence & counted
      if (fields === 0 || dead[position] === 1) continue
      const text = texts[fields | (toFrequency(occurrence) << fieldBitCount)] ?? 0
      const title = (fields & fieldBits.title) === 0 ? 0 : (titles[titleLengths[position] ?? 0] ?? 0)
      const score = quality * (title + text * (sizeFactors[sizes[position] ?? 0] ?? 0))
      const known = best[position] ?? 0
      if (known === 0) reached[reachedCount++] = position
      if (score <= known) continue
      best[position] = score
      likenesses[position] = quality
      hit[position] = i + 1
    }
  }

  function reachAll(segment: Segment, alternatives: readonly Alternative[], t: number): void {
    const hit = hits[t]
    for (const alternative of alternatives) {
      const index = findWord(segment, alternative.word)
      if (index >= 0 && hit !== undefined) reach(segment, index, alternative, hit)
    }
  }

  function addPart(
    segment: Segment,
    alternatives: readonly Alternative[],
    { rarity, isNeeded }: { readonly rarity: number; readonly isNeeded: boolean },
    t: number,
  ): void {
    reachedCount = 0
    const near = alternatives.filter(({ isNear }) => isNear)
    reachAll(segment, near.length === 0 ? alternatives : alternatives.filter(({ isNear }) => !isNear), t)
    for (let i = 0; isNeeded && i < reachedCount; i++) {
      const position = reached[i] ?? 0
      complete[position] = (complete[position] ?? 0) + 1
    }
    reachAll(segment, near, t)
    const bit = 1 << t
    // The best alternative of a word that no record has counts as the word itself.
    const most = alternatives[0]?.quality ?? 1
    for (let i = 0; i < reachedCount; i++) {
      const position = reached[i] ?? 0
      const mask = matched[position] ?? 0
      if (mask === 0) touched[touchedCount++] = position
      matched[position] = mask | bit
      const likeness = likenesses[position] ?? 0
      totals[position] = (totals[position] ?? 0) + rarity * (best[position] ?? 0)
      shares[position] = (shares[position] ?? 0) + rarity
      exact[position] =
        (exact[position] ?? 0) + (likeness === most ? rarity : rarity * (likeness / most) ** weights.exactness)
      best[position] = 0
    }
  }

  /** More for words that stand together as in the query, for a title that has no others, and for new records. */
  function toFactor(segment: Segment, position: number, mask: number, count: number, newness: number): number {
    const { occurrences, places, titleLengths } = segment
    let [inTitle, near, nearText, last, lastPlace] = [0, 0, 0, 0, 0]
    for (let t = 0; t < count; t++) {
      const hit = mask & (1 << t) ? (hits[t]?.[position] ?? 0) - 1 : -1
      const occurrence = occurrences[hit] ?? 0
      const title = (occurrence & fieldBits.title) === 0 ? 0 : toTitlePosition(occurrence) + 1
      const place = places[hit] ?? 0
      if (title > 0) inTitle++
      if (last > 0 && title === last + 1 && title <= maxTitlePosition) near++
      else if (lastPlace > 0 && place > lastPlace && place <= lastPlace + maxDistance) nearText++
      last = title
      lastPlace = place
    }
    const isWhole = inTitle > 0 && inTitle >= (titleLengths[position] ?? 0)
    const nearness = weights.nearness * near + weights.textNearness * nearText
    return 1 + nearness + (isWhole ? weights.whole : 0) + weights.recency * newness
  }

  function forget(position: number): void {
    totals[position] = 0
    shares[position] = 0
    exact[position] = 0
    matched[position] = 0
    complete[position] = 0
  }

  function addTerms(segment: Segment, { terms, onStep }: RankDeps): void {
    // A search that was interrupted leaves its sums behind.
    for (let i = 0; i < touchedCount; i++) forget(touched[i] ?? 0)
    touchedCount = 0
    for (const [t, { term, rarities, isNeeded }] of terms.entries()) {
      for (const [p, part] of term.parts.entries()) addPart(segment, part, { rarity: rarities[p] ?? 0, isNeeded }, t)
      onStep()
    }
  }

  function rankSegment(segment: Segment, deps: RankDeps, found: FoundMatches): void {
    const { terms, accepted, whole } = deps
    const needed = terms.reduce((sum, { term, isNeeded }) => sum + (isNeeded ? term.parts.length : 0), 0)
    const wanted = terms.reduce((sum, { rarities }) => sum + rarities.reduce((rest, each) => rest + each, 0), 0)
    const maxNearness = Math.max(weights.nearness, weights.textNearness) * (terms.length - 1)
    const maxFactor = 1 + maxNearness + weights.whole + weights.recency
    addTerms(segment, deps)
    for (let i = 0; i < touchedCount; i++) {
      const position = touched[i] ?? 0
      const [total, mask] = [totals[position] ?? 0, matched[position] ?? 0]
      const [share, likeShare] = [(shares[position] ?? 0) / wanted, (exact[position] ?? 0) / wanted]
      const missing = needed - (complete[position] ?? 0)
      forget(position)
      const slot = segment.slots[position] ?? 0
      if (whole[slot] !== 1 || (missing > 0 && share < weights.least)) continue
      const isAccepted = accepted[slot] === 1
      const score = likeShare === 1 ? total : total * likeShare ** weights.coverage
      if (score * maxFactor < found.add(slot, missing, isAccepted)) continue
      found.offer(slot, score * toFactor(segment, position, mask, terms.length, deps.newnessOf(slot)), isAccepted)
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
    const names = has('speakers') + has('tags') + Math.max(has('category'), has('year'))
    for (const [times, factor] of frequency.entries()) {
      table[mask | (times << fieldBitCount)] = names + factor * Math.max(has('summary'), has('description'))
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
