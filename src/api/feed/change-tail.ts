import type { Visibility } from '../../record/state.ts'
import type { FeedFilter } from '../../store/change-log.ts'
import type { Failure, Store } from '../../store/store.ts'
import { type EventsPage, toEventsPage } from './events-page.ts'

/** Recent changes in memory; a client that is further behind reads from the store. */
const maxHeld = 4_000
const pageSize = 500
const maxChunkBytes = 64 * 1024

/** Limit of cached chunks: clients that ask for many different positions must not fill the memory. */
const maxChunks = 16

export interface Chunk {
  readonly bytes: Uint8Array
  /** The last change that the chunk covers. */
  readonly upTo: number
}

/** A change, and where its event is within a page of events. */
interface Held extends Readonly<Piece> {
  readonly seq: number
  readonly by: string | null
}

/** The end of the change feed, read from the store once for all clients of a thread. */
export interface ChangeTail {
  /** Drops everything and continues after this change of this store. */
  reset(last: number, store: string): void
  /** Reads changes committed since; after a failure the caller retries. */
  refresh(): Promise<Failure | null>
  /**
   * The next chunk for a client at this change of this store; null if it has everything, `gone` if that is no longer in
   * memory or the store is another one now.
   */
  read(after: number, filter: FeedFilter, store: string): Chunk | 'gone' | null
}

export function createChangeTail(store: Store): ChangeTail {
  return new MemoryTail(store)
}

class MemoryTail implements ChangeTail {
  readonly #store: Store
  /** Changes by visibility: texts for the public have no details (decision 55). */
  #held: Record<Visibility, Held[]> = { all: [], live: [] }
  /** Everything after `begin`, up to `end`, is in memory. */
  #begin = 0
  #end = 0
  #storeId = ''
  #seenCounter: number | null = null
  /** Chunks by position: most clients are at the same one. */
  readonly #chunks = new Map<string, Chunk>()

  constructor(store: Store) {
    this.#store = store
  }

  reset(last: number, storeId: string): void {
    this.#held = { all: [], live: [] }
    this.#begin = last
    this.#end = last
    this.#storeId = storeId
    this.#seenCounter = null
    this.#chunks.clear()
  }

  async refresh(): Promise<Failure | null> {
    // Loaded before the read, so that a commit during the read triggers another refresh.
    const counter = this.#store.changesCounter()
    if (counter === this.#seenCounter) return null
    for (let isMore = true; isMore; ) {
      const page = await this.#store.listChanges({ since: this.#end, limit: pageSize, visibility: 'all', by: null })
      if (typeof page === 'string') return page
      if (page.store !== this.#storeId) {
        this.reset(page.last, page.store)
        break
      }
      this.#add('all', toEventsPage(page, 'all'))
      this.#add('live', toEventsPage(page, 'live'))
      this.#trim()
      isMore = page.changes.length === pageSize
    }
    this.#seenCounter = counter
    return null
  }

  read(after: number, filter: FeedFilter, storeId: string): Chunk | 'gone' | null {
    if (storeId !== this.#storeId || after < this.#begin) return 'gone'
    if (after >= this.#end) return null
    const key = `${after} ${filter.visibility} ${filter.by ?? ''}`
    const cached = this.#chunks.get(key)
    if (cached !== undefined) return cached
    const chunk = this.#toChunk(after, filter)
    if (this.#chunks.size >= maxChunks) this.#chunks.clear()
    this.#chunks.set(key, chunk)
    return chunk
  }

  #add(visibility: Visibility, { text: page, events }: EventsPage): void {
    let from = 0
    for (const { seq, by, length } of events) {
      const to = from + length
      this.#held[visibility].push({ seq, by, page, from, to })
      from = to
    }
  }

  /** Drops the older half if there are too many changes, and all cached chunks. */
  #trim(): void {
    const held = this.#held
    this.#end = held.all.at(-1)?.seq ?? this.#end
    if (held.all.length > maxHeld) {
      const all = held.all.slice(-maxHeld / 2)
      this.#begin = (all[0]?.seq ?? this.#end + 1) - 1
      this.#held = { all, live: held.live.slice(findAfter(held.live, this.#begin)) }
    }
    this.#chunks.clear()
  }

  #toChunk(after: number, { visibility, by }: FeedFilter): Chunk {
    const pieces: Piece[] = []
    const events = this.#held[visibility]
    let upTo = this.#end
    let size = 0
    for (let i = findAfter(events, after); i < events.length; i++) {
      const event = events[i]
      if (event === undefined) break
      if (by !== null && event.by !== by) continue
      extend(pieces, event)
      size += event.to - event.from
      if (size <= maxChunkBytes) continue
      upTo = event.seq
      break
    }
    const text = pieces.map(({ page, from, to }) => page.slice(from, to)).join('')
    return { bytes: Buffer.from(text, 'latin1'), upTo }
  }
}

interface Piece {
  readonly page: string
  readonly from: number
  to: number
}

/** Adjacent events become one piece, usually a whole page. */
function extend(pieces: Piece[], { page, from, to }: Held): void {
  const last = pieces.at(-1)
  if (last?.page === page && last.to === from) last.to = to
  else pieces.push({ page, from, to })
}

/** The index of the first change after this one, by binary search. */
function findAfter(held: readonly Held[], after: number): number {
  let [low, high] = [0, held.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((held[middle]?.seq ?? 0) > after) high = middle
    else low = middle + 1
  }
  return low
}
