import type { Visibility } from '../../../record/visibility.ts'

/**
 * The slots of records by their quality bits, one list per combination; an archive has a few hundred of these. Lists of
 * what needs work are counted from them, and rare ones are found without a pass over all records.
 */
export interface BitSlots {
  add(slot: number, bits: number, isLive: boolean): void
  /** With the values that the slot was added with. */
  remove(slot: number, bits: number, isLive: boolean): void
  /** How many records have all of the wanted bits and none of the unwanted ones. */
  count(tested: TestedBits, visibility: Visibility): number
  /** Their slots in any state, in no order; null if there are more than `max`. */
  list(tested: TestedBits, max: number): number[] | null
  clear(): void
}

/** Bits that a record must have, and that it must not have. */
export interface TestedBits {
  readonly wanted: number
  readonly unwanted: number
}

interface Group {
  readonly slots: number[]
  lives: number
}

export function createBitSlots(): BitSlots {
  const groups = new Map<number, Group>()
  /** Where each slot is in its group. */
  let positions = new Uint32Array(1024)

  function findGroups({ wanted, unwanted }: TestedBits): Group[] {
    const tested = wanted | unwanted
    const found: Group[] = []
    for (const [bits, group] of groups) if ((bits & tested) === wanted) found.push(group)
    return found
  }

  function ensureGroup(bits: number): Group {
    const group = groups.get(bits) ?? { slots: [], lives: 0 }
    groups.set(bits, group)
    return group
  }

  function add(slot: number, bits: number, isLive: boolean): void {
    if (slot >= positions.length) {
      const larger = new Uint32Array(2 * slot)
      larger.set(positions)
      positions = larger
    }
    const group = ensureGroup(bits)
    positions[slot] = group.slots.push(slot) - 1
    if (isLive) group.lives++
  }

  return {
    add,
    clear: () => groups.clear(),
    remove(slot, bits, isLive) {
      const group = ensureGroup(bits)
      const position = positions[slot] ?? 0
      const last = group.slots.pop() ?? 0
      // The last one takes its position.
      if (last !== slot) {
        group.slots[position] = last
        positions[last] = position
      }
      if (isLive) group.lives--
      if (group.slots.length === 0) groups.delete(bits)
    },
    count(tested, visibility) {
      let count = 0
      for (const { slots, lives } of findGroups(tested)) count += visibility === 'live' ? lives : slots.length
      return count
    },
    list(tested, max) {
      const found = findGroups(tested).map(({ slots }) => slots)
      return found.reduce((sum, { length }) => sum + length, 0) > max ? null : found.flat()
    },
  }
}
