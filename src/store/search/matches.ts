import type { Hits } from '../../record/text/highlight.ts'

/** The matches of a search: all of their slots, and the best of them in order. */
export interface Matches {
  /** Counts a match. */
  add(slot: number): void
  /** A lower score cannot be among the best. */
  threshold(): number
  /** The score of the match that was added last. Of equal scores, the one that `isBefore` names is better. */
  offer(slot: number, score: number): void
  count(): number
  /** In no particular order. */
  slots(): Uint32Array
  /** These of the best, best first. They must lie within the limit. */
  take(offset: number, limit: number): number[]
}

const firstSize = 1024
/** Beyond that, sorting all scores takes less time than a heap. */
const maxHeap = 2_000

type IsBefore = (slot: number, other: number) => boolean

/** `limit`: how many of the best may be taken. */
export function createMatches(limit: number, isBefore: IsBefore): Matches {
  let slots = new Uint32Array(firstSize)
  let count = 0
  const best = limit <= maxHeap ? createHeap(limit, isBefore) : createScores(() => slots.subarray(0, count), isBefore)
  return {
    ...best,
    add(slot) {
      if (count === slots.length) slots = copyInto(slots, new Uint32Array(2 * count))
      slots[count++] = slot
    },
    count: () => count,
    slots: () => slots.subarray(0, count),
  }
}

/** A record without one of the words is as good as one with all of them from this share of its score on. */
const similar = 0.6

/**
 * The matches of a query: those with all words, and as long as these are too few, those without one of them, and those
 * with some. Records that filters leave out are judged as well, but not kept.
 */
export class FoundMatches {
  /** The accepted records with all words. */
  readonly all: Matches
  /** The accepted records with all words but one, or all. */
  readonly #most: Matches
  /** The accepted records with some of the words, or all. */
  readonly #some: Matches
  /** What a record with all words belongs to, one without one of them, and one without more: while all are few, and then. */
  readonly #open: readonly (readonly Matches[])[]
  readonly #closed: readonly (readonly Matches[])[]
  /** So many records with all words are enough in any case. */
  readonly #enough: number
  #completeCount = 0
  #worstComplete = Number.POSITIVE_INFINITY
  /** The best score of a record without one of the words. */
  #bestOther = Number.NEGATIVE_INFINITY
  #missing = 0

  constructor(create: () => Matches, enough: number) {
    this.all = create()
    this.#most = create()
    this.#some = create()
    this.#open = [[this.all, this.#most, this.#some], [this.#most, this.#some], [this.#some]]
    this.#closed = [[this.all]]
    this.#enough = enough
  }

