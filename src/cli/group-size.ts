/** The first group is small: nobody knows yet how long one takes here. */
const firstSize = 200
const maxSize = 4_000

/** How many talks make a group, so that one transaction takes about so long: larger ones cost less for each talk. */
export interface GroupSize {
  current(): number
  /** How long a group of so many took. */
  learn(count: number, tookMs: number): void
}

export function createGroupSize(wantedMs: number): GroupSize {
  let size = firstSize
  return {
    current: () => size,
    learn(count, tookMs) {
      const fitting = Math.floor((count * wantedMs) / Math.max(1, tookMs))
      // At most twice as many: what comes next may be harder than what came.
      size = Math.max(1, Math.min(fitting, size * 2, maxSize))
    },
  }
}
