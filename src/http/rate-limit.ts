/** Keys that fall into one slot take it from each other, so a clash can only make a limit milder. */
const slots = 4096
const cellsPerSlot = 3
const windowSeconds = 60

export interface RateLimit {
  /** Counts one; the seconds to wait when that was one too many, else 0. */
  take(key: string, uptimeMs: number): number
}

export function createRateLimitBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * cellsPerSlot * Int32Array.BYTES_PER_ELEMENT)
}

/** So many a minute over all threads, counted from the first one on. `perMinute` 0 means no limit. */
export function createRateLimit(buffer: SharedArrayBuffer, perMinute: number): RateLimit {
  const cells = new Int32Array(buffer)
  return {
    take(key, uptimeMs) {
      if (perMinute === 0) return 0
      const hash = Bun.hash(key)
      const begin = Number(hash % BigInt(slots)) * cellsPerSlot
      const [count, owner] = [begin + 1, begin + 2]
      const tag = Number(BigInt.asIntN(32, hash >> 32n))
      const now = Math.floor(uptimeMs / 1000) | 0
      const age = (now - Atomics.load(cells, begin)) | 0
      // Clocks of two threads differ by some milliseconds, so one may see a window that is yet to begin.
      if (age < -1 || age >= windowSeconds || Atomics.load(cells, owner) !== tag) {
        Atomics.store(cells, begin, now)
        Atomics.store(cells, owner, tag)
        Atomics.store(cells, count, 0)
      }
      if (Atomics.add(cells, count, 1) < perMinute) return 0
      const left = windowSeconds - ((now - Atomics.load(cells, begin)) | 0)
      return Math.min(Math.max(1, left), windowSeconds)
    },
  }
}
