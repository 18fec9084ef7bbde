/** A list of numbers for each place, close together in memory: a million records take a few bytes each, and no objects. */
export interface NumberLists {
  /** The numbers from one place up to another. */
  set(place: number, numbers: readonly number[], from: number, to: number): void
  /** At each number's place, how many of these places have it. */
  count(places: readonly number[]): Uint32Array
  /** Of the places whose count is `step`, that of each which has one of these numbers goes up by one. */
  raise(numbers: readonly number[], counts: Uint8Array, step: number): void
  clear(): void
}

const firstSize = 1024

export function createNumberLists(): NumberLists {
  /** Where each place's list stands in `lists`; 0 for none. */
  let starts = new Uint32Array(firstSize)
  /** Each list behind its length. One that is replaced stays, unused, until everything is cleared. */
  let lists = new Uint32Array(firstSize)
  let end = 1
  let largest = 0

  return {
    set(place, numbers, from, to) {
      if (place >= starts.length) starts = toLarger(starts, place + 1)
      starts[place] = from < to ? end : 0
      if (from >= to) return
      if (end + to - from >= lists.length) lists = toLarger(lists, end + 1 + to - from)
      lists[end++] = to - from
      for (let at = from; at < to; at++) {
        const number = numbers[at] ?? 0
        if (number > largest) largest = number
        lists[end++] = number
      }
    },
    count(places) {
      const [begins, numbers, counts] = [starts, lists, new Uint32Array(largest + 1)]
      for (const place of places) {
        const start = begins[place] ?? 0
        const last = start === 0 ? 0 : start + (numbers[start] ?? 0)
        for (let at = start + 1; at <= last; at++) {
          const number = numbers[at] ?? 0
          counts[number] = (counts[number] ?? 0) + 1
        }
      }
      return counts
    },
    raise(wanted, counts, step) {
      const [begins, numbers, isWanted] = [starts, lists, new Uint8Array(largest + 1)]
      for (const number of wanted) isWanted[number] = 1
      for (let place = 0; place < counts.length; place++) {
        if (counts[place] !== step) continue
        const start = begins[place] ?? 0
        const last = start === 0 ? 0 : start + (numbers[start] ?? 0)
        for (let at = start + 1; at <= last; at++) {
          if (isWanted[numbers[at] ?? 0] !== 1) continue
          counts[place] = step + 1
          break
        }
      }
    },
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
