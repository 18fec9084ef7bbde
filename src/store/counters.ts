/** More slots mean fewer records that share one, and so fewer needless reloads; 65,536 take 256 KiB. */
const slots = 1 << 16
const tokensSlot = slots
const changesSlot = slots + 1
const deafSlot = slots + 2
const contentSlot = slots + 3
const troubledSlot = slots + 4
const beatsSlot = slots + 5
const unreadableSlot = slots + 6
/** The seq, which needs more bits than a counter, lies behind them, where eight bytes begin. */
const counters32 = slots + 8
const counterBytes = counters32 * Int32Array.BYTES_PER_ELEMENT
/** Without a beat for so long, what a thread keeps may be old. */
const maxSilenceMs = 200
const primaryCells = 3

/**
 * Counters shared by all threads, one slot per id (modulo). The writer bumps a record's slot after its commit and
 * before its answer; a cached copy is valid only while its slot's counter is what it was before the copy was read.
 */
export interface Counters {
  load(id: number): number
  /** The same for what is about to be read and kept; NaN, which is never equal to anything, while we are deaf. */
  loadToKeep(id: number): number
  /** Gives what the counter is then. */
  bump(id: number): number
  /** After the records of a group have been bumped. */
  bumpChanges(): void
  bumpTokens(): void
  /** For changes of which we do not know the ids: another process, a writer that died. */
  bumpAll(): void
  /** After `bumpChanges`, by which query threads judge what they remember: a page read before it may be older. */
  bumpContent(): void
  /** Moves with every change of records, categories and names, not with tokens; NaN while nothing may be kept. */
  loadContent(): number
  loadTokens(): number
  /** Moves with every change of anything. */
  loadChanges(): number
  /** Once every record up to this change has been bumped: only then may anybody be told of it. */
  publish(seq: number): void
  loadPublished(): number
  /** Waits, on a thread that may stand still, until a change is published; false where it takes longer than that. */
  waitForPublished(seq: number, timeoutMs: number): boolean
  /** Whether we hear of other nodes' changes; while we do not, nothing is kept, and counters are never the same. */
  setDeaf(isDeaf: boolean): void
  isDeaf(): boolean
  /** Whether the last write failed for the store's own reasons. */
  setTroubled(isTroubled: boolean): void
  isTroubled(): boolean
  /** The file has lost pages: from now on nothing may be read from it. */
  setUnreadable(): void
  isUnreadable(): boolean
  /** Told by the thread that listens, each time that it is sure to have heard of everything. */
  beat(): void
  /**
   * From now on this thread also counts as deaf when it has seen no beat for 200 ms: the whole process may have stood
   * still, the thread that listens with it. To be called again and again, since a beat is only known to be later than
   * the call before.
   */
  seeBeats(): void
}

/** Counters have 32 bits and go round. */
export const nextCounter = (counter: number) => (Number.isNaN(counter) ? counter : (counter + 1) | 0)

export function createCountersBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(counterBytes + BigInt64Array.BYTES_PER_ELEMENT)
}

/** What a node's threads share of its primary (postgres/epoch.ts); main makes it, and loads nothing of PostgreSQL. */
export function createPrimaryBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(primaryCells * BigInt64Array.BYTES_PER_ELEMENT)
}

export function createCounters(buffer: SharedArrayBuffer): Counters {
  const counters = new Int32Array(buffer, 0, counters32)
  const published = new BigInt64Array(buffer, counterBytes)
  let seen: { beats: number; laterThanMs: number; lookedMs: number } | null = null

  function seeBeats(): void {
    const beats = Atomics.load(counters, beatsSlot)
    const nowMs = performance.now()
    seen ??= { beats, laterThanMs: Number.NEGATIVE_INFINITY, lookedMs: nowMs }
    if (beats !== seen.beats) seen.laterThanMs = seen.lookedMs
    seen.beats = beats
    seen.lookedMs = nowMs
  }

  function isSilent(): boolean {
    if (seen === null) return false
    seeBeats()
    return seen.lookedMs - seen.laterThanMs > maxSilenceMs
  }

  const isDeaf = () => Atomics.load(counters, deafSlot) === 1 || isSilent()
  const loadPublished = () => Number(Atomics.load(published, 0))
  return {
    load: (id) => (isSilent() ? Number.NaN : Atomics.load(counters, id % slots)),
    loadToKeep: (id) => (isDeaf() ? Number.NaN : Atomics.load(counters, id % slots)),
    bump(id) {
      const counter = nextCounter(Atomics.add(counters, id % slots, 1))
      Atomics.add(counters, contentSlot, 1)
      return counter
    },
    bumpChanges: () => void Atomics.add(counters, changesSlot, 1),
    bumpTokens: () => void Atomics.add(counters, tokensSlot, 1),
    bumpAll() {
      for (let slot = 0; slot <= changesSlot; slot++) Atomics.add(counters, slot, 1)
      Atomics.add(counters, contentSlot, 1)
    },
    bumpContent: () => void Atomics.add(counters, contentSlot, 1),
    loadContent: () => (isDeaf() ? Number.NaN : Atomics.load(counters, contentSlot)),
    loadTokens: () => (isDeaf() ? Number.NaN : Atomics.load(counters, tokensSlot)),
    loadChanges: () => (isDeaf() ? Number.NaN : Atomics.load(counters, changesSlot)),
    publish(seq) {
      // Several threads may have something to publish; the later change stays.
      for (let known = loadPublished(); known < seq; known = loadPublished()) {
        Atomics.compareExchange(published, 0, BigInt(known), BigInt(seq))
      }
      Atomics.notify(published, 0)
    },
    loadPublished,
    waitForPublished(seq, timeoutMs) {
      const until = performance.now() + timeoutMs
      for (let known = loadPublished(); known < seq; known = loadPublished()) {
        const left = until - performance.now()
        if (left <= 0) return false
        Atomics.wait(published, 0, BigInt(known), left)
      }
      return true
    },
    setDeaf: (deaf) => void Atomics.store(counters, deafSlot, deaf ? 1 : 0),
    isDeaf,
    setTroubled: (isTroubled) => void Atomics.store(counters, troubledSlot, isTroubled ? 1 : 0),
    isTroubled: () => Atomics.load(counters, troubledSlot) === 1,
    setUnreadable: () => void Atomics.store(counters, unreadableSlot, 1),
    isUnreadable: () => Atomics.load(counters, unreadableSlot) === 1,
    beat: () => void Atomics.add(counters, beatsSlot, 1),
    seeBeats,
  }
}
