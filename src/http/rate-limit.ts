/** Keys share slots by hash; a clash can only make a limit stricter for two that are both near it. */
const slots = 4096
const windowMs = 60_000

export interface RateLimit {
  /** Counts one; the seconds to wait when that was one too many, else 0. */
  take(key: string, nowMs: number): number
}

export function createRateLimitBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * 2 * Int32Array.BYTES_PER_ELEMENT)
}

/** So many a minute over all threads, counted from the first one on. `perMinute` 0 means no limit. */
export function createRateLimit(buffer: SharedArrayBuffer, perMinute: number): RateLimit {
  const cells = new Int32Array(buffer)
  return {
    take(key, nowMs) {
      if (perMinute === 0) return 0
      const start = Number(Bun.hash(key) % BigInt(slots)) * 2
      const count = start + 1
      // Seconds since the epoch fit into 31 bits until 2038 and, as wrapped differences, after that too.
      const now = Math.floor(nowMs / 1000) | 0
      const began = Atomics.load(cells, start)
      if (((now - began) | 0) * 1000 >= windowMs && Atomics.compareExchange(cells, start, began, now) === began) {
        Atomics.store(cells, count, 0)
      }
      if (Atomics.add(cells, count, 1) < perMinute) return 0
      return Math.max(1, windowMs / 1000 - ((now - Atomics.load(cells, start)) | 0))
    },
  }
}
