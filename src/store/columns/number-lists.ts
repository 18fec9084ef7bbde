/** A list of numbers per slot, in flat arrays: a few bytes per record and no objects (decision 43). */
export interface NumberLists {
  /** Replaces the list of a slot by `numbers.slice(from, to)`. */
  set(slot: number, numbers: ArrayLike<number>, from: number, to: number): void
  /** The list of a slot; valid until the next `set`. */
  get(slot: number): Uint32Array
  /** Whether the list of a slot has any numbers. */
  has(slot: number): boolean
  /** How many of the slots with a flag have each number. */
  count(flags: Uint8Array): Uint32Array
  /** Clears the flags of slots that have none of these numbers. */
  keep(numbers: readonly number[], flags: Uint8Array): void
  clear(): void
}

const firstSize = 1024
const none = new Uint32Array()

export function createNumberLists(): NumberLists {
  /** The offset of each slot's list in `lists`; 0 for none. */
  let starts = new Uint32Array(firstSize)
  /** Each list is preceded by its length. */
  let lists = new Uint32Array(firstSize)
  let end = 1
  /** Elements before `end` that no list uses any more. */
  let unused = 0
  /** At least the largest number of any list. */
  let largest = 0

  function compact(): void {
    const packed = new Uint32Array(Math.max(firstSize, 2 * (end - unused)))
    let packedEnd = 1
    for (let slot = 0; slot < starts.length; slot++) {
      const start = starts[slot] ?? 0
      if (start === 0) continue
      packed.set(lists.subarray(start, start + 1 + (lists[start] ?? 0)), packedEnd)
      starts[slot] = packedEnd
      packedEnd += 1 + (lists[start] ?? 0)
    }
    lists = packed
    end = packedEnd
    unused = 0
  }

  /** The offset of a list of this length: of the slot's old list if that is long enough, otherwise at the end. */
  function reserve(slot: number, length: number): number {
    const start = starts[slot] ?? 0
    const oldLength = start === 0 ? 0 : (lists[start] ?? 0)
    if (start !== 0 && length > 0 && length <= oldLength) {
      unused += oldLength - length
      return start
    }
    if (start !== 0) unused += 1 + oldLength
    starts[slot] = 0
    if (length === 0) return 0
    if (end + length >= lists.length && unused > end / 2) compact()
    if (end + length >= lists.length) lists = toLarger(lists, end + 1 + length)
    starts[slot] = end
    end += 1 + length
    return end - 1 - length
  }

  return {
    set(slot, numbers, from, to) {
      if (slot >= starts.length) starts = toLarger(starts, slot + 1)
      const start = reserve(slot, to - from)
      if (start === 0) return
      lists[start] = to - from
      for (let i = from; i < to; i++) {
        const number = numbers[i] ?? 0
        lists[start + 1 + i - from] = number
        if (number > largest) largest = number
      }
    },
    get(slot) {
      const start = starts[slot] ?? 0
      return start === 0 ? none : lists.subarray(start + 1, start + 1 + (lists[start] ?? 0))
    },
    has: (slot) => (starts[slot] ?? 0) !== 0,
    count: (flags) => countNumbers(starts, lists, flags, new Uint32Array(largest + 1)),
    keep: (sought, flags) => keepSought(starts, lists, sought, flags),
    clear() {
      starts.fill(0)
      end = 1
      unused = 0
      largest = 0
    },
  }
}

function countNumbers(starts: Uint32Array, lists: Uint32Array, flags: Uint8Array, counts: Uint32Array): Uint32Array {
  for (let slot = 0; slot < flags.length; slot++) {
    if (flags[slot] !== 1) continue
    const start = starts[slot] ?? 0
    const last = start === 0 ? 0 : start + (lists[start] ?? 0)
    for (let i = start + 1; i <= last; i++) {
      const number = lists[i] ?? 0
      counts[number] = (counts[number] ?? 0) + 1
    }
  }
  return counts
}

function keepSought(starts: Uint32Array, lists: Uint32Array, sought: readonly number[], flags: Uint8Array): void {
  const isSought = new Uint8Array(sought.reduce((a, b) => Math.max(a, b), 0) + 1)
  for (const number of sought) isSought[number] = 1
  for (let slot = 0; slot < flags.length; slot++) {
    if (flags[slot] !== 1) continue
    const start = starts[slot] ?? 0
    const last = start === 0 ? 0 : start + (lists[start] ?? 0)
    let has = 0
    for (let i = start + 1; i <= last && has === 0; i++) has = isSought[lists[i] ?? 0] ?? 0
    flags[slot] = has
  }
}

/** At least doubles the size, so that appending is amortised. */
function toLarger(numbers: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(size, 2 * numbers.length))
  larger.set(numbers)
  return larger
}
