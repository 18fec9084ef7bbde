/** Matches of a search with their scores. */
export interface Matches {
  add(slot: number, score: number): void
  count(): number
  /** Slots of all matches, in no particular order. */
  slots(): Uint32Array
  /** The slots with the highest scores, best first; of equal scores the one that `isBefore` names. */
  takeBest(limit: number, isBefore: (slot: number, other: number) => boolean): number[]
}

const firstSize = 1024

export function createMatches(): Matches {
  let slots = new Uint32Array(firstSize)
  let scores = new Float64Array(firstSize)
  let count = 0

  function add(slot: number, score: number): void {
    if (count === slots.length) {
      const [moreSlots, moreScores] = [new Uint32Array(2 * count), new Float64Array(2 * count)]
      moreSlots.set(slots)
      moreScores.set(scores)
      slots = moreSlots
      scores = moreScores
    }
    slots[count] = slot
    scores[count++] = score
  }

  function takeBest(limit: number, isBefore: (slot: number, other: number) => boolean): number[] {
    const isBetter = (a: number, b: number) => {
      const [ours, theirs] = [scores[a] ?? 0, scores[b] ?? 0]
      return ours === theirs ? isBefore(slots[a] ?? 0, slots[b] ?? 0) : ours > theirs
    }
    const best = createWorstFirstHeap(isBetter)
    for (let at = 0; at < count; at++) best.offer(at, limit)
    return best.drain().map((at) => slots[at] ?? 0)
  }

  return { add, count: () => count, slots: () => slots.slice(0, count), takeBest }
}

/** A binary heap with the worst of the best on top, so that each further match needs one comparison. */
function createWorstFirstHeap(isBetter: (a: number, b: number) => boolean) {
  const heap: number[] = []
  const isWorse = (a: number, b: number) => isBetter(heap[b] ?? 0, heap[a] ?? 0)

  function swap(a: number, b: number): void {
    const first = heap[a] ?? 0
    heap[a] = heap[b] ?? 0
    heap[b] = first
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let worst = at
      if (left < heap.length && isWorse(left, worst)) worst = left
      if (right < heap.length && isWorse(right, worst)) worst = right
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  function rise(): void {
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  return {
    offer(value: number, limit: number): void {
      if (heap.length < limit) {
        heap.push(value)
        rise()
      } else if (limit > 0 && isBetter(value, heap[0] ?? 0)) {
        heap[0] = value
        sink()
      }
    },
    /** Empties the heap; best first. */
    drain(): number[] {
      return heap.splice(0).sort((a, b) => (isBetter(a, b) ? -1 : isBetter(b, a) ? 1 : 0))
    },
  }
}
