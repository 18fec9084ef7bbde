import type { MaybePromise } from '../maybe-promise.ts'
import type { Counters } from './counters.ts'

/**
 * What a record takes beside what `sizeOf` tells: objects, the map's and the clock's own slots; measured with 60,000.
 */
const overheadBytes = 850
/** Evicted entries stay in the heap until it has grown by about half (runtime-options.ts). */
const roomFactor = 1.5
/** How many ids that were missed once are remembered while the cache is full. */
const maxSeenOnce = 50_000

export interface RecordCache<Entry> {
  /** The record as it is now, from memory where that is honest, else from the store; null where there is none. */
  get(id: number): MaybePromise<Entry | null>
  /** The record where it is in memory and current, else null; never reads the store. */
  peek(id: number): Entry | null
  /** What was just stored, so that it need not be read; right while the record's counter is the given one. */
  put(id: number, entry: Entry, counter: number): void
  readonly stats: { hits: number; misses: number; bytes: number }
}

export interface CacheNeeds<Entry> {
  readonly counters: Counters
  readonly budgetBytes: number
  load(id: number): MaybePromise<Entry | null>
  sizeOf(entry: Entry): number
}

interface Slot<Entry> {
  readonly id: number
  readonly entry: Entry
  readonly counter: number
  readonly bytes: number
  used: boolean
  /** Where it stands in the ring. */
  at: number
}

/**
 * Bounded in bytes, with CLOCK eviction: a hit sets one bit. Once full, a record gets in at its second miss, so one
 * reader who walks through everything does not push out what the others read.
 */
export function createRecordCache<Entry>(needs: CacheNeeds<Entry>): RecordCache<Entry> {
  const { counters, budgetBytes } = needs
  const slots = new Map<number, Slot<Entry>>()
  const ring: Slot<Entry>[] = []
  const seenOnce = new Set<number>()
  /** Whoever asks for what is being read already waits for the same answer. */
  const loading = new Map<number, { readonly counter: number; readonly entry: Promise<Entry | null> }>()
  const stats = { hits: 0, misses: 0, bytes: 0 }
  let hand = 0

  function get(id: number): MaybePromise<Entry | null> {
    return peek(id) ?? miss(id)
  }

  function peek(id: number): Entry | null {
    const slot = slots.get(id)
    if (slot === undefined || slot.counter !== counters.load(id)) return null
    slot.used = true
    stats.hits++
    return slot.entry
  }

  function miss(id: number): MaybePromise<Entry | null> {
    const outdated = slots.get(id)
    if (outdated !== undefined) remove(outdated)
    // Loaded before the read: a change in between leaves a counter that no longer fits, never a stale entry.
    const counter = counters.loadToKeep(id)
    const waiting = loading.get(id)
    if (waiting?.counter === counter) return waiting.entry
    stats.misses++
    const loaded = needs.load(id)
    if (!(loaded instanceof Promise)) return keep(id, loaded, counter, outdated !== undefined)
    const entry = loaded.then((each) => keep(id, each, counter, outdated !== undefined))
    loading.set(id, { counter, entry })
    const forget = () => void (loading.get(id)?.entry === entry && loading.delete(id))
    // Also handles a rejection that whoever asked does not wait for.
    entry.then(forget, forget)
    return entry
  }

  function put(id: number, entry: Entry, counter: number): void {
    if (counter !== counters.loadToKeep(id)) return
    const outdated = slots.get(id)
    if (outdated !== undefined) remove(outdated)
    keep(id, entry, counter, outdated !== undefined)
  }

  function keep(id: number, entry: Entry | null, counter: number, wasKept: boolean): Entry | null {
    if (entry === null) return null
    const bytes = (needs.sizeOf(entry) + overheadBytes) * roomFactor
    // Somebody else may have brought it in while we waited.
    const isWanted = !slots.has(id) && !Number.isNaN(counter)
    if (isWanted && (wasKept || isAdmitted(id, bytes))) add({ id, entry, counter, bytes, used: false, at: 0 })
    return entry
  }

  function isAdmitted(id: number, bytes: number): boolean {
    if (stats.bytes + bytes <= budgetBytes || seenOnce.delete(id)) return true
    if (seenOnce.size >= maxSeenOnce) seenOnce.clear()
    seenOnce.add(id)
    return false
  }

  function add(slot: Slot<Entry>): void {
    if (slot.bytes > budgetBytes) return
    while (ring.length > 0 && stats.bytes + slot.bytes > budgetBytes) evictOne()
    slots.set(slot.id, slot)
    slot.at = ring.push(slot) - 1
    stats.bytes += slot.bytes
  }

  function evictOne(): void {
    for (;;) {
      const slot = ring[hand] ?? ring[0]
      if (slot === undefined) return
      // Also past who takes the place of one that goes: that is the last who came, and would be the next to go.
      hand = slot.at + 1
      if (!slot.used) return remove(slot)
      slot.used = false
    }
  }

  function remove(slot: Slot<Entry>): void {
    const last = ring.pop()
    if (last !== undefined && last !== slot) {
      last.at = slot.at
      ring[slot.at] = last
    }
    slots.delete(slot.id)
    stats.bytes -= slot.bytes
  }

  return { get, peek, put, stats }
}
