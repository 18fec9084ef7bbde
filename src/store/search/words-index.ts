import type { VideoRecord } from '../../record/record.ts'
import { createDictionary, type Dictionary } from './dictionary.ts'
import { toRecordWords } from './record-words.ts'
import { createOpenSegment, maxSegmentSize, mergeSegments, type OpenSegment, type Segment } from './segment.ts'

/** The words of all records, in memory (ADR 42). Records are known by their slots (`columns/record-columns.ts`). */
export interface WordsIndex {
  readonly dictionary: Dictionary
  /** Adds a record, or replaces it. */
  put(slot: number, record: VideoRecord): void
  remove(slot: number): void
  segments(): readonly Segment[]
  /** Moves all records into as few segments as possible. */
  seal(): void
  /** Moves with every change. */
  revision(): number
  clear(): void
}

const firstSize = 1024

export function createWordsIndex(): WordsIndex {
  const dictionary = createDictionary()
  let sealed: readonly Segment[] = []
  let open: OpenSegment = createOpenSegment()
  /** The segment of each slot; a slot without words has none. */
  let holders: (Segment | undefined)[] = []
  let positions = new Uint16Array(firstSize)
  let revision = 0

  function remove(slot: number): void {
    const holder = holders[slot]
    if (holder === undefined) return
    holder.dead[positions[slot] ?? 0] = 1
    holders[slot] = undefined
    revision++
  }

  function settle(segment: Segment): void {
    for (let position = 0; position < segment.size(); position++) {
      const slot = segment.slots[position] ?? 0
      holders[slot] = segment
      positions[slot] = position
    }
  }

  /** Merges while two neighbours fit into one segment, so that small and half-dead segments do not pile up. */
  function seal(): void {
    if (open.size() > 0) sealed = [...sealed, merge([open])]
    open = createOpenSegment()
    for (let i = 0; i + 1 < sealed.length; ) {
      const pair = sealed.slice(i, i + 2)
      if (pair.reduce((sum, each) => sum + countLiving(each), 0) > maxSegmentSize) i++
      else sealed = [...sealed.slice(0, i), merge(pair), ...sealed.slice(i + 2)]
    }
  }

  function merge(parts: readonly Segment[]): Segment {
    const merged = mergeSegments(parts)
    settle(merged)
    return merged
  }

  return {
    dictionary,
    put(slot, record) {
      remove(slot)
      if (open.size() === maxSegmentSize) seal()
      if (slot >= positions.length) positions = grow(positions, slot)
      positions[slot] = open.add(slot, toRecordWords(record, dictionary))
      holders[slot] = open
      revision++
    },
    remove,
    segments: () => [...sealed, open],
    seal,
    revision: () => revision,
    clear() {
      sealed = []
      open = createOpenSegment()
      holders = []
      revision++
    },
  }
}

function countLiving(segment: Segment): number {
  let count = 0
  for (let position = 0; position < segment.size(); position++) if (segment.dead[position] === 0) count++
  return count
}

function grow(numbers: Uint16Array<ArrayBuffer>, slot: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(2 * slot)
  larger.set(numbers)
  return larger
}
