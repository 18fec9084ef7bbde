import type { RecordWords } from './record-words.ts'

/** Positions in a segment have 16 bits. */
export const maxSegmentSize = 65_536

/**
 * Which of its records have which words (ADR 42). The postings of a word are the positions of the records that have
 * it, with where it occurs (`record-words.ts`).
 */
export interface Segment {
  /** The slot of the record at each position. */
  readonly slots: ArrayLike<number>
  /** Records that were replaced or erased since: 1. */
  readonly dead: Uint8Array
  readonly titleLengths: Uint8Array
  readonly sizes: Uint8Array
  /** The number of records, dead ones included. */
  size(): number
  findPostings(word: number): Postings | null
  /** The words in ascending order. */
  listWords(): Iterable<number>
}

export interface Postings {
  readonly positions: ArrayLike<number>
  readonly occurrences: ArrayLike<number>
  readonly from: number
  readonly to: number
}

/** A segment that records are added to. */
export interface OpenSegment extends Segment {
  /** Returns the position. */
  add(slot: number, record: RecordWords): number
}

export function createOpenSegment(): OpenSegment {
  const slots: number[] = []
  const dead = new Uint8Array(maxSegmentSize)
  const titleLengths = new Uint8Array(maxSegmentSize)
  const sizes = new Uint8Array(maxSegmentSize)
  const lists = new Map<number, { readonly positions: number[]; readonly occurrences: number[] }>()
  return {
    slots,
    dead,
    titleLengths,
    sizes,
    size: () => slots.length,
    listWords: () => [...lists.keys()].sort((a, b) => a - b),
    findPostings(word) {
      const list = lists.get(word)
      return list === undefined ? null : { ...list, from: 0, to: list.positions.length }
    },
    add(slot, { words, titleLength, size }) {
      const position = slots.push(slot) - 1
      titleLengths[position] = titleLength
      sizes[position] = size
      for (const [word, occurrence] of words) {
        const list = lists.get(word) ?? { positions: [], occurrences: [] }
        if (list.positions.length === 0) lists.set(word, list)
        list.positions.push(position)
        list.occurrences.push(occurrence)
      }
      return position
    },
  }
}

/** The arrays of a sealed segment; `starts` has one entry more than `words`. */
export interface SegmentArrays {
  readonly slots: Uint32Array
  readonly titleLengths: Uint8Array
  readonly sizes: Uint8Array
  readonly words: Uint32Array
  readonly starts: Uint32Array
  readonly positions: Uint16Array
  readonly occurrences: Uint16Array
}

export interface SealedSegment extends Segment {
  readonly arrays: SegmentArrays
}

export function createSealedSegment(arrays: SegmentArrays): SealedSegment {
  const { slots, titleLengths, sizes, words, starts, positions, occurrences } = arrays
  return {
    arrays,
    slots,
    dead: new Uint8Array(slots.length),
    titleLengths,
    sizes,
    size: () => slots.length,
    listWords: () => words,
    findPostings(word) {
      const at = findIndex(words, word)
      return at < 0 ? null : { positions, occurrences, from: starts[at] ?? 0, to: starts[at + 1] ?? 0 }
    },
  }
}

function findIndex(words: Uint32Array, word: number): number {
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

/** One segment of the records of several that are not dead. */
export function mergeSegments(parts: readonly Segment[]): SealedSegment {
  const moved = movePositions(parts)
  const words = Uint32Array.from(new Set(parts.flatMap((part) => [...part.listWords()]))).sort()
  const starts = new Uint32Array(words.length + 1)
  const total = parts.reduce((sum, part) => sum + countPostings(part), 0)
  const [positions, occurrences] = [new Uint16Array(total), new Uint16Array(total)]
  let end = 0
  for (const [i, word] of words.entries()) {
    for (const [p, part] of parts.entries()) {
      const found = part.findPostings(word)
      for (let at = found?.from ?? 0; found !== null && at < found.to; at++) {
        const position = found.positions[at] ?? 0
        if (part.dead[position] === 1) continue
        positions[end] = moved.positions[p]?.[position] ?? 0
        occurrences[end++] = found.occurrences[at] ?? 0
      }
    }
    starts[i + 1] = end
  }
  return createSealedSegment({
    ...moved.records,
    ...withoutEmpty(words, starts),
    positions: positions.slice(0, end),
    occurrences: occurrences.slice(0, end),
  })
}

function countPostings(part: Segment): number {
  let count = 0
  for (const word of part.listWords()) {
    const found = part.findPostings(word)
    if (found !== null) count += found.to - found.from
  }
  return count
}

function movePositions(parts: readonly Segment[]) {
  const slots: number[] = []
  const titleLengths: number[] = []
  const sizes: number[] = []
  const positions = parts.map((part) => {
    const moved = new Uint16Array(part.size())
    for (let position = 0; position < part.size(); position++) {
      if (part.dead[position] === 1) continue
      moved[position] = slots.push(part.slots[position] ?? 0) - 1
      titleLengths.push(part.titleLengths[position] ?? 0)
      sizes.push(part.sizes[position] ?? 0)
    }
    return moved
  })
  const records = {
    slots: Uint32Array.from(slots),
    titleLengths: Uint8Array.from(titleLengths),
    sizes: Uint8Array.from(sizes),
  }
  return { positions, records }
}

/** Drops words that only dead records had. */
function withoutEmpty(words: Uint32Array, starts: Uint32Array): { words: Uint32Array; starts: Uint32Array } {
  const kept = Array.from(words.keys()).filter((i) => (starts[i + 1] ?? 0) > (starts[i] ?? 0))
  if (kept.length === words.length) return { words, starts }
  return {
    words: Uint32Array.from(kept, (i) => words[i] ?? 0),
    starts: Uint32Array.from([...kept.map((i) => starts[i] ?? 0), starts.at(-1) ?? 0]),
  }
}
