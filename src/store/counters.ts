import type { RunningBatches } from './batch-reads.ts'

/** More slots mean fewer records that share one, and so fewer needless reloads; 65,536 take 256 KiB. */
const slots = 1 << 16
const tokensSlot = slots
const changesSlot = slots + 1
const behindSlot = slots + 2
const contentSlot = slots + 3
const writesFailSlot = slots + 4
const beatsSlot = slots + 5
const unreadableSlot = slots + 6
const bulkSlots = { batch: slots + 7, done: slots + 8, steps: slots + 9 }
const batchSlots = { running: slots + 10, done: slots + 11, total: slots + 12 }
const sessionsSlot = slots + 13
const newerSchemaSlot = slots + 14
const roundTripSlot = slots + 15
const shutdownSlot = slots + 16
/** Batches to stop, by their number modulo this: requested on this node, and on other nodes. */
const stopCells = 16
const askedStops = slots + 17
const heardStops = askedStops + stopCells
/** The published seq takes 64 bits; it follows the counters, aligned to eight bytes. */
const counters32 = heardStops + stopCells + 1
const counterBytes = counters32 * Int32Array.BYTES_PER_ELEMENT
/** After this long without a beat, a thread's cached copies may be stale (decision 15). */
const maxSilenceMs = 200
const primaryCells = 6

/**
 * Counters shared by all threads, one slot per id (modulo). The writer bumps a record's slot after its commit and
 * before its answer; a cached copy is valid only while its slot's counter is what it was before the copy was read
 * (decision 25).
 */
export interface Counters {
  load(id: number): number
  /** As `load`, before a read whose result is to be cached. NaN, which equals nothing, while this node is behind. */
  loadToKeep(id: number): number
  /** Returns the new value. */
  bump(id: number): number
  /** Call after the records of a group have been bumped. */
  bumpChanges(): void
  /** Also invalidates cached sessions, which depend on tokens. */
  bumpTokens(): void
  bumpSessions(): void
  /** For changes whose ids are unknown: those of another process or of a writer that crashed. */
  bumpAll(): void
  /** Call after `bumpChanges`. Query threads drop memoised counts on that; a page built before it may be stale. */
  bumpContent(): void
  /** Moves with every change of records, categories and names, not of tokens; NaN while nothing may be cached. */
  loadContent(): number
  loadTokens(): number
  loadSessions(): number
  /** Moves with every change of anything. */
  loadChanges(): number
  /** Call once every record up to this change has been bumped: only then may it appear in the feed (decision 10). */
  publish(seq: number): void
  loadPublished(): number
  /** Blocks the thread until a change is published; false after the timeout. */
  waitForPublished(seq: number, timeoutMs: number): boolean
  /** Behind: this node may have missed changes of other nodes. Nothing is cached then, and no counter is valid. */
  setBehind(isBehind: boolean): void
  isBehind(): boolean
  /** Whether the last write failed because of the store: a full disk, a lost connection. */
  setWritesFail(writesFail: boolean): void
  writesFail(): boolean
  /** The file has lost pages and must not be read any more. */
  setUnreadable(): void
  isUnreadable(): boolean
  /** A newer program has upgraded the store: nothing is written until a restart. False if this was already set. */
  setNewerSchema(): boolean
  hasNewerSchema(): boolean
  /** The batches that this process runs: how many, and how many of their records are done. */
  setBatches(batches: RunningBatches): void
  loadBatches(): RunningBatches
  /** The batch whose transaction is open, and how many of its records are done; batch 0 if there is none. */
  setBulk(batch: number, done: number): void
  loadBulk(): { readonly batch: number; readonly done: number }
  /** Requests that this batch stops, on this or another node. Checked between records, while its transaction is open. */
  askToStop(batch: number): void
  hearStop(batch: number): void
  isToStop(batch: number): boolean
  /** The stops requested on this node, for other nodes. */
  listStops(): readonly number[]
  /** Call when a stop is answered, and before a batch runs: PostgreSQL may reuse a number. */
  clearStop(batch: number): void
  /** The server shuts down: batches stop. */
  setShutdown(): void
  isShutdown(): boolean
  /** Moves with every record of a batch, for which other writes wait (decision 74). */
  loadBulkSteps(): number
  /** The duration of a round trip to the database; 0 for a file. */
  setRoundTripMs(ms: number): void
  loadRoundTripMs(): number
  /** Called by the notification thread whenever it has received every notification so far. */
  beat(): void
  /**
   * Makes this thread count as behind after 200 ms without a new beat. Call it every few milliseconds: the age of a beat
   * is known only to within one call.
   */
  seeBeats(): void
}

/** Counters have 32 bits and wrap around. */
export const nextCounter = (counter: number) => (Number.isNaN(counter) ? counter : (counter + 1) | 0)

const toStopSlots = (batch: number) => ({
  asked: askedStops + (batch % stopCells),
  heard: heardStops + (batch % stopCells),
})

export function createCountersBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(counterBytes + BigInt64Array.BYTES_PER_ELEMENT)
}

