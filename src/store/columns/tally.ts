import type { Visibility } from '../../record/visibility.ts'

/** Running counts of all and of live records per number: a category, a language, a speaker or a tag. */
export interface Tally {
  /** `step` is 1 for a record that appears, -1 for one that goes. */
  add(number: number, isLive: boolean, step: 1 | -1): void
  /** Sets the counts of all and of live records for each number. */
  restore(all: Uint32Array, lives: Uint32Array): void
  get(number: number, visibility: Visibility): number
  /** How many numbers have records. */
  countNumbers(visibility: Visibility): number
  /** One more than the largest number that was ever counted. */
  end(): number
  clear(): void
}

const firstSize = 256

export function createTally(): Tally {
  /** All and live, alternating. */
  let counts = new Int32Array(2 * firstSize)
  let end = 0
  const get = (number: number, visibility: Visibility) => counts[2 * number + (visibility === 'live' ? 1 : 0)] ?? 0
  return {
    add(number, isLive, step) {
      if (2 * number >= counts.length) {
        const larger = new Int32Array(Math.max(4 * number, 2 * counts.length))
        larger.set(counts)
        counts = larger
      }
      if (number >= end) end = number + 1
      counts[2 * number] = (counts[2 * number] ?? 0) + step
      if (isLive) counts[2 * number + 1] = (counts[2 * number + 1] ?? 0) + step
    },
    restore(all, lives) {
      end = all.length
      counts = new Int32Array(2 * Math.max(firstSize, end))
      for (let number = 0; number < end; number++) {
        counts[2 * number] = all[number] ?? 0
        counts[2 * number + 1] = lives[number] ?? 0
      }
    },
    get,
    countNumbers(visibility) {
      let found = 0
      for (let number = 0; number < end; number++) found += get(number, visibility) > 0 ? 1 : 0
      return found
    },
    end: () => end,
    clear() {
      counts.fill(0)
      end = 0
    },
  }
}
