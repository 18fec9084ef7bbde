import { fromBody } from '../../record/record.ts'
import type { RecordWatcher } from '../columns/record-data.ts'
import type { Database } from '../database.ts'
import { createLookup, maxLookup } from '../read/statements.ts'
import type { WordSnapshot } from './word-snapshot.ts'
import type { WordsIndex } from './words-index.ts'

/**
 * Keeps the words of records up to date (decision 42). A record that is new or has changed loses its words at once and gets
 * new ones when its body is read: by the next search if these are few, otherwise in the background. So a search never
 * matches words that a record no longer has.
 */
export interface WordsLoader extends RecordWatcher {
  /** Whether all records have their words. */
  isComplete(): boolean
  /** Whether there is nothing to do in the background. */
  isIdle(): boolean
  /** Reads some of the bodies that are missing, newest records first, or merges segments. Within the caller's transaction. */
  loadChunk(): Promise<void>
  /** Reads what a search can wait for: this many records at most. Within the caller's transaction. */
  catchUp(maxRecords?: number): Promise<void>
}

interface WordsLoaderDeps {
  readonly db: Database
  readonly index: WordsIndex
  /** Null if there is none. */
  readonly snapshot: Pick<WordSnapshot, 'restore' | 'discard'> | null
  toId(slot: number): number
  toSlot(id: number): number
  onStep(): void
}

/** A search waits no longer than this for records that changed; the others follow in the background. */
const maxCatchUpMs = 100
const maxCaughtUp = 2_000
/** A few milliseconds, which a request waits for at most. */
const backgroundChunk = 32

export function createWordsLoader({ db, index, snapshot, toId, toSlot, onStep }: WordsLoaderDeps): WordsLoader {
  const readBodies = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )
  /** Slots without words, the newest last. */
  let missing: number[] = []
  let isMissing = new Uint8Array(1024)
  let isRestored = snapshot === null

  function changed(slot: number): void {
    index.remove(slot)
    if (slot >= isMissing.length) isMissing = grow(isMissing, slot)
    if (isMissing[slot] === 1) return
    isMissing[slot] = 1
    missing.push(slot)
  }

  function take(count: number): number[] {
    const slots = missing.splice(-count)
    const wanted = slots.filter((slot) => isMissing[slot] === 1)
    for (const slot of wanted) isMissing[slot] = 0
    return wanted
  }

  function claim(slot: number): boolean {
    const isClaimed = isMissing[slot] === 1
    isMissing[slot] = 0
    return isClaimed
  }

  /** Before any record is loaded. If the store cannot be read, the next call tries again. */
  async function restore(): Promise<void> {
    if (isRestored) return
    await snapshot?.restore(claim)
    isRestored = true
    missing = missing.filter((slot) => isMissing[slot] === 1)
  }

  async function load(count: number): Promise<void> {
    const slots = take(count)
    try {
      for (const { id, body } of await readBodies(slots.map(toId))) index.put(toSlot(id), fromBody(body))
      index.dictionary.sort()
    } catch (error) {
      for (const slot of slots) changed(slot)
      throw error
    }
    // So that no search has to sort the words of a whole load.
    if (missing.length === 0) index.segments()
  }

  return {
    changed,
    async loadChunk() {
      if (!isRestored) await restore()
      else if (missing.length === 0) index.compact()
      else await load(backgroundChunk)
    },
    removed(slot) {
      index.remove(slot)
      index.forgetErased()
      isMissing[slot] = 0
    },
    cleared() {
      index.clear()
      if (isRestored) snapshot?.discard()
      missing = []
      isMissing.fill(0)
    },
    isComplete: () => missing.length === 0,
    isIdle: () => isRestored && missing.length === 0 && index.isCompact(),
    async catchUp(maxRecords = maxCaughtUp) {
      await restore()
      const untilMs = performance.now() + maxCatchUpMs
      for (let done = 0; missing.length > 0 && done < maxRecords; done += maxLookup) {
        if (performance.now() > untilMs) return
        onStep()
        await load(maxLookup)
      }
    },
  }
}

function grow(flags: Uint8Array<ArrayBuffer>, slot: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * slot)
  larger.set(flags)
  return larger
}
