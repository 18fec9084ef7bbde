/** More slots mean fewer records that share one, and so fewer needless reloads; 65,536 take 256 KiB. */
const slots = 1 << 16
const tokensSlot = slots
const changesSlot = slots + 1

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
}

export function createVersionsBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer((slots + 2) * Int32Array.BYTES_PER_ELEMENT)
}

export function createVersions(buffer: SharedArrayBuffer): Versions {
  const counters = new Int32Array(buffer)
  return {
    load: (id) => Atomics.load(counters, id % slots),
    bump: (id) => void Atomics.add(counters, id % slots, 1),
    bumpChanges: () => void Atomics.add(counters, changesSlot, 1),
    bumpAll() {
      for (let slot = 0; slot <= changesSlot; slot++) Atomics.add(counters, slot, 1)
    },
    loadTokens: () => Atomics.load(counters, tokensSlot),
    loadChanges: () => Atomics.load(counters, changesSlot),
  }
}
