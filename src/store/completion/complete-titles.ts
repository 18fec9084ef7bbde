import type { Visibility } from '../../record/state.ts'
import { isBefore, type RankedRecords } from '../search/best-search.ts'
import { type FieldPostings, findWord, maxSegmentSize, type Segment } from '../search/segment.ts'
import type { WordsIndex } from '../search/words-index.ts'
import { listMatchedWords, type MatchedWord, type Strictness, type TypedWord } from './typed-words.ts'

interface TypedTitleQuery {
  readonly words: readonly TypedWord[]
  readonly visibility: Visibility
  readonly strictness: Strictness
  readonly limit: number
}

/** The slot of a record, and how many errors were forgiven. */
export interface FoundTitle {
  readonly slot: number
  readonly edits: number
}

/** A search for titles looks at about this many words of titles, in a few milliseconds. */
const maxPostings = 60_000
/** A beginning of two letters has thousands of words; the most frequent ones are looked for. */
const maxMatched = 128
/** Looking for one position takes as long as looking at so many. */
const probeCost = 16

/**
 * Finds the slots of records that have all typed words in their titles, or some of them in the names of their speakers:
 * the least forgiven first, then those with all words in their titles, then the newest.
 */
export function createTitleSearch(index: WordsIndex, records: RankedRecords, onStep: () => void) {
  /** As in `complete-names.ts`, by position. */
  const reached = new Uint32Array(maxSegmentSize)
  const edits = new Uint8Array(maxSegmentSize)
  /** How many of the typed words stand in the title. */
  const inTitle = new Uint8Array(maxSegmentSize)
  let base = 0

  /** How many words of titles may still be looked at. */
  let left = 0

  /** The positions that have one of these words, of those that have all words before. */
  function keep({ dead }: Segment, lists: readonly Postings[], at: number, before: readonly number[]): number[] {
    const kept: number[] = []
    const look = (position: number, { edits: more, isTitle }: Postings) => {
      const last = reached[position] ?? 0
      if (at === 0 ? last > base || dead[position] === 1 : last !== base + at) return
      reached[position] = base + at + 1
      edits[position] = (at === 0 ? 0 : (edits[position] ?? 0)) + more
      inTitle[position] = (at === 0 ? 0 : (inTitle[position] ?? 0)) + (isTitle ? 1 : 0)
      kept.push(position)
    }
    for (const list of lists) {
      const { positions, from, to } = list
      const isProbed = at > 0 && to - from > probeCost * before.length
      const end = Math.min(to, from + Math.max(0, left))
      left -= isProbed ? probeCost * before.length : end - from
      if (isProbed) {
        for (const position of before) if (hasPosition(positions, from, to, position)) look(position, list)
      } else for (let i = from; i < end; i++) look(positions[i] ?? 0, list)
    }
    return kept
  }

  function search(segment: Segment, matched: readonly MatchedWord[][], newest: Newest): void {
    if (base > 0xfffffe00) {
      reached.fill(0)
      base = 0
    }
    let kept: readonly number[] = []
    for (const [at, words] of matched.entries()) {
      kept = keep(segment, toPostings(segment, words), at, kept)
      if (kept.length === 0) break
    }
    for (const position of kept) {
      const words = inTitle[position] ?? 0
      // The speakers alone are suggested as names.
      if (words === 0) continue
      const isBySpeaker = words < matched.length
      newest.offer(segment.slots[position] ?? 0, (edits[position] ?? 0) * 2 + (isBySpeaker ? 1 : 0))
    }
    base += matched.length + 1
  }

  return ({ words, visibility, strictness, limit }: TypedTitleQuery): FoundTitle[] => {
    const segments = sortByNewest(index.segments(), records)
    const sample = segments.toSorted((a, b) => b.slots.length - a.slots.length)[0]
    if (sample === undefined || words.length === 0) return []
    const matched: MatchedWord[][] = []
    for (const word of words) {
      onStep()
      const found = limitMatched(listMatchedWords(index.dictionary, word, strictness), sample)
      if (found.length === 0) return []
      matched.push(found)
    }
    const counted = matched.map((each) => ({ each, count: countPostings(sample, each) }))
    const rarestFirst = counted.sort((a, b) => a.count - b.count).map(({ each }) => each)
    const newest = createNewest(records, visibility, limit)
    left = maxPostings
    for (const segment of segments) {
      onStep()
      if (left > 0) search(segment, rarestFirst, newest)
    }
    return newest.list()
  }
}

