import type { Failure, Store } from '../../store/store.ts'
import type { Visibility } from '../list/envelope.ts'
import { type EventsPage, toEventsPage } from './events-page.ts'

/** So many recent changes are held; who is further behind reads them from the store. */
const maxHeld = 4_000
const pageSize = 500
/** A reader gets at most so much at once. */
const maxChunkBytes = 64 * 1024

/** Of so many places what comes next is kept; who names others all the time must not fill the memory. */
const maxReady = 16

export interface Chunk {
  readonly bytes: Uint8Array
  /** The reader knows everything up to this change then. */
  readonly upTo: number
}

/** A change: where in a page of events its own stands. */
interface Held extends Readonly<Piece> {
  readonly seq: number
  readonly isPublic: boolean
}

/** The end of the change feed, read from the store once for all readers of a thread. */
export interface ChangeTail {
  /** Forgets what it holds and goes on after this change of this store. */
  reset(last: number, store: string): void
  /** Takes over what was committed since; a failure means to try again later. */
  refresh(): Promise<Failure | null>
  /**
   * What a reader at this change of this store gets next; null where it has everything, `gone` where that is held no
   * more, or where it is another store by now.
   */
  read(after: number, visibility: Visibility, store: string): Chunk | 'gone' | null
}

export function createChangeTail(store: Store): ChangeTail {
  let held: Held[] = []
  /** Everything after `begin`, up to `end`, is held. */
  let begin = 0
  let end = 0
  let known = ''
  let seenCounter: number | null = null
  /** Most readers stand at the same place. */
  const ready = new Map<string, Chunk>()

  function add({ text: page, events }: EventsPage): void {
    let from = 0
    for (const { seq, length, isPublic } of events) {
      const to = from + length
      held.push({ seq, isPublic, page, from, to })
      from = to
    }
    end = held.at(-1)?.seq ?? end
    if (held.length > maxHeld) {
      held = held.slice(-maxHeld / 2)
      begin = (held[0]?.seq ?? end + 1) - 1
    }
    ready.clear()
  }

  async function refresh(): Promise<Failure | null> {
    // Loaded before the read: what is committed meanwhile moves it once more.
    const counter = store.changesCounter()
    if (counter === seenCounter) return null
    for (let isMore = true; isMore; ) {
      const page = await store.listChanges({ since: end, limit: pageSize, drafts: true })
      if (typeof page === 'string') return page
      if (page.store !== known) {
        reset(page.last, page.store)
        break
      }
      add(toEventsPage(page))
      isMore = page.changes.length === pageSize
    }
    seenCounter = counter
    return null
  }

  function toChunk(after: number, visibility: Visibility): Chunk {
    const pieces: Piece[] = []
    let upTo = end
    let size = 0
    for (let i = findAfter(held, after); i < held.length; i++) {
      const each = held[i]
      if (each === undefined || size > maxChunkBytes) break
      upTo = each.seq
      if (visibility === 'live' && !each.isPublic) continue
      extend(pieces, each)
      size += each.to - each.from
    }
    const text = pieces.map(({ page, from, to }) => page.slice(from, to)).join('')
    return { bytes: Buffer.from(text, 'latin1'), upTo }
  }

  function reset(last: number, store: string): void {
    held = []
    begin = last
    end = last
    known = store
    seenCounter = null
    ready.clear()
  }

  return {
    refresh,
    reset,
    read(after, visibility, store) {
      if (store !== known || after < begin) return 'gone'
      if (after >= end) return null
      const key = `${after} ${visibility}`
      const made = ready.get(key)
      if (made !== undefined) return made
      const chunk = toChunk(after, visibility)
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

/** What stands side by side is one piece: mostly it is all of a page. */
function extend(pieces: Piece[], { page, from, to }: Held): void {
  const last = pieces.at(-1)
  if (last?.page === page && last.to === from) last.to = to
  else pieces.push({ page, from, to })
}

/** Where the changes after this one begin: they are in order, so by halves. */
function findAfter(held: readonly Held[], after: number): number {
  let [low, high] = [0, held.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((held[middle]?.seq ?? 0) > after) high = middle
    else low = middle + 1
  }
  return low
}
