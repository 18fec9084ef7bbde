import type { VideoRecord } from '../../record/record.ts'
import type { searched } from '../../record/text/search-text.ts'
import { toWords } from '../../record/text/words.ts'
import { countFlags } from '../columns/record-data.ts'
import type { Dictionary } from './dictionary.ts'

/** Positions in a segment have 16 bits. */
export const maxSegmentSize = 65_536

/**
 * Which of its records have which words, in flat arrays that never change (decision 42). The postings of a word are the
 * positions of the records that have it, with where it occurs (`RecordWords`).
 */
export interface SegmentArrays {
  /** The slot of the record at each position. */
  readonly slots: Uint32Array
  readonly titleLengths: Uint8Array
  readonly sizes: Uint8Array
  /** Numbers of words, ascending. */
  readonly words: Uint32Array
  /** Where the postings of each word begin; one entry more than `words`. */
  readonly starts: Uint32Array
  readonly positions: Uint16Array
  readonly occurrences: Uint16Array
  readonly places: Uint16Array
}

export interface Segment extends SegmentArrays {
  /** The postings of words in titles alone, a tenth of all, and those in the names of speakers. */
  readonly titles: FieldPostings
  readonly speakers: FieldPostings
  /** 1 for records that were replaced or removed since. */
  readonly dead: Uint8Array<ArrayBuffer>
  /** How many of them there are. */
  deadCount: number
}

export interface FieldPostings {
  /** Where the postings of each word begin; as `starts`. */
  readonly starts: Uint32Array
  readonly positions: Uint16Array
}

export function createSegment(arrays: SegmentArrays, dead = new Uint8Array(arrays.slots.length)): Segment {
  const [titles, speakers] = [toPostingsIn(arrays, fieldBits.title), toPostingsIn(arrays, fieldBits.speakers)]
  return { ...arrays, titles, speakers, dead, deadCount: countFlags(dead) }
}

function toPostingsIn({ words, starts, positions, occurrences }: SegmentArrays, bit: number): FieldPostings {
  let count = 0
  for (let i = 0; i < occurrences.length; i++) if (((occurrences[i] ?? 0) & bit) !== 0) count++
  const found = { starts: new Uint32Array(words.length + 1), positions: new Uint16Array(count) }
  let end = 0
  for (let word = 0; word < words.length; word++) {
    for (let i = starts[word] ?? 0; i < (starts[word + 1] ?? 0); i++) {
      if (((occurrences[i] ?? 0) & bit) !== 0) found.positions[end++] = positions[i] ?? 0
    }
    found.starts[word + 1] = end
  }
  return found
}

export const countLiving = ({ slots, deadCount }: Segment) => slots.length - deadCount

