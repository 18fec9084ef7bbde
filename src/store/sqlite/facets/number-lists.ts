/** A list of numbers per slot, in flat arrays: a few bytes per record and no objects (ADR 13). */
export interface NumberLists {
  /** Replaces the list of a slot by `numbers.slice(from, to)`. */
  set(slot: number, numbers: readonly number[], from: number, to: number): void
  /** How many of these slots have each number. */
  count(slots: readonly number[]): Uint32Array
  /** Adds one to the count of each slot whose count is `step` and which has one of these numbers. */
  raise(numbers: readonly number[], counts: Uint8Array, step: number): void
  clear(): void
}

const firstSize = 1024

export function createNumberLists(): NumberLists {
  /** The offset of each slot's list in `lists`; 0 for none. */
  let starts = new Uint32Array(firstSize)
  /** Each list is preceded by its length. A replaced list stays, unused, until `clear`. */
  let lists = new Uint32Array(firstSize)
  let end = 1
  let largest = 0

  return {
    set(slot, numbers, from, to) {
      if (slot >= starts.length) starts = toLarger(starts, slot + 1)
      starts[slot] = from < to ? end : 0
      if (from >= to) return
      if (end + to - from >= lists.length) lists = toLarger(lists, end + 1 + to - from)
      lists[end++] = to - from
      for (let at = from; at < to; at++) {
        const number = numbers[at] ?? 0
        if (number > largest) largest = number
        lists[end++] = number
      }
    },
    count(slots) {
      const [begins, numbers, counts] = [starts, lists, new Uint32Array(largest + 1)]
      for (const slot of slots) {
        const start = begins[slot] ?? 0
        const last = start === 0 ? 0 : start + (numbers[start] ?? 0)
        for (let at = start + 1; at <= last; at++) {
          const number = numbers[at] ?? 0
          counts[number] = (counts[number] ?? 0) + 1
        }
      }
      return counts
    },
    raise(sought, counts, step) {
      const [begins, numbers, isSought] = [starts, lists, new Uint8Array(largest + 1)]
      for (const number of sought) isSought[number] = 1
      for (let slot = 0; slot < counts.length; slot++) {
        if (counts[slot] !== step) continue
        const start = begins[slot] ?? 0
        const last = start === 0 ? 0 : start + (numbers[start] ?? 0)
        for (let at = start + 1; at <= last; at++) {
          if (isSought[numbers[at] ?? 0] !== 1) continue
          counts[slot] = step + 1
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

/** At least doubles the size, so that appending is amortised. */
function toLarger(numbers: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(size, 2 * numbers.length))
  larger.set(numbers)
  return larger
}