/** The postings of a word in the titles of a segment, or in the names of its speakers. */
interface Postings {
  readonly positions: Uint16Array
  readonly from: number
  readonly to: number
  readonly edits: number
  readonly isTitle: boolean
}

/** Titles come first: a word that both have counts as one of the title. */
function toPostings(segment: Segment, words: readonly MatchedWord[]): Postings[] {
  const found = words.map(({ word, edits }) => ({ edits, at: findWord(segment, word) }))
  const lists: Postings[] = []
  for (const isTitle of [true, false]) {
    const { starts, positions } = isTitle ? segment.titles : segment.speakers
    for (const { at, edits } of found) {
      const [from, to] = at < 0 ? [0, 0] : [starts[at] ?? 0, starts[at + 1] ?? 0]
      if (from < to) lists.push({ positions, from, to, edits, isTitle })
    }
  }
  return lists.sort((a, b) => a.edits - b.edits)
}

const countAt = ({ starts }: FieldPostings, index: number) => (starts[index + 1] ?? 0) - (starts[index] ?? 0)

function countPostings(segment: Segment, words: readonly MatchedWord[]): number {
  return words.reduce((sum, { word }) => {
    const index = findWord(segment, word)
    return index < 0 ? sum : sum + countAt(segment.titles, index) + countAt(segment.speakers, index)
  }, 0)
}

/** The most frequent words of titles, measured in one segment. The least forgiven come first. */
function limitMatched(words: MatchedWord[], sample: Segment): MatchedWord[] {
  if (words.length <= maxMatched) return words
  const toCount = ({ word }: MatchedWord) => {
    const position = findWord(sample, word)
    return position < 0 ? 0 : countAt(sample.titles, position)
  }
  // A count and an index in one number: sorting numbers is ten times as fast as sorting by a function.
  const size = words.length
  const ranks = Float64Array.from(words, (word, i) => toCount(word) * size + (size - 1 - i)).sort()
  const frequent = Array.from(ranks.subarray(-maxMatched), (rank) => words[size - 1 - (rank % size)] ?? nothing)
  return frequent.sort((a, b) => a.edits - b.edits)
}

const nothing: MatchedWord = { word: -1, edits: 0 }

/** By the ids of their records, so that the newest records are looked at before the limit is reached. */
function sortByNewest(segments: readonly Segment[], { toId }: RankedRecords): Segment[] {
  const toNewest = ({ slots }: Segment) => Math.max(toId(slots[0] ?? 0), toId(slots.at(-1) ?? 0))
  return segments.toSorted((a, b) => toNewest(b) - toNewest(a))
}

/** Whether a position is among the ascending ones of a word. */
function hasPosition(positions: Uint16Array, from: number, to: number, position: number): boolean {
  let [low, high] = [from, to - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = positions[middle] ?? 0
    if (found === position) return true
    if (found < position) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** The newest visible records of those with the lowest penalty. */
interface Newest {
  offer(slot: number, penalty: number): void
  /** Best first. */
  list(): FoundTitle[]
}

function createNewest(records: RankedRecords, visibility: Visibility, limit: number): Newest {
  const best: { readonly slot: number; readonly penalty: number }[] = []
  /** What the last one has, so that most records are refused by two comparisons. */
  let [mostPenalty, oldestDay] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  return {
    offer(slot, penalty) {
      if (penalty > mostPenalty || (penalty === mostPenalty && records.dayOf(slot) < oldestDay)) return
      if (!records.isVisible(slot, visibility)) return
      const index = best.findIndex((other) =>
        penalty === other.penalty ? isBefore(records, slot, other.slot) : penalty < other.penalty,
      )
      best.splice(index < 0 ? best.length : index, 0, { slot, penalty })
      if (best.length > limit) best.pop()
      const last = best.length === limit ? best.at(-1) : undefined
      if (last !== undefined) [mostPenalty, oldestDay] = [last.penalty, records.dayOf(last.slot)]
    },
    list: () => best.map(({ slot, penalty }) => ({ slot, edits: penalty >> 1 })),
  }
}
