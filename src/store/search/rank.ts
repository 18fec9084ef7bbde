import type { Visibility } from '../../record/state.ts'
import type { QueryWord } from '../../record/text/words.ts'
import type { SlotSet } from '../columns/slots.ts'
import {
  type Alternative,
  findTerms,
  type Likeness,
  type SearchTerm,
  toCorrected,
  type VisibleWords,
} from './alternatives.ts'
import { createMatches, type Matches } from './matches.ts'
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
  return Math.log(1 + (total - count + 0.5) / (count + 0.5)) ** weights.rarity
}

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
interface RankedTerm {
  readonly term: SearchTerm
  readonly rarities: readonly number[]
}

interface RankDeps {
  readonly terms: readonly RankedTerm[]
  /** 1 for the slots that can match. */
  readonly accepted: Uint8Array
  /** The share of the query's rarity that a record must match. */
  readonly least: number
  /** From 0 for the oldest records to 1 for the newest. */
  newnessOf(slot: number): number
  onStep(): void
}

const maxRankedTerms = 16

/** Ranks one segment after the other; the accumulators are reused. */
function createRanker() {
  /** The score and the likeness of the best match of the current part, by position. */
  const [best, likenesses] = [new Float64Array(maxSegmentSize), new Float64Array(maxSegmentSize)]
  const totals = new Float64Array(maxSegmentSize)
  /** The rarity of the words that were matched at all, and the same by how alike they are. */
  const [shares, exact] = [new Float64Array(maxSegmentSize), new Float64Array(maxSegmentSize)]
  const matched = new Uint16Array(maxSegmentSize)
  /** Positions that any term matches, and those that the current part does. */
  const [touched, reached] = [new Uint16Array(maxSegmentSize), new Uint16Array(maxSegmentSize)]
  /** Which posting each term matches at each position, counted from 1. */
  const hits = Array.from({ length: maxRankedTerms }, () => new Uint32Array(maxSegmentSize))
  const [texts, titles, sizeFactors] = [toTextScores(), toTitleScores(), toSizeFactors()]
  let touchedCount = 0
  let reachedCount = 0

  /** The best alternative counts, not their sum. */
  function reach(segment: Segment, at: number, { quality, likeness }: Alternative, hit: Uint32Array): void {
    const { dead, titleLengths, sizes, positions, occurrences, starts } = segment
    const counted = fieldsOf[likeness]
    const end = starts[at + 1] ?? 0
    for (let i = starts[at] ?? 0; i < end; i++) {
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

  function addPart(segment: Segment, alternatives: readonly Alternative[], rarity: number, t: number): void {
    const hit = hits[t]
    reachedCount = 0
    for (const alternative of alternatives) {
      const at = findWord(segment, alternative.word)
      if (at >= 0 && hit !== undefined) reach(segment, at, alternative, hit)
    }
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
  }

  function rankSegment(segment: Segment, deps: RankDeps, matches: Matches): void {
    const { terms, accepted } = deps
    const wanted = terms.reduce((sum, { rarities }) => sum + rarities.reduce((all, each) => all + each, 0), 0)
    const maxNearness = Math.max(weights.nearness, weights.textNearness) * (terms.length - 1)
    const maxFactor = 1 + maxNearness + weights.whole + weights.recency
    // A search that was interrupted leaves its sums behind.
    for (let i = 0; i < touchedCount; i++) forget(touched[i] ?? 0)
    touchedCount = 0
    for (const [t, { term, rarities }] of terms.entries()) {
      for (const [p, part] of term.parts.entries()) addPart(segment, part, rarities[p] ?? 0, t)
      deps.onStep()
    }
    for (let i = 0; i < touchedCount; i++) {
      const position = touched[i] ?? 0
      const [total, mask] = [totals[position] ?? 0, matched[position] ?? 0]
      const [share, likeShare] = [(shares[position] ?? 0) / wanted, (exact[position] ?? 0) / wanted]
      forget(position)
      const slot = segment.slots[position] ?? 0
      if (share < deps.least || accepted[slot] !== 1) continue
      matches.add(slot)
      const score = likeShare === 1 ? total : total * likeShare ** weights.coverage
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
