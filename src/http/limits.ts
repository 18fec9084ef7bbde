/** Keys that share a slot evict each other, so a collision can only raise a limit. */
const rateSlots = 4096
const cellsPerSlot = 3
const windowSeconds = 60

export interface RateLimit {
  /** Counts one request. Returns the seconds to wait if it exceeds the limit, else 0. */
  take(key: string, uptimeMs: number): number
}

export function createRateLimitBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(rateSlots * cellsPerSlot * Int32Array.BYTES_PER_ELEMENT)
}

/** A limit per minute over all threads; the window begins with the first request. 0 means no limit. */
export function createRateLimit(buffer: SharedArrayBuffer, perMinute: number): RateLimit {
  const cells = new Int32Array(buffer)
  return {
    take(key, uptimeMs) {
      if (perMinute === 0) return 0
      const hash = Bun.hash(key)
      const begin = Number(hash % BigInt(rateSlots)) * cellsPerSlot
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

/** Keys that share a slot share their limit; with 4,096 slots that is rare. */
const quotaSlots = 4096
/** The total of the thread, then its slots. */
const cellsPerThread = 1 + quotaSlots

export interface QuotaLimits {
  readonly max: number
  readonly maxPerKey: number
}

/** Returns the amount, once. */
export type Release = () => void

/**
 * Amounts that requests hold for a while, counted over all threads: in total, and by key, such as a client's address.
 */
export interface Quota {
  /** Holds an amount regardless of the limits. */
  hold(amount: number, keys: readonly string[]): Release
  /**
   * Holds an amount, unless that would exceed `max` in total, or `maxPerKey` for one key. Never refuses an amount
   * because of its own size alone.
   */
  take(amount: number, keys: readonly string[]): Release | 'full' | 'share full'
  /** Over all threads. */
  total(): number
}

export function createQuotaBuffer(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * cellsPerThread * Float64Array.BYTES_PER_ELEMENT)
}

/** Each thread counts in its own cells, so counting needs no locks, and a thread that is replaced begins at 0. */
export function createQuota(
  buffer: SharedArrayBuffer,
  thread: number,
  { max, maxPerKey }: QuotaLimits,
  onChange: (own: number) => void = () => {},
): Quota {
  const all = new Float64Array(buffer)
  const own = all.subarray(thread * cellsPerThread, (thread + 1) * cellsPerThread)
  own.fill(0)
  onChange(0)

  function add(amount: number, cells: readonly number[]): void {
    for (const cell of cells) own[cell] = (own[cell] ?? 0) + amount
    onChange(own[0] ?? 0)
  }

  function sum(cell: number): number {
    let total = 0
    for (let i = cell; i < all.length; i += cellsPerThread) total += all[i] ?? 0
    return total
  }

  function hold(amount: number, keys: readonly string[]): Release {
    const cells = [0, ...new Set(keys.map(toCell))]
    add(amount, cells)
    let isHeld = true
    return () => {
      if (isHeld) add(-amount, cells)
      isHeld = false
    }
  }

  function take(amount: number, keys: readonly string[]): Release | 'full' | 'share full' {
    // Counted before the check, so that two threads that check at the same time see each other's amounts.
    const release = hold(amount, keys)
    const isShareFull = keys.some((key) => sum(toCell(key)) > Math.max(maxPerKey, amount))
    const isFull = sum(0) > Math.max(max, amount)
    if (!isShareFull && !isFull) return release
    release()
    return isShareFull ? 'share full' : 'full'
  }

  return { hold, take, total: () => sum(0) }
}

function toCell(key: string): number {
  return 1 + Number(BigInt(Bun.hash(key)) % BigInt(quotaSlots))
}
