import type { VideoRecord } from '../../record/record.ts'
import { createDictionary, type Dictionary } from './dictionary.ts'
import { createRecordWords } from './record-words.ts'
import { countLiving, maxSegmentSize, mergeSegments, type Segment } from './segment.ts'
import { createSegmentBuilder } from './segment-builder.ts'

/** The words of all records, in memory (ADR 42). Records are known by their slots (`columns/record-columns.ts`). */
export interface WordsIndex {
  readonly dictionary: Dictionary
  /** Adds a record, or replaces it. */
  put(slot: number, record: VideoRecord): void
  remove(slot: number): void
  /** Everything that was put so far. */
  segments(): readonly Segment[]
  /** Merges two segments; whether there are more to merge. */
  compact(): boolean
  isCompact(): boolean
  /** Moves with every change. */
  revision(): number
  clear(): void
}

const firstSize = 1024
/** Merging so few records takes a few milliseconds, so that a search can do it. */
const maxMergedAtOnce = 2_048

export function createWordsIndex(): WordsIndex {
  const dictionary = createDictionary()
  const toRecordWords = createRecordWords(dictionary)
  const builder = createSegmentBuilder()
  let sealed: Segment[] = []
  /** The segment of each slot, null while it is in the builder; undefined without words. */
  let holders: (Segment | null | undefined)[] = []
  let positions = new Uint16Array(firstSize)
  let revision = 0

  function remove(slot: number): void {
    const holder = holders[slot]
    if (holder === undefined) return
    const position = positions[slot] ?? 0
    if (holder === null) builder.remove(position)
    else {
      holder.dead[position] = 1
      holder.deadCount++
    }
    holders[slot] = undefined
    revision++
  }

  function hold(segment: Segment): Segment {
    for (const [position, slot] of segment.slots.entries()) {
      if (segment.dead[position] === 1) continue
      holders[slot] = segment
      positions[slot] = position
    }
    return segment
  }

  function mergeAt(at: number): void {
    sealed.splice(at, 2, hold(mergeSegments(sealed.slice(at, at + 2))))
  }

  /** Small segments are merged as they come, so that there are few: each is at least twice as large as the next. */
  function seal(): void {
    if (builder.size() === 0) return
    sealed.push(hold(builder.build()))
    while (sealed.length > 1) {
      const [before = 0, last = 0] = sealed.slice(-2).map(countLiving)
      if (before > 2 * last || before + last > maxMergedAtOnce) return
      mergeAt(sealed.length - 2)
    }
  }

  /** The first two neighbours that fit into one segment; -1 if there are none. */
  function findMergeable(): number {
    return sealed.findIndex((segment, i) => {
      const next = sealed[i + 1]
      return next !== undefined && countLiving(segment) + countLiving(next) <= maxSegmentSize
    })
  }

  return {
    dictionary,
    remove,
    put(slot, record) {
      remove(slot)
      if (builder.size() === maxSegmentSize) seal()
      if (slot >= positions.length) positions = grow(positions, slot)
      positions[slot] = builder.add(slot, toRecordWords(record))
      holders[slot] = null
      revision++
    },
    segments() {
      seal()
      return sealed
    },
    isCompact: () => sealed.length <= 1 + 2 * Math.ceil(holders.length / maxSegmentSize) || findMergeable() < 0,
    compact() {
      const at = findMergeable()
      if (at >= 0) mergeAt(at)
      return findMergeable() >= 0
    },
    revision: () => revision,
    clear() {
      builder.build()
      sealed = []
      holders = []
      revision++
    },
  }
}

function grow(numbers: Uint16Array<ArrayBuffer>, slot: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(2 * slot)
  larger.set(numbers)
  return larger
}