/** The index of a word in `words`; -1 if no record has it. */
export function findWord({ words }: SegmentArrays, word: number): number {
  let [low, high] = [0, words.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = words[middle] ?? 0
    if (found === word) return middle
    if (found < word) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** One segment of the living records of several. */
export function mergeSegments(parts: readonly Segment[]): Segment {
  const { moved, ...records } = movePositions(parts)
  const total = parts.reduce((sum, { positions }) => sum + positions.length, 0)
  const maxWords = parts.reduce((sum, { words }) => sum + words.length, 0)
  const [words, starts] = [new Uint32Array(maxWords), new Uint32Array(maxWords + 1)]
  const [positions, occurrences, places] = [new Uint16Array(total), new Uint16Array(total), new Uint16Array(total)]
  const next = parts.map(() => 0)
  let [count, end] = [0, 0]
  for (let word = findLeast(parts, next); word >= 0; word = findLeast(parts, next)) {
    for (const [p, part] of parts.entries()) {
      const index = next[p] ?? 0
      if (part.words[index] !== word) continue
      next[p] = index + 1
      const renumbered = moved[p] ?? part.positions
      for (let i = part.starts[index] ?? 0; i < (part.starts[index + 1] ?? 0); i++) {
        const position = part.positions[i] ?? 0
        if (part.dead[position] === 1) continue
        positions[end] = renumbered[position] ?? 0
        places[end] = part.places[i] ?? 0
        occurrences[end++] = part.occurrences[i] ?? 0
      }
    }
    // A word that only dead records had is dropped.
    if (end > (starts[count] ?? 0)) {
      words[count++] = word
      starts[count] = end
    }
  }
  return createSegment({
    ...records,
    words: words.slice(0, count),
    starts: starts.slice(0, count + 1),
    positions: positions.slice(0, end),
    occurrences: occurrences.slice(0, end),
    places: places.slice(0, end),
  })
}

/** The smallest word that comes next in any part; -1 at the end. */
function findLeast(parts: readonly Segment[], next: readonly number[]): number {
  let least = -1
  for (const [p, { words }] of parts.entries()) {
    const word = words[next[p] ?? 0]
    if (word !== undefined && (least < 0 || word < least)) least = word
  }
  return least
}

function movePositions(parts: readonly Segment[]) {
  const size = parts.reduce((sum, part) => sum + countLiving(part), 0)
  const [slots, titleLengths, sizes] = [new Uint32Array(size), new Uint8Array(size), new Uint8Array(size)]
  let end = 0
  const moved = parts.map((part) => {
    const renumbered = new Uint16Array(part.slots.length)
    for (let position = 0; position < part.slots.length; position++) {
      if (part.dead[position] === 1) continue
      renumbered[position] = end
      slots[end] = part.slots[position] ?? 0
      titleLengths[end] = part.titleLengths[position] ?? 0
      sizes[end++] = part.sizes[position] ?? 0
    }
    return renumbered
  })
  return { moved, slots, titleLengths, sizes }
}

/** Collects the words of records in order of arrival, and sorts them by word at the end. */
interface SegmentBuilder {
  /** Returns the position. */
  add(slot: number, record: RecordWords): number
  /** The record is left out. */
  remove(position: number): void
  size(): number
  /** Empties the builder. */
  build(): Segment
}

const firstSize = 1024

export function createSegmentBuilder(): SegmentBuilder {
  let slots: number[] = []
  let titleLengths: number[] = []
  let sizes: number[] = []
  let removed = new Set<number>()
  /** One entry per word of each record. */
  let words = new Uint32Array(firstSize)
  let positions = new Uint16Array(firstSize)
  let occurrences = new Uint16Array(firstSize)
  let places = new Uint16Array(firstSize)
  let end = 0

  function reserve(count: number): void {
    if (end + count <= words.length) return
    const size = 2 * (end + count)
    words = copy(words, new Uint32Array(size))
    positions = copy(positions, new Uint16Array(size))
    occurrences = copy(occurrences, new Uint16Array(size))
    places = copy(places, new Uint16Array(size))
  }

  /** Entries in the order of their words; those of a word stay in the order of their positions. */
  function sortEntries(): Uint32Array {
    let largest = 0
    for (let i = 0; i < end; i++) largest = Math.max(largest, words[i] ?? 0)
    // For a few records, counting all words would take longer than comparing some.
    if (end < largest / 8) return Uint32Array.from({ length: end }, (_, i) => i).sort(compareWords)
    const next = new Uint32Array(largest + 2)
    for (let i = 0; i < end; i++) next[(words[i] ?? 0) + 1] = (next[(words[i] ?? 0) + 1] ?? 0) + 1
    for (let word = 1; word < next.length; word++) next[word] = (next[word] ?? 0) + (next[word - 1] ?? 0)
    const sorted = new Uint32Array(end)
    for (let i = 0; i < end; i++) {
      const word = words[i] ?? 0
      const index = next[word] ?? 0
      sorted[index] = i
      next[word] = index + 1
    }
    return sorted
  }

  const compareWords = (a: number, b: number) => (words[a] ?? 0) - (words[b] ?? 0) || a - b

  function build(): Segment {
    const sorted = sortEntries()
    const [distinct, starts]: [number[], number[]] = [[], []]
    const [sortedPositions, sortedOccurrences] = [new Uint16Array(end), new Uint16Array(end)]
    const sortedPlaces = new Uint16Array(end)
    let last = -1
    // Plain loops: iterators over millions of entries take seconds.
    for (let index = 0; index < end; index++) {
      const entry = sorted[index] ?? 0
      sortedPositions[index] = positions[entry] ?? 0
      sortedOccurrences[index] = occurrences[entry] ?? 0
      sortedPlaces[index] = places[entry] ?? 0
      const word = words[entry] ?? 0
      if (word === last) continue
      last = word
      distinct.push(word)
      starts.push(index)
    }
    starts.push(end)
    const segment = createSegment({
      slots: Uint32Array.from(slots),
      titleLengths: Uint8Array.from(titleLengths),
      sizes: Uint8Array.from(sizes),
      words: Uint32Array.from(distinct),
      starts: Uint32Array.from(starts),
      positions: sortedPositions,
      occurrences: sortedOccurrences,
      places: sortedPlaces,
    })
    for (const position of removed) segment.dead[position] = 1
    segment.deadCount = removed.size
    clear()
    return segment
  }

  function clear(): void {
    slots = []
    titleLengths = []
    sizes = []
    removed = new Set()
    end = 0
    // A load of many records leaves large arrays behind.
    words = new Uint32Array(firstSize)
    positions = new Uint16Array(firstSize)
    occurrences = new Uint16Array(firstSize)
    places = new Uint16Array(firstSize)
  }

  return {
    build,
    size: () => slots.length,
    remove: (position) => void removed.add(position),
    add(slot, { numbers, occurrences: where, places: first, titleLength, size }) {
      const position = slots.push(slot) - 1
      titleLengths.push(titleLength)
      sizes.push(size)
      reserve(numbers.length)
      for (let i = 0; i < numbers.length; i++) {
        words[end] = numbers[i] ?? 0
        positions[end] = position
        places[end] = first[i] ?? 0
        occurrences[end++] = where[i] ?? 0
      }
      return position
    },
  }
}

function copy<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}

/** The words of a record, by number, and where they occur. Valid until the next record. */
interface RecordWords {
  readonly numbers: readonly number[]
  readonly occurrences: readonly number[]
  /** Where each word stands first outside the title, counted in words from 1; 0 if it stands in the title alone. */
  readonly places: readonly number[]
  readonly titleLength: number
  /** The number of words in all fields, on a scale of doublings. */
  readonly size: number
}

/**
 * An occurrence has 16 bits: one for each field of `searched` and one for the year of the recording, four for the
 * position in the title, two for how often the word occurs in the texts.
 */
export const fieldBits = {
  title: 1,
  speakers: 2,
  tags: 4,
  category: 8,
  year: 16,
  summary: 32,
  description: 64,
} as const
export const fieldBitCount = 7
export const fieldMask = (1 << fieldBitCount) - 1
const positionShift = fieldBitCount
export const maxTitlePosition = 15
const frequencyShift = positionShift + 4

export const toTitlePosition = (occurrence: number) => (occurrence >> positionShift) & maxTitlePosition
/** 0 for once, 1 for twice, 2 for up to four times, 3 for more. */
export const toFrequency = (occurrence: number) => (occurrence >> frequencyShift) & 3

/** Words beyond these are not found by ranked search. */
const maxWords = 20_000

/** The first digits of a day. */
const yearLength = 4
/** Words of two names or fields are never near each other. */
const fieldGap = 8
const maxPlace = 0xffff

type Searched = Pick<VideoRecord, (typeof searched)[number] | 'recorded'>

/** Returns a function that finds the words of one record after the other; it reuses its arrays. */
export function createRecordWords(dictionary: Dictionary): (record: Searched) => RecordWords {
  /** The index of each word in `numbers`, if it was met in the current record. */
  let [indexes, met] = [new Uint32Array(1024), new Uint32Array(1024)]
  let current = 0
  let [total, titleLength, place] = [0, 0, 0]
  const [numbers, occurrences, places, counts] = [[] as number[], [] as number[], [] as number[], [] as number[]]

  function begin(): void {
    current++
    total = 0
    place = 0
    for (const each of [numbers, occurrences, places, counts]) each.length = 0
  }

  function add(text: string, bit: number): void {
    const words = toWords(text)
    const isTitle = bit === fieldBits.title
    if (isTitle) titleLength = words.length
    else place += fieldGap
    for (let i = 0; i < words.length && total < maxWords; i++, total++) {
      const number = dictionary.ensure(words[i] ?? '')
      // A dictionary that was restored has many words at once.
      while (number >= met.length) [indexes, met] = [toLarger(indexes), toLarger(met)]
      const isNew = met[number] !== current
      if (isNew) {
        met[number] = current
        indexes[number] = numbers.push(number) - 1
        occurrences.push(isTitle ? Math.min(i, maxTitlePosition) << positionShift : 0)
        places.push(0)
        counts.push(0)
      }
      const index = indexes[number] ?? 0
      occurrences[index] = (occurrences[index] ?? 0) | bit
      if (!isTitle) place++
      if (!isTitle && places[index] === 0) places[index] = Math.min(place, maxPlace)
      if (bit >= fieldBits.summary) counts[index] = (counts[index] ?? 0) + 1
    }
  }

  return (record) => {
    begin()
    add(record.title, fieldBits.title)
    for (const name of record.speakers) add(name, fieldBits.speakers)
    for (const name of record.tags) add(name, fieldBits.tags)
    add(record.category, fieldBits.category)
    add(record.recorded?.slice(0, yearLength) ?? '', fieldBits.year)
    add(record.summary, fieldBits.summary)
    add(record.description, fieldBits.description)
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i] ?? 0
      if (count > 1) occurrences[i] = (occurrences[i] ?? 0) | (toBucket(count) << frequencyShift)
    }
    const size = Math.ceil(Math.log2(total + 1))
    return { numbers, occurrences, places, titleLength: Math.min(titleLength, 255), size }
  }
}

const toBucket = (count: number) => (count === 2 ? 1 : count < 5 ? 2 : 3)

function toLarger(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
