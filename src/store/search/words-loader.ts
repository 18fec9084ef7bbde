import { fromBody } from '../../record/record.ts'
import type { Change } from '../columns/change-follower.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { RecordWatcher } from '../columns/record-data.ts'
import type { Database } from '../database.ts'
import { createLookup, maxLookup } from '../read/statements.ts'
import { createSegment, type SegmentArrays } from './segment.ts'
import {
  readSnapshot,
  type SnapshotPlace,
  toContent,
  toMaxBytes,
  wipeSnapshot,
  writeSnapshot,
} from './snapshot-file.ts'
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

/** Which thread has which part in the index snapshot. */
export interface SnapshotPlan extends SnapshotPlace {
  /** One thread writes it; all others only read it. */
  readonly isWriter: boolean
}

export interface SnapshotDeps extends SnapshotPlan {
  readStoreId(db: Database): Promise<string>
  /** Moves with every change of the store. */
  changesCounter(): number
  report(error: unknown): void
  /** How long to wait before the next look for erased records, and before the next snapshot. */
  readonly intervals?: { readonly lookMs: number; readonly writeMs: number }
}

interface SnapshotIndexes {
  readonly db: Database
  readonly index: WordsIndex
  findColumns(): Pick<RecordColumns, 'toId' | 'toSlot' | 'slotEnd' | 'lastChange' | 'refresh'>
  /** Whether all records are loaded, with their words, and nothing is left of erased ones. */
  isComplete(): boolean
}

/** What the file holds: the words of records as they were at a change. */
interface KeptWords {
  readonly storeId: string
  readonly change: Change
  readonly words: readonly string[]
  readonly segments: readonly KeptSegment[]
}

interface KeptSegment extends Omit<SegmentArrays, 'slots'> {
  readonly ids: Float64Array
  readonly dead: Uint8Array<ArrayBuffer>
}

/** Keeps the words of records across a restart (decision 76). */
export interface WordSnapshot {
  /**
   * Fills an empty index from the file, within the caller's transaction. Leaves out records that have changed since, and
   * those for which `claim` is false.
   */
  restore(claim: (slot: number) => boolean): Promise<void>
  /** The records are loaded anew, because they are not as they were. */
  discard(): void
  isComplete(): boolean
  /** Work of milliseconds for a thread that has no request; files are written beside requests. */
  loadSome(): Promise<boolean>
  close(): Promise<void>
}

/** Fewer records are loaded in no time. */
const minChanged = 1_000
const changedShare = 0.01
const defaultIntervals = { lookMs: 5_000, writeMs: 600_000 }