/**
 * Shared cells for the current primary (postgres/primary/timeline.ts). Created here so that main need not load the
 * PostgreSQL client.
 */
export function createPrimaryBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(primaryCells * BigInt64Array.BYTES_PER_ELEMENT)
}

export function createCounters(buffer: SharedArrayBuffer): Counters {
  const cells = new Int32Array(buffer, 0, counters32)
  const published = new BigInt64Array(buffer, counterBytes)
  let seen: { beats: number; laterThanMs: number; lookedMs: number } | null = null

  function seeBeats(): void {
    const beats = Atomics.load(cells, beatsSlot)
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

  const isBehind = () => Atomics.load(cells, behindSlot) === 1 || isSilent()
  const loadPublished = () => Number(Atomics.load(published, 0))
  return {
    load: (id) => (isSilent() ? Number.NaN : Atomics.load(cells, id % slots)),
    loadToKeep: (id) => (isBehind() ? Number.NaN : Atomics.load(cells, id % slots)),
    bump(id) {
      const counter = nextCounter(Atomics.add(cells, id % slots, 1))
      Atomics.add(cells, contentSlot, 1)
      return counter
    },
    bumpChanges: () => void Atomics.add(cells, changesSlot, 1),
    bumpTokens() {
      Atomics.add(cells, tokensSlot, 1)
      Atomics.add(cells, sessionsSlot, 1)
    },
    bumpSessions: () => void Atomics.add(cells, sessionsSlot, 1),
    bumpAll() {
      for (let slot = 0; slot <= changesSlot; slot++) Atomics.add(cells, slot, 1)
      Atomics.add(cells, sessionsSlot, 1)
      Atomics.add(cells, contentSlot, 1)
    },
    bumpContent: () => void Atomics.add(cells, contentSlot, 1),
    loadContent: () => (isBehind() ? Number.NaN : Atomics.load(cells, contentSlot)),
    loadTokens: () => (isBehind() ? Number.NaN : Atomics.load(cells, tokensSlot)),
    loadSessions: () => (isBehind() ? Number.NaN : Atomics.load(cells, sessionsSlot)),
    loadChanges: () => (isBehind() ? Number.NaN : Atomics.load(cells, changesSlot)),
    publish(seq) {
      // Several threads may publish concurrently; the latest change wins.
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
    setBehind: (isBehind) => void Atomics.store(cells, behindSlot, isBehind ? 1 : 0),
    isBehind,
    setWritesFail: (writesFail) => void Atomics.store(cells, writesFailSlot, writesFail ? 1 : 0),
    writesFail: () => Atomics.load(cells, writesFailSlot) === 1,
    setUnreadable: () => void Atomics.store(cells, unreadableSlot, 1),
    isUnreadable: () => Atomics.load(cells, unreadableSlot) === 1,
    setNewerSchema: () => Atomics.exchange(cells, newerSchemaSlot, 1) === 0,
    hasNewerSchema: () => Atomics.load(cells, newerSchemaSlot) === 1,
    setBatches({ running, done, total }) {
      Atomics.store(cells, batchSlots.running, running)
      Atomics.store(cells, batchSlots.done, done)
      Atomics.store(cells, batchSlots.total, total)
    },
    loadBatches: () => ({
      running: Atomics.load(cells, batchSlots.running),
      done: Atomics.load(cells, batchSlots.done),
      total: Atomics.load(cells, batchSlots.total),
    }),
    setBulk(batch, done) {
      Atomics.store(cells, bulkSlots.batch, batch)
      Atomics.store(cells, bulkSlots.done, done)
      Atomics.add(cells, bulkSlots.steps, 1)
    },
    loadBulk: () => ({ batch: Atomics.load(cells, bulkSlots.batch), done: Atomics.load(cells, bulkSlots.done) }),
    askToStop: (batch) => void Atomics.store(cells, toStopSlots(batch).asked, batch),
    hearStop: (batch) => void Atomics.store(cells, toStopSlots(batch).heard, batch),
    isToStop: (batch) => Object.values(toStopSlots(batch)).some((slot) => Atomics.load(cells, slot) === batch),
    listStops: () =>
      Array.from({ length: stopCells }, (_, i) => Atomics.load(cells, askedStops + i)).filter((batch) => batch !== 0),
    clearStop(batch) {
      for (const slot of Object.values(toStopSlots(batch))) Atomics.compareExchange(cells, slot, batch, 0)
    },
    setShutdown: () => void Atomics.store(cells, shutdownSlot, 1),
    isShutdown: () => Atomics.load(cells, shutdownSlot) === 1,
    loadBulkSteps: () => Atomics.load(cells, bulkSlots.steps),
    setRoundTripMs: (ms) => void Atomics.store(cells, roundTripSlot, Math.round(ms)),
    loadRoundTripMs: () => Atomics.load(cells, roundTripSlot),
    beat: () => void Atomics.add(cells, beatsSlot, 1),
    seeBeats,
  }
}
