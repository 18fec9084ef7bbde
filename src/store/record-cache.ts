import type { MaybePromise } from '../promises.ts'
import type { Counters } from './counters.ts'

/** Bytes per entry beyond `sizeOf`: objects, map and ring slots; measured with 60,000 records. */
const overheadBytes = 850
/** Evicted entries stay on the heap until the next collection: up to half as much again (`runtimeOptions` in main.ts). */
const roomFactor = 1.5
/** Maximum number of ids remembered after their first miss while the cache is full. */
const maxSeenOnce = 50_000

export interface RecordCache<Entry> {
  /** The current record: the cached copy if it is still valid, else from the store; null if there is none. */
  get(id: number): MaybePromise<Entry | null>
  /** The cached copy if it is still valid, else null; never reads the store. */
  peek(id: number): Entry | null
  /** Caches a record that was just stored; valid while the record's counter is the given one. */
  put(id: number, entry: Entry, counter: number): void
  readonly stats: { hits: number; misses: number; bytes: number }
}

export interface CacheDeps<Entry> {
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
  /** Its index in the ring. */
  at: number
}

/**
 * Bounded in bytes, with CLOCK eviction: a hit sets one bit. Once the cache is full, a record is admitted at its second
 * miss, so a client that reads everything once does not evict what others read often (decision 25).
 */
export function createRecordCache<Entry>(deps: CacheDeps<Entry>): RecordCache<Entry> {
  const { counters, budgetBytes } = deps
  const slots = new Map<number, Slot<Entry>>()
  const ring: Slot<Entry>[] = []
  const seenOnce = new Set<number>()
  /** Reads in progress: concurrent requests for the same record share one. */
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
    // Loaded before the read: a change in between makes the counter outdated, so a stale entry is never valid.
    const counter = counters.loadToKeep(id)
    const waiting = loading.get(id)
    if (waiting?.counter === counter) return waiting.entry
    stats.misses++
    const loaded = deps.load(id)
    if (!(loaded instanceof Promise)) return keep(id, loaded, counter, outdated !== undefined)
    const entry = loaded.then((each) => keep(id, each, counter, outdated !== undefined))
    loading.set(id, { counter, entry })
    const forget = () => void (loading.get(id)?.entry === entry && loading.delete(id))
    // Also handles the rejection if the caller does not await it.
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
    const bytes = (deps.sizeOf(entry) + overheadBytes) * roomFactor
    // Another request may have added it in the meantime.
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
      // `remove` moves the newest slot to this index; step past it, or it would be evicted next.
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
