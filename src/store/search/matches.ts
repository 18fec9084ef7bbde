/** The matches of a search: all of their slots, and the best of them in order. */
export interface Matches {
  /** Counts a match. */
  add(slot: number): void
  /** A lower score cannot be among the best. */
  threshold(): number
  /** Of equal scores, the one that `isBefore` names is better. */
  offer(slot: number, score: number): void
  count(): number
  /** In no particular order. */
  slots(): Uint32Array
  /** Best first. */
  takeBest(): number[]
}

const firstSize = 1024

/** Keeps the best `limit` in a heap with the worst of them on top, so that most matches need one comparison. */
export function createMatches(limit: number, isBefore: (slot: number, other: number) => boolean): Matches {
  let slots = new Uint32Array(firstSize)
  let count = 0
  const heap: Scored[] = []
  const isBetter = (a: Scored, b: Scored) => (a.score === b.score ? isBefore(a.slot, b.slot) : a.score > b.score)

  return {
    add(slot) {
      if (count === slots.length) slots = toLarger(slots)
      slots[count++] = slot
    },
    threshold: () => (heap.length < limit ? Number.NEGATIVE_INFINITY : (heap[0]?.score ?? Number.POSITIVE_INFINITY)),
    offer(slot, score) {
      const offered = { slot, score }
      const [worst] = heap
      if (heap.length < limit) push(heap, offered, isBetter)
      else if (worst !== undefined && isBetter(offered, worst)) replaceWorst(heap, offered, isBetter)
    },
    count: () => count,
    slots: () => slots.subarray(0, count),
    takeBest: () => heap.toSorted((a, b) => (isBetter(a, b) ? -1 : 1)).map(({ slot }) => slot),
  }
}

interface Scored {
  readonly slot: number
  readonly score: number
}

type IsBetter = (a: Scored, b: Scored) => boolean

function push(heap: Scored[], value: Scored, isBetter: IsBetter): void {
  let at = heap.push(value) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] ?? value
    if (!isBetter(above, value)) break
    heap[at] = above
    at = parent
  }
  heap[at] = value
}

function replaceWorst(heap: Scored[], value: Scored, isBetter: IsBetter): void {
  let at = 0
  for (;;) {
    const child = findWorseChild(heap, at, isBetter)
    const below = heap[child]
    if (below === undefined || isBetter(below, value)) break
    heap[at] = below
    at = child
  }
  heap[at] = value
}

function findWorseChild(heap: readonly Scored[], at: number, isBetter: IsBetter): number {
  const [left, right] = [2 * at + 1, 2 * at + 2]
  const [first, second] = [heap[left], heap[right]]
  return first !== undefined && second !== undefined && isBetter(first, second) ? right : left
}

function toLarger(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
