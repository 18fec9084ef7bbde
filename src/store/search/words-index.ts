import type { VideoRecord } from '../../record/record.ts'
import { countFlags } from '../columns/record-data.ts'
import { createDictionary, type Dictionary } from './dictionary.ts'
import {
  countLiving,
  createRecordWords,
  createSegmentBuilder,
  maxSegmentSize,
  mergeSegments,
  type Segment,
} from './segment.ts'

/** The words of all records, in memory (decision 42). Records are known by their slots (`columns/record-columns.ts`). */
export interface WordsIndex {
  readonly dictionary: Dictionary
  /** Adds a record, or replaces it. */
  put(slot: number, record: VideoRecord): void
  remove(slot: number): void
  /** Everything that was put so far. */
  segments(): readonly Segment[]
  /** Adds a segment whose living records have no words yet. */
  adopt(segment: Segment): void
  /** Merges two segments, or forgets the words that no record has. */
  compact(): void
  isCompact(): boolean
  /** Has `compact` forget the words that no record has, however few they are: some are those of an erased record. */
  forgetErased(): void
  /** Moves with every change. */
  revision(): number
  clear(): void
}

const firstSize = 1024
const [nowhere, inBuilder] = [0, 1]
/** Sorting the words of so many records takes less than a tenth of a second. */
const maxBuilt = 16_384
/** Merging so few records takes a few milliseconds, so that a search can do it. */
const maxMergedAtOnce = 2_048
/** So many words that no record has are kept in any case. */
const minForgotten = 10_000

export function createWordsIndex(): WordsIndex {
  let dictionary = createDictionary()
  let toRecordWords = createRecordWords(dictionary)
  /** With more words than these, most may be of no record. */
  let maxKnownWords = minForgotten
  let hasErased = false
  const builder = createSegmentBuilder()
  let sealed: Segment[] = []
  /** Where each slot is: in no segment, in the builder, or in a segment by its key. */
  let holders = new Uint32Array(firstSize)
  const segments = new Map<number, Segment>()
  let lastKey = inBuilder
  let positions = new Uint16Array(firstSize)
  let revision = 0

  function remove(slot: number): void {
    const holder = holders[slot] ?? nowhere
    if (holder === nowhere) return
    const position = positions[slot] ?? 0
    const segment = segments.get(holder)
    if (segment === undefined) builder.remove(position)
    else {
      segment.dead[position] = 1
      segment.deadCount++
    }
    holders[slot] = nowhere
    revision++
  }

  function reserve(slot: number): void {
    if (slot < positions.length) return
    holders = grow(holders, new Uint32Array(2 * slot))
    positions = grow(positions, new Uint16Array(2 * slot))
  }

  function hold(segment: Segment): Segment {
    segments.set(++lastKey, segment)
    for (let position = 0; position < segment.slots.length; position++) {
      const slot = segment.slots[position] ?? 0
      if (segment.dead[position] === 1) continue
      holders[slot] = lastKey
      positions[slot] = position
    }
    return segment
  }

  function mergeAt(offset: number): void {
    const parts = sealed.slice(offset, offset + 2)
    for (const [key, segment] of segments) if (parts.includes(segment)) segments.delete(key)
    sealed.splice(offset, 2, hold(mergeSegments(parts)))
  }

  const mayForget = () => hasErased || dictionary.size() > maxKnownWords

  /**
   * Replaces the dictionary and all segments if most words are of no record, or some of an erased one (decision 71).
   */
  function forgetWords(): void {
    seal()
    const living = sealed.map((segment) => (segment.deadCount === 0 ? segment : mergeSegments([segment])))
    const flags = new Uint8Array(dictionary.size())
    for (const { words } of living) for (const word of words) flags[word] = 1
    const used = countFlags(flags)
    if (hasErased || used < flags.length / 2) {
      const { dictionary: copy, newNumbers } = dictionary.copyUsed(flags)
      useDictionary(copy)
      segments.clear()
      const toNew = (word: number) => newNumbers[word] ?? 0
      sealed = living.filter(isLiving).map((segment) => hold({ ...segment, words: segment.words.map(toNew) }))
      revision++
    }
    maxKnownWords = Math.max(minForgotten, 2 * dictionary.size())
    hasErased = false
  }

  function useDictionary(used: Dictionary): void {
    dictionary = used
    toRecordWords = createRecordWords(used)
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

  const hasManySegments = () =>
    sealed.length > 1 + 2 * Math.ceil(holders.length / maxSegmentSize) && findMergeable() >= 0

  return {
    get dictionary() {
      return dictionary
    },
    remove,
    adopt(segment) {
      for (let position = 0; position < segment.slots.length; position++) reserve(segment.slots[position] ?? 0)
      sealed.push(hold(segment))
      revision++
    },
    put(slot, record) {
      remove(slot)
      if (builder.size() === maxBuilt) seal()
      reserve(slot)
      positions[slot] = builder.add(slot, toRecordWords(record))
      holders[slot] = inBuilder
      revision++
    },
    segments() {
      seal()
      return sealed
    },
    isCompact: () => !mayForget() && !hasManySegments(),
    compact() {
      const index = findMergeable()
      if (mayForget()) forgetWords()
      else if (index >= 0) mergeAt(index)
    },
    forgetErased() {
      hasErased = true
    },
    revision: () => revision,
    clear() {
      useDictionary(createDictionary())
      maxKnownWords = minForgotten
      hasErased = false
      builder.build()
      sealed = []
      segments.clear()
      holders.fill(nowhere)
      revision++
    },
  }
}

const isLiving = (segment: Segment) => countLiving(segment) > 0

function grow<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
