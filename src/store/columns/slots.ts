import { mediaKinds } from '../../record/fields.ts'

/** A dense number for each record id, from 1 in order of arrival. An erased record keeps its slot: ids are never reused. */
export interface Slots {
  /** 0 if the id is unknown. */
  toSlot(id: number): number
  toId(slot: number): number
  ensureSlot(id: number): number
  /** One more than the last slot. */
  end(): number
  clear(): void
}

const firstSize = 1024
/** Ids up to this many times the number of records are looked up in an array; the few that are larger, in a map. */
const spread = 4

export function createSlots(): Slots {
  let ids = new Float64Array(firstSize)
  /** The slot of each small id. */
  let near = new Int32Array(firstSize)
  /** The slots of ids that were too large for the array when they were added. */
  const far = new Map<number, number>()
  let end = 1

  function toSlot(id: number): number {
    const slot = id < near.length ? (near[id] ?? 0) : 0
    return slot > 0 || far.size === 0 ? slot : (far.get(id) ?? 0)
  }

  function remember(id: number, slot: number): void {
    if (id >= spread * (end + firstSize)) far.set(id, slot)
    else {
      if (id >= near.length) near = toLarger(near, new Int32Array(Math.max(id + 1, 2 * near.length)))
      near[id] = slot
    }
  }

  return {
    toSlot,
    toId: (slot) => ids[slot] ?? 0,
    ensureSlot(id) {
      const known = toSlot(id)
      if (known !== 0) return known
      if (end === ids.length) ids = toLarger(ids, new Float64Array(2 * ids.length))
      ids[end] = id
      remember(id, end)
      return end++
    },
    end: () => end,
    clear() {
      near.fill(0)
      far.clear()
      end = 1
    },
  }
}

function toLarger<A extends Int32Array | Float64Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}

/** The values of all records, one per slot, and their arrays. */
const slotArrayTypes = {
  /** 0: no record, or an erased one. */
  states: Uint8Array,
  categories: Uint32Array,
  languages: Uint16Array,
  /** Days since 1970-01-01. */
  days: Int32Array,
  /** The year plus one; 0 if the day is unknown. */
  years: Uint16Array,
  /** In seconds; -1 if unknown. */
  durations: Int32Array,
  /** One bit per entry of `mediaKinds`, and `sourceBit`. */
  media: Uint8Array,
  /** The seq of the version by which the record became live; 0 if it is not live, or if that is unknown (decision 47). */
  liveSeqs: Float64Array,
  /** Findings and whiteboard, as bits (decision 53). */
  qualities: Uint32Array,
  /** Numbers of hosts and authors. */
  hosts: Uint32Array,
  authors: Uint32Array,
  /** Milliseconds since 1970. */
  addedMs: Float64Array,
  updatedMs: Float64Array,
  /** Hashes of canonical source URLs; 0 without one. */
  videos: Float64Array,
} as const

type ArrayTypes = typeof slotArrayTypes
type SlotArrayName = keyof ArrayTypes
/** One value per slot. */
export type SlotArrays = { readonly [N in SlotArrayName]: InstanceType<ArrayTypes[N]> }

// True because `slotArrayTypes` is a literal: Object.keys returns exactly its own keys.
const slotArrayNames = Object.keys(slotArrayTypes) as SlotArrayName[]

/** Slots with a flag of 1. Valid until the columns change. */
export interface SlotSet {
  /** One byte per slot, 0 or 1. */
  readonly flags: Uint8Array
  readonly count: number
}

export const unknownDay = -0x80000000
/** Set in `media` if the record has a source URL. */
export const sourceBit = 1 << mediaKinds.length
/** The state of a slot without a record. */
export const dead = 0

/** Larger arrays with the values of old ones. */
export function createArrays(size: number, old: SlotArrays | null): SlotArrays {
  return toArrays((name) => {
    const array = new slotArrayTypes[name](size)
    if (old !== null) array.set(old[name])
    return array
  })
}

function toArrays(make: (name: SlotArrayName) => SlotArrays[SlotArrayName]): SlotArrays {
  // Each name gets an array of its own type, which TypeScript cannot follow through a union of names.
  return Object.fromEntries(slotArrayNames.map((name) => [name, make(name)])) as unknown as SlotArrays
}

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
  /** Visits every number of every slot. */
  each(visit: (slot: number, number: number) => void): void
  /** Clears the flags of slots that have none of these numbers. */
  keep(numbers: readonly number[], flags: Uint8Array): void
  clear(): void
}

const firstLength = 1024
const none = new Uint32Array()

export function createNumberLists(): NumberLists {
  /** The offset of each slot's list in `lists`; 0 for none. */
  let starts = new Uint32Array(firstLength)
  /** Each list is preceded by its length. */
  let lists = new Uint32Array(firstLength)
  let end = 1
  /** Elements before `end` that no list uses any more. */
  let unused = 0
  /** At least the largest number of any list. */
  let largest = 0

  function compact(): void {
    const packed = new Uint32Array(Math.max(firstLength, 2 * (end - unused)))
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
    if (end + length >= lists.length) lists = toDoubled(lists, end + 1 + length)
    starts[slot] = end
    end += 1 + length
    return end - 1 - length
  }

  return {
    set(slot, numbers, from, to) {
      if (slot >= starts.length) starts = toDoubled(starts, slot + 1)
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
    each(visit) {
      for (let slot = 0; slot < starts.length; slot++) {
        const start = starts[slot] ?? 0
        const last = start === 0 ? 0 : start + (lists[start] ?? 0)
        for (let i = start + 1; i <= last; i++) visit(slot, lists[i] ?? 0)
      }
    },
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
function toDoubled(numbers: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(size, 2 * numbers.length))
  larger.set(numbers)
  return larger
}
