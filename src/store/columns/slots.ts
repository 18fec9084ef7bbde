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
  /** The slots of ids that were too large for the array when they came. */
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
