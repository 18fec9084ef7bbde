/** Random choices that a seed repeats. */
export interface Random {
  /** Both ends included. */
  between(least: number, most: number): number
  pick<T>(values: readonly T[]): T
  chance(share: number): boolean
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    pick<T>(values: readonly T[]): T {
      // `between` gives an index of the array, which is not empty.
      return values[between(0, values.length - 1)] as T
    },
    chance: (share) => next() < share,
  }
}
