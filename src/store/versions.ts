/** More slots mean fewer records that share one, and so fewer needless reloads; 65,536 take 256 KiB. */
const slots = 1 << 16
const tokensSlot = slots
const changesSlot = slots + 1
/** The seq, which needs more bits than a counter, lies behind them. */
const counterBytes = (slots + 2) * Int32Array.BYTES_PER_ELEMENT

/**
 * Counters shared by all threads, one slot per id (modulo). The writer bumps a record's slot after its commit and
 * before its answer; a cached copy is valid only while its slot's counter is what it was before the copy was read.
 */
export interface Versions {
  load(id: number): number
  bump(id: number): void
  /** After the records of a group have been bumped. */
  bumpChanges(): void
  /** For changes of which we do not know the ids: another process, a writer that died. */
  bumpAll(): void
  loadTokens(): number
  /** Moves with every change of anything. */
  loadChanges(): number
  /** Once every record up to this change has been bumped: only then may anybody be told of it. */
  publish(seq: number): void
  loadPublished(): number
}

export function createVersionsBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(counterBytes + BigInt64Array.BYTES_PER_ELEMENT)
}

export function createVersions(buffer: SharedArrayBuffer): Versions {
  const counters = new Int32Array(buffer, 0, slots + 2)
  const published = new BigInt64Array(buffer, counterBytes)
  return {
    load: (id) => Atomics.load(counters, id % slots),
    bump: (id) => void Atomics.add(counters, id % slots, 1),
    bumpChanges: () => void Atomics.add(counters, changesSlot, 1),
    bumpAll() {
      for (let slot = 0; slot <= changesSlot; slot++) Atomics.add(counters, slot, 1)
    },
    loadTokens: () => Atomics.load(counters, tokensSlot),
    loadChanges: () => Atomics.load(counters, changesSlot),
    publish: (seq) => void Atomics.store(published, 0, BigInt(seq)),
    loadPublished: () => Number(Atomics.load(published, 0)),
  }
}
