import { toAsciiJson } from '../record/json-body.ts'
import type { Change, LoggedChange } from '../store/log.ts'
import type { Failure, Store } from '../store/store.ts'
import type { Sight } from './envelope.ts'

/** So many recent changes are held; who is further behind reads them from the store. */
const maxHeld = 4_000
const pageSize = 500
/** A reader gets at most so much at once. */
const maxChunkBytes = 64 * 1024

export interface Chunk {
  readonly bytes: Uint8Array
  /** The reader knows everything up to this change then. */
  readonly upTo: number
}

interface Held {
  readonly seq: number
  readonly isPublic: boolean
  readonly text: string
}

/** The end of the change feed, read from the store once for all readers of a thread. */
export interface ChangeTail {
  /** Forgets what it holds and goes on after this change. */
  reset(last: number): void
  /** Takes over what was committed since; a failure means to try again later. */
  refresh(): Promise<Failure | null>
  /** What a reader at this change gets next; null where it has everything, `gone` where that is held no more. */
  read(after: number, sight: Sight): Chunk | 'gone' | null
}

export function createChangeTail(store: Store): ChangeTail {
  let held: Held[] = []
  /** Everything after `begin`, up to `end`, is held. */
  let begin = 0
  let end = 0
  let seenCounter: number | null = null
  /** Most readers stand at the same place. */
  const ready = new Map<string, Chunk>()

  function add(changes: readonly LoggedChange[]): void {
    for (const change of changes) held.push({ ...change, text: toEventText(change) })
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
      add(page.changes)
      isMore = page.changes.length === pageSize
    }
    seenCounter = counter
    return null
  }

  function toChunk(after: number, sight: Sight): Chunk {
    const texts: string[] = []
    let upTo = end
    let size = 0
    for (let i = findAfter(held, after); i < held.length; i++) {
      const each = held[i]
      if (each === undefined || size > maxChunkBytes) break
      upTo = each.seq
      if (sight === 'live' && !each.isPublic) continue
      texts.push(each.text)
      size += each.text.length
    }
    return { bytes: Buffer.from(texts.join(''), 'latin1'), upTo }
  }

  return {
    refresh,
    reset(last) {
      held = []
      begin = last
      end = last
      seenCounter = null
      ready.clear()
    },
    read(after, sight) {
      if (after < begin) return 'gone'
      if (after >= end) return null
      const key = `${after} ${sight}`
      const chunk = ready.get(key) ?? toChunk(after, sight)
      ready.set(key, chunk)
      return chunk
    },
  }
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

/** One event; a client that comes back sends its id. */
export function toEventText(change: LoggedChange): string {
  return `id: ${change.seq}\ndata: ${toAsciiJson(toShownChange(change))}\n\n`
}

export function toShownChange({ seq, id, version, at, kind }: LoggedChange): Change {
  return { seq, id, version, at, kind }
}
