import type { RecordWords } from './record-words.ts'
import { createSegment, type Segment } from './segment.ts'

/** Collects the words of records in order of arrival, and sorts them by word at the end. */
export interface SegmentBuilder {
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
  let end = 0

  function reserve(count: number): void {
    if (end + count <= words.length) return
    const size = 2 * (end + count)
    words = copy(words, new Uint32Array(size))
    positions = copy(positions, new Uint16Array(size))
    occurrences = copy(occurrences, new Uint16Array(size))
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
      const at = next[word] ?? 0
      sorted[at] = i
      next[word] = at + 1
    }
    return sorted
  }

  const compareWords = (a: number, b: number) => (words[a] ?? 0) - (words[b] ?? 0) || a - b

  function build(): Segment {
    const sorted = sortEntries()
    const [distinct, starts]: [number[], number[]] = [[], []]
    const [sortedPositions, sortedOccurrences] = [new Uint16Array(end), new Uint16Array(end)]
    let last = -1
    // Plain loops: iterators over millions of entries take seconds.
    for (let at = 0; at < end; at++) {
      const entry = sorted[at] ?? 0
      sortedPositions[at] = positions[entry] ?? 0
      sortedOccurrences[at] = occurrences[entry] ?? 0
      const word = words[entry] ?? 0
      if (word === last) continue
      last = word
      distinct.push(word)
      starts.push(at)
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
  }

  return {
    build,
    size: () => slots.length,
    remove: (position) => void removed.add(position),
    add(slot, { numbers, occurrences: each, titleLength, size }) {
      const position = slots.push(slot) - 1
      titleLengths.push(titleLength)
      sizes.push(size)
      reserve(numbers.length)
      for (let i = 0; i < numbers.length; i++) {
        words[end] = numbers[i] ?? 0
        positions[end] = position
        occurrences[end++] = each[i] ?? 0
      }
      return position
    },
  }
}

function copy<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
