import type { Database } from '../database.ts'
import { lastSeqSql } from '../write/sequence-sql.ts'
import { createRowReader } from './read-rows.ts'
import type { RecordData } from './record-data.ts'

/** Records per step at most: takes 5 to 10 ms on SQLite. */
const usualChunk = 2_000
/** The first step runs code that is not compiled yet. */
const firstChunk = 200
/** A request waits for at most one step; the next one has fewer records if this one took longer. */
const maxStepMs = 15
/** Chunks of changes that a list applies itself, in about 50 ms. SQL answers until the background has applied more. */
const maxInline = 6

/** A change, and what identifies it: after a failover, another change may have its number. */
export interface Change {
  readonly seq: number
  readonly id: number
  readonly at: string
}

const none: Change = { seq: 0, id: 0, at: '' }

const changesSql = `SELECT seq, record_id AS id, at FROM version WHERE seq >= ?1
  UNION ALL SELECT seq, record_id AS id, at FROM tombstone WHERE seq >= ?1 ORDER BY seq LIMIT ?2`

export interface FollowerDeps {
  readonly db: Database
  readonly data: RecordData
  /** Called between chunks; may throw. */
  onStep(): void
  rebuildCounter(): number
  readonly chunkSize?: number | undefined
}

/** Loads all records, then follows the change log: every change of a record writes a version or a tombstone. */
export function createChangeFollower(deps: FollowerDeps) {
  const { db, data, onStep, rebuildCounter, chunkSize = usualChunk } = deps
  const rows = createRowReader(db, data)
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const listChanges = db.query<Change, [number, number]>(changesSql)
  const findTombstone = db.query<{ seq: number }, [number]>('SELECT seq FROM tombstone WHERE record_id = ?')

  let stepSize = Math.min(firstChunk, chunkSize)
  let isBegun = false
  /** The last id that was loaded; null once all are. */
  let loadedId: number | null = 0
  /** The last change that was applied, or the last one before the load began. */
  let applied = none
  let isCurrent = false
  let rebuilds = rebuildCounter()
  let revision = 0

  async function begin(): Promise<void> {
    data.clear()
    isCurrent = false
    loadedId = 0
    const last = (await findLastSeq.get())?.seq ?? 0
    applied = last === 0 ? none : ((await listChanges.all(last, 1))[0] ?? none)
    isBegun = true
    revision++
  }

  /** A rebuild writes no versions. */
  function isRebuilt(): boolean {
    const [counter, known] = [rebuildCounter(), rebuilds]
    if (Number.isNaN(counter)) return false
    rebuilds = counter
    return counter !== known && !Number.isNaN(known)
  }

  /** Whether the store still has the change that was applied last. Erasing a record deletes its versions. */
  async function isSameHistory(first: Change | undefined): Promise<boolean> {
    if (applied.seq === 0) return true
    if (first?.seq === applied.seq) return first.id === applied.id && first.at === applied.at
    return ((await findTombstone.get(applied.id))?.seq ?? 0) > applied.seq
  }

  /** Applies a chunk of changes. Begins anew if the store went back in time. */
  async function applyChunk(): Promise<void> {
    // The last applied change comes first, so one query tells whether anything changed.
    const found = await listChanges.all(applied.seq, chunkSize + 1)
    if (isRebuilt() || !(await isSameHistory(found[0]))) return begin()
    const changes = found.filter(({ seq }) => seq > applied.seq)
    isCurrent = false
    if (changes.length > 0) revision++
    await rows.readMany(new Set(changes.map(({ id }) => id)))
    applied = changes.at(-1) ?? applied
    isCurrent = found.length <= chunkSize
  }

  /** One chunk of records or changes; whether anything is left. */
  async function loadSome(): Promise<boolean> {
    if (!isBegun) await begin()
    if (loadedId === null) await applyChunk()
    else loadedId = await loadAfter(loadedId)
    return !isCurrent
  }

  async function loadAfter(id: number): Promise<number | null> {
    const [size, smaller] = [stepSize, Math.max(Math.min(firstChunk, chunkSize), stepSize >> 1)]
    const startMs = performance.now()
    // Also if reading fails, perhaps because it took too long.
    stepSize = smaller
    const last = await rows.readAfter(id, size)
    if (performance.now() - startMs <= maxStepMs) stepSize = Math.min(chunkSize, size * 2)
    return last
  }

  return {
    loadSome,
    async refresh(): Promise<void> {
      if (loadedId !== null) return
      await applyChunk()
      for (let chunks = 1; !isCurrent && loadedId === null && chunks < maxInline; chunks++) {
        onStep()
        await applyChunk()
      }
    },
    async loadAll(): Promise<void> {
      while (await loadSome()) onStep()
    },
    isComplete: () => isCurrent,
    revision: () => revision,
    lastChange: () => applied,
  }
}
