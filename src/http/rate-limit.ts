/** Keys that share a slot evict each other, so a collision can only raise a limit. */
const slots = 4096
const cellsPerSlot = 3
const windowSeconds = 60

export interface RateLimit {
  /** Counts one request. Returns the seconds to wait if it exceeds the limit, else 0. */
  take(key: string, uptimeMs: number): number
}

export function createRateLimitBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * cellsPerSlot * Int32Array.BYTES_PER_ELEMENT)
}

/** A limit per minute over all threads; the window begins with the first request. 0 means no limit. */
export function createRateLimit(buffer: SharedArrayBuffer, perMinute: number): RateLimit {
  const cells = new Int32Array(buffer)
  return {
    take(key, uptimeMs) {
      if (perMinute === 0) return 0
      const hash = Bun.hash(key)
      const begin = Number(hash % BigInt(slots)) * cellsPerSlot
      const [count, owner] = [begin + 1, begin + 2]
      const keyHash = Number(BigInt.asIntN(32, hash >> 32n))
      const now = Math.floor(uptimeMs / 1000) | 0
      const age = (now - Atomics.load(cells, begin)) | 0
      // The clocks of two threads differ by some milliseconds, so a window may begin in the future.
      if (age < -1 || age >= windowSeconds || Atomics.load(cells, owner) !== keyHash) {
        Atomics.store(cells, begin, now)
        Atomics.store(cells, owner, keyHash)
        Atomics.store(cells, count, 0)
      }
      if (Atomics.add(cells, count, 1) < perMinute) return 0
      const left = windowSeconds - ((now - Atomics.load(cells, begin)) | 0)
      return Math.min(Math.max(1, left), windowSeconds)
    },
  }
}
