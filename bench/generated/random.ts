/** Numbers that look random and are the same in every run. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** From 0, below the bound. */
  below(bound: number): number
  /** True in this percentage of cases. */
  percent(share: number): boolean
}

/** Mulberry32: small, fast, and good enough for generated texts. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return { next, below, percent: (share) => next() * 100 < share }
}

/** Picks 0 most often, then 1, as words and events are used: the n-th weighs 1 / n ** steepness. */
export function createZipf(size: number, steepness: number): (random: Random) => number {
  const sums = new Float64Array(size)
  let sum = 0
  for (let i = 0; i < size; i++) {
    sum += 1 / (i + 1) ** steepness
    sums[i] = sum
  }
  return (random) => {
    const wanted = random.next() * sum
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
