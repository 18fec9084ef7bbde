import type { Visibility } from '../../record/visibility.ts'

/** Running counts of all and of live records per number: a category, a language, a speaker, a video and so on. */
export interface Tally {
  /** `step` is 1 for a record that appears, -1 for one that goes. */
  add(number: number, isLive: boolean, step: 1 | -1): void
  get(number: number, visibility: Visibility): number
  /** How many numbers have records. */
  countNumbers(visibility: Visibility): number
  /** How many records have a number, other than 0, that another record has too. */
  countShared(visibility: Visibility): number
  /** Clears the flags of slots whose number is 0, or that no other record has. */
  keepShared(flags: Uint8Array, numbers: Uint32Array, visibility: Visibility): void
  /** One more than the largest number that was ever counted. */
  end(): number
  clear(): void
}

const firstSize = 256

export function createTally(): Tally {
  /** All and live, alternating. */
  let counts = new Int32Array(2 * firstSize)
  /** Of all and of live records. */
  const shared = [0, 0]
  let end = 0
  const get = (number: number, visibility: Visibility) => counts[2 * number + (visibility === 'live' ? 1 : 0)] ?? 0
  const toShared = (number: number, count: number) => (number === 0 || count < 2 ? 0 : count)

  /** `side` is 0 for all records and 1 for live ones. */
  function change(number: number, side: 0 | 1, step: 1 | -1): void {
    const count = counts[2 * number + side] ?? 0
    counts[2 * number + side] = count + step
    shared[side] = (shared[side] ?? 0) + toShared(number, count + step) - toShared(number, count)
  }

  return {
    add(number, isLive, step) {
      if (2 * number >= counts.length) {
        const larger = new Int32Array(Math.max(4 * number, 2 * counts.length))
        larger.set(counts)
        counts = larger
      }
      if (number >= end) end = number + 1
      change(number, 0, step)
      if (isLive) change(number, 1, step)
    },
    get,
    countNumbers(visibility) {
      let found = 0
      for (let number = 0; number < end; number++) found += get(number, visibility) > 0 ? 1 : 0
      return found
    },
    countShared: (visibility) => shared[visibility === 'live' ? 1 : 0] ?? 0,
    keepShared(flags, numbers, visibility) {
      const side = visibility === 'live' ? 1 : 0
      for (let slot = 0; slot < flags.length; slot++) {
        const number = numbers[slot] ?? 0
        if (number === 0 || (counts[2 * number + side] ?? 0) < 2) flags[slot] = 0
      }
    },
    end: () => end,
    clear() {
      counts.fill(0)
      shared.fill(0)
      end = 0
    },
  }
}
