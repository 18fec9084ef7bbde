/** A list of numbers for each id, close together in memory: a million records take a few bytes each, and no objects. */
export interface NumberLists {
  /** The numbers from one place up to another. */
  set(id: number, numbers: readonly number[], from: number, to: number): void
  /** Adds one for each number that the id has. */
  addTo(counts: Uint32Array, id: number): void
  /** As many counts as there can be numbers. */
  createCounts(): Uint32Array
  clear(): void
}

const firstSize = 1024

export function createNumberLists(): NumberLists {
  /** Where each id's list stands in `lists`; 0 for none. */
  let starts = new Uint32Array(firstSize)
  /** Each list behind its length. One that is replaced stays, unused, until everything is cleared. */
  let lists = new Uint32Array(firstSize)
  let end = 1
  let largest = 0

  return {
    set(id, numbers, from, to) {
      if (id >= starts.length) starts = toLarger(starts, id + 1)
      starts[id] = from < to ? end : 0
      if (from >= to) return
      if (end + to - from >= lists.length) lists = toLarger(lists, end + 1 + to - from)
      lists[end++] = to - from
      for (let at = from; at < to; at++) {
        const number = numbers[at] ?? 0
        if (number > largest) largest = number
        lists[end++] = number
      }
    },
    addTo(counts, id) {
      const start = starts[id] ?? 0
      const last = start + (start === 0 ? 0 : (lists[start] ?? 0))
      for (let at = start + 1; at <= last; at++) {
        const number = lists[at] ?? 0
        counts[number] = (counts[number] ?? 0) + 1
      }
    },
    createCounts: () => new Uint32Array(largest + 1),
    clear() {
      starts.fill(0)
      end = 1
    },
  }
}

/** Twice as large at least, so that growing costs little over time. */
function toLarger(numbers: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(size, 2 * numbers.length))
  larger.set(numbers)
  return larger
}
