import type { Visibility } from '../../record/state.ts'
import type { FeedFilter } from '../../store/change-log.ts'
import type { Failure, Store } from '../../store/store.ts'
import { type EventsPage, toEventsPage } from './events-page.ts'

/** Recent changes in memory; a client that is further behind reads from the store. */
const maxHeld = 4_000
const pageSize = 500
const maxChunkBytes = 64 * 1024

/** Limit of cached chunks: clients that ask for many different positions must not fill the memory. */
const maxReady = 16

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
  /** Changes by visibility: texts for the public have no details (decision 55). */
  let held: Record<Visibility, Held[]> = { all: [], live: [] }
  /** Everything after `begin`, up to `end`, is in memory. */
  let begin = 0
  let end = 0
  let known = ''
  let seenCounter: number | null = null
  /** Chunks by position: most clients are at the same one. */
  const ready = new Map<string, Chunk>()

  function add(visibility: Visibility, { text: page, events }: EventsPage): void {
    let from = 0
    for (const { seq, by, length } of events) {
      const to = from + length
      held[visibility].push({ seq, by, page, from, to })
      from = to
    }
  }

  /** Drops the older half if there are too many changes, and all cached chunks. */
  function trim(): void {
    end = held.all.at(-1)?.seq ?? end
    if (held.all.length > maxHeld) {
      const all = held.all.slice(-maxHeld / 2)
      begin = (all[0]?.seq ?? end + 1) - 1
      held = { all, live: held.live.slice(findAfter(held.live, begin)) }
    }
    ready.clear()
  }

  async function refresh(): Promise<Failure | null> {
    // Loaded before the read, so that a commit during the read triggers another refresh.
    const counter = store.changesCounter()
    if (counter === seenCounter) return null
    for (let isMore = true; isMore; ) {
      const page = await store.listChanges({ since: end, limit: pageSize, visibility: 'all', by: null })
      if (typeof page === 'string') return page
      if (page.store !== known) {
        reset(page.last, page.store)
        break
      }
      add('all', toEventsPage(page, 'all'))
      add('live', toEventsPage(page, 'live'))
      trim()
      isMore = page.changes.length === pageSize
    }
    seenCounter = counter
    return null
  }

  function toChunk(after: number, { visibility, by }: FeedFilter): Chunk {
    const pieces: Piece[] = []
    const events = held[visibility]
    let upTo = end
    let size = 0
    for (let i = findAfter(events, after); i < events.length; i++) {
      const each = events[i]
      if (each === undefined) break
      if (by !== null && each.by !== by) continue
      extend(pieces, each)
      size += each.to - each.from
      if (size <= maxChunkBytes) continue
      upTo = each.seq
      break
    }
    const text = pieces.map(({ page, from, to }) => page.slice(from, to)).join('')
    return { bytes: Buffer.from(text, 'latin1'), upTo }
  }

  function reset(last: number, store: string): void {
    held = { all: [], live: [] }
    begin = last
    end = last
    known = store
    seenCounter = null
    ready.clear()
  }

  return {
    refresh,
    reset,
    read(after, filter, store) {
      if (store !== known || after < begin) return 'gone'
      if (after >= end) return null
      const key = `${after} ${filter.visibility} ${filter.by ?? ''}`
      const made = ready.get(key)
      if (made !== undefined) return made
      const chunk = toChunk(after, filter)
      if (ready.size >= maxReady) ready.clear()
      ready.set(key, chunk)
      return chunk
    },
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