  /** Counts a record that lacks so many words; a lower score than the one that is returned need not be offered. */
  add(slot: number, missing: number, isAccepted: boolean): number {
    this.#missing = missing
    if (missing === 0) this.#completeCount++
    const isOpen = this.#isOpen()
    if (missing > 0 && !isOpen) return Number.POSITIVE_INFINITY
    const kept = isAccepted ? this.#listKept() : []
    for (const matches of kept) matches.add(slot)
    // The first of them has the lowest threshold.
    const least = kept[0]?.threshold() ?? Number.POSITIVE_INFINITY
    if (!isOpen || missing > 1) return least
    return missing === 0 ? Number.NEGATIVE_INFINITY : Math.min(least, this.#bestOther)
  }

  /** The score of the record that was added last. */
  offer(slot: number, score: number, isAccepted: boolean): void {
    for (const matches of isAccepted ? this.#listKept() : []) matches.offer(slot, score)
    if (this.#missing === 0) this.#worstComplete = Math.min(this.#worstComplete, score)
    if (this.#missing === 1) this.#bestOther = Math.max(this.#bestOther, score)
  }

  #listKept(): readonly Matches[] {
    return (this.#isOpen() ? this.#open : this.#closed)[Math.min(this.#missing, 2)] ?? []
  }

  #isOpen(): boolean {
    return this.#completeCount < this.#enough
  }

  /** More records if none has all words, or few have and another is as good as one of them; otherwise null. */
  findWidened(): Matches | null {
    const isAsGood = this.#isOpen() && this.#bestOther > similar * this.#worstComplete
    const widened = this.#completeCount === 0 ? this.#some : isAsGood ? this.#most : null
    return widened !== null && widened.count() > 0 ? widened : null
  }
}

/** Members of a page of a list that only `match=best` has. */
export interface BestMembers {
  /** Present if `count` is a lower bound. */
  readonly countIs?: 'at_least'
  /** Present if no or too few records have all words, so that those with some were found, too (decision 87). */
  readonly matchIs?: 'some'
  /** With `matchIs`: how many of the records have all words that any record has. */
  readonly completeCount?: number
  /** Typed words that no visible record has, in any form or spelling. Absent if there are none. */
  readonly unknown?: readonly string[]
  /** Typed words that were also matched as other words of the archive. Absent if there are none. */
  readonly corrected?: { readonly [typed: string]: readonly string[] }
  /** The hits of the search in texts. Absent if there was no search. */
  readonly hits?: Hits
}

type Best = Pick<Matches, 'threshold' | 'offer' | 'take'>

/** Keeps the best in a heap with the worst of them on top, so that most matches need one comparison. */
function createHeap(limit: number, isBefore: IsBefore): Best {
  const heap: Scored[] = []
  const isBetter = (a: Scored, b: Scored) => (a.score === b.score ? isBefore(a.slot, b.slot) : a.score > b.score)
  return {
    threshold: () => (heap.length < limit ? Number.NEGATIVE_INFINITY : (heap[0]?.score ?? Number.POSITIVE_INFINITY)),
    offer(slot, score) {
      const offered = { slot, score }
      const [worst] = heap
      if (heap.length < limit) push(heap, offered, isBetter)
      else if (worst !== undefined && isBetter(offered, worst)) replaceWorst(heap, offered, isBetter)
    },
    take: (offset, size) => toSlots(heap, isBetter).slice(offset, offset + size),
  }
}

/**
 * Keeps all scores, for pages deep in the list. Sorting the numbers tells between which scores the page lies; only the
 * matches between them are compared. A million take a tenth of a second.
 */
function createScores(listSlots: () => Uint32Array, isBefore: IsBefore): Best {
  let scores = new Float64Array(firstSize)
  let count = 0
  const isBetter = (a: Scored, b: Scored) => (a.score === b.score ? isBefore(a.slot, b.slot) : a.score > b.score)
  return {
    threshold: () => Number.NEGATIVE_INFINITY,
    offer(_, score) {
      if (count === scores.length) scores = copyInto(scores, new Float64Array(2 * count))
      scores[count++] = score
    },
    take(offset, size) {
      const sorted = scores.slice(0, count).sort()
      const end = Math.min(count, offset + size)
      if (offset >= end) return []
      const [highest, lowest] = [sorted[count - 1 - offset] ?? 0, sorted[count - end] ?? 0]
      let better = 0
      const found: Scored[] = []
      const slots = listSlots()
      for (let i = 0; i < count; i++) {
        const score = scores[i] ?? 0
        if (score > highest) better++
        else if (score >= lowest) found.push({ slot: slots[i] ?? 0, score })
      }
      return toSlots(found, isBetter).slice(offset - better, end - better)
    },
  }
}

const toSlots = (found: readonly Scored[], isBetter: IsBetter) =>
  found.toSorted((a, b) => (isBetter(a, b) ? -1 : 1)).map(({ slot }) => slot)

interface Scored {
  readonly slot: number
  readonly score: number
}

type IsBetter = (a: Scored, b: Scored) => boolean

function push(heap: Scored[], value: Scored, isBetter: IsBetter): void {
  let index = heap.push(value) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    const above = heap[parent] ?? value
    if (!isBetter(above, value)) break
    heap[index] = above
    index = parent
  }
  heap[index] = value
}

function replaceWorst(heap: Scored[], value: Scored, isBetter: IsBetter): void {
  let index = 0
  for (;;) {
    const child = findWorseChild(heap, index, isBetter)
    const below = heap[child]
    if (below === undefined || isBetter(below, value)) break
    heap[index] = below
    index = child
  }
  heap[index] = value
}

function findWorseChild(heap: readonly Scored[], index: number, isBetter: IsBetter): number {
  const [left, right] = [2 * index + 1, 2 * index + 2]
  const [first, second] = [heap[left], heap[right]]
  return first !== undefined && second !== undefined && isBetter(first, second) ? right : left
}

function copyInto<Numbers extends Uint32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