/** Writes the file when the index is complete, and when enough has changed; wipes it when a record was erased. */
export function createWordSnapshot(deps: SnapshotDeps, indexes: SnapshotIndexes): WordSnapshot {
  const { path, isWriter, intervals = defaultIntervals } = deps
  const { db, index, findColumns } = indexes
  const { isValid, listChanged } = createHistory(db)
  /** The last change that the file has; null if it is useless. */
  let kept: Change | null = null
  let [writtenMs, lookedMs, seenChanges] = [Number.NEGATIVE_INFINITY, performance.now(), Number.NaN]
  let working: Promise<void> | null = null
  let [mustLook, hasReported, isOff] = [false, false, false]

  const report = (what: string, error: unknown) => {
    // All threads read the same file; one of them reports.
    if (isWriter) deps.report(new Error(`${what} the index snapshot ${path}: ${String(error)}`))
  }

  /** Works with the file beside requests, one thing at a time. */
  function run(work: () => Promise<void>): void {
    const after = (working ?? Promise.resolve()).then(work).catch((error) => {
      kept = null
      if (!hasReported) report('cannot keep', error)
      hasReported = true
    })
    working = after
    after.then(() => {
      if (working === after) working = null
    })
  }

  function discard(): void {
    kept = null
    if (isWriter) run(() => wipeSnapshot(deps))
  }

  async function read(): Promise<KeptWords | null> {
    try {
      // Written by `write`, as the checksum proves.
      return (await readSnapshot(path, toMaxBytes(findColumns().slotEnd()))) as KeptWords | null
    } catch (error) {
      report('ignored', error)
      return null
    }
  }

  async function write(): Promise<void> {
    const { refresh, lastChange, slotEnd } = findColumns()
    const storeId = await db.transaction('read', async () => {
      await refresh()
      return deps.readStoreId(db)
    })
    if (!indexes.isComplete()) return
    writtenMs = performance.now()
    const max = toMaxBytes(slotEnd())
    if (countBytes(index) > max) return discard()
    kept = lastChange()
    mustLook = true
    const content = toContent(capture(index, findColumns().toId, { storeId, change: kept }))
    run(() => (content.length > max ? wipeSnapshot(deps) : replace(content)))
  }

  async function replace(content: Uint8Array): Promise<void> {
    try {
      await writeSnapshot(deps, content)
    } catch (error) {
      // Nobody would look for erased records in a part of a file.
      await wipeSnapshot(deps).catch(() => undefined)
      throw error
    }
  }

  function isDueToWrite(): boolean {
    if (performance.now() - writtenMs < intervals.writeMs || !indexes.isComplete()) return false
    const { slotEnd, lastChange } = findColumns()
    const changed = kept === null ? Number.POSITIVE_INFINITY : Math.abs(lastChange().seq - kept.seq)
    return slotEnd() > minChanged && changed >= Math.max(minChanged, changedShare * slotEnd())
  }

  function isDueToLook(): boolean {
    if (kept === null) return false
    return mustLook || (performance.now() - lookedMs >= intervals.lookMs && deps.changesCounter() !== seenChanges)
  }

  /** Also after a file was written: `purge` may have erased a record, and wiped the file, before that. */
  async function look(): Promise<void> {
    mustLook = false
    lookedMs = performance.now()
    seenChanges = deps.changesCounter()
    const change = kept
    if (change !== null && !(await db.transaction('read', () => isValid(change)))) discard()
  }

  const isComplete = () => !isWriter || isOff || working !== null || !(isDueToLook() || isDueToWrite())
  return {
    discard,
    async restore(claim) {
      const found = await read()
      const isOfStore = found !== null && found.storeId === (await deps.readStoreId(db))
      if (!(isOfStore && (await isValid(found.change)))) return discard()
      const changed = await listChanged(found.change)
      const { toSlot } = findColumns()
      adopt(found, index, toSlot, (id) => !changed.has(id) && claim(toSlot(id)))
      kept = found.change
    },
    isComplete,
    async loadSome() {
      if (isDueToLook()) await look()
      else if (isDueToWrite()) await write()
      return !isComplete()
    },
    async close() {
      isOff = true
      await working
      if (isDueToLook()) await look().catch(() => undefined)
      await working
    },
  }
}

function createHistory(db: Database) {
  const findChange = db.query<Change, [number]>(
    `SELECT seq, record_id AS id, at FROM version WHERE seq = ?1
     UNION ALL SELECT seq, record_id AS id, at FROM tombstone WHERE seq = ?1`,
  )
  const findErased = db.query<{ seq: number }, [number]>('SELECT seq FROM tombstone WHERE seq > ? LIMIT 1')
  const changedSince = db.query<{ id: number }, [number]>('SELECT DISTINCT record_id AS id FROM version WHERE seq > ?')
  return {
    /** Whether the store still has this change, and has erased no record since. */
    async isValid({ seq, id, at }: Change): Promise<boolean> {
      const found = await findChange.get(seq)
      return found?.id === id && found.at === at && (await findErased.get(seq)) === null
    },
    /** The ids of records that have changed since. */
    listChanged: async ({ seq }: Change) => new Set((await changedSince.all(seq)).map(({ id }) => id)),
  }
}

type ToNumber = (from: number) => number

function capture(index: WordsIndex, toId: ToNumber, store: Pick<KeptWords, 'storeId' | 'change'>): KeptWords {
  const { size, toWord } = index.dictionary
  const segments = index.segments().map(({ slots, titles: _, speakers: __, deadCount: ___, ...arrays }) => {
    return { ...arrays, ids: Float64Array.from(slots, toId) }
  })
  return { ...store, words: Array.from({ length: size() }, (_, number) => toWord(number)), segments }
}

/** Fills an empty index. */
function adopt(
  { words, segments }: KeptWords,
  index: WordsIndex,
  toSlot: ToNumber,
  isUsable: (id: number) => boolean,
): void {
  for (const word of words) index.dictionary.ensure(word)
  index.dictionary.sort()
  for (const { ids, dead, ...arrays } of segments) {
    for (let i = 0; i < ids.length; i++) if (dead[i] === 0 && !isUsable(ids[i] ?? 0)) dead[i] = 1
    index.adopt(createSegment({ ...arrays, slots: Uint32Array.from(ids, toSlot) }, dead))
  }
}

/** Less than the size of the file, found without making it. */
function countBytes(index: WordsIndex): number {
  return index.segments().reduce((sum, { positions }) => sum + 3 * positions.byteLength, 0)
}
