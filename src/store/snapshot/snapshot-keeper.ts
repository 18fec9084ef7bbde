import { renameSync, rmSync } from 'node:fs'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { RecordWatcher } from '../columns/record-data.ts'
import type { Database } from '../database.ts'
import type { WordsIndex } from '../search/words-index.ts'
import { capture, countBytes } from './capture.ts'
import {
  hasRoom,
  isReplaceable,
  removeTemporarySnapshots,
  type SnapshotPlace,
  toTemporaryName,
  wipeSnapshot,
} from './snapshot-file.ts'
import { writeSnapshot } from './write-snapshot.ts'

/** A snapshot of the indexes in memory, in a file (ADR 44). */
export interface SnapshotPlan extends SnapshotPlace {
  /** One thread writes it; all others only read it. */
  readonly isWriter: boolean
}

export interface SnapshotNeeds extends SnapshotPlan {
  /** The number of migrations. */
  readonly schema: number
  readStoreId(db: Database): Promise<string>
  /** Moves with every change of the store. */
  changesCounter(): number
  report(error: unknown): void
  /** How long to wait before the next look for erased records, and before the next snapshot. */
  readonly intervals?: { readonly lookMs: number; readonly writeMs: number }
}

/** Fewer records are loaded in no time. */
const minChanged = 1_000
const changedShare = 0.01
const defaultIntervals = { lookMs: 5_000, writeMs: 600_000 }

export interface KeptIndexes {
  readonly db: Database
  readonly index: WordsIndex
  findColumns(): RecordColumns
  /** Whether all records are loaded, with their words. */
  isComplete(): boolean
}

/** Work for a thread that has no request, in steps that take milliseconds; files are written beside requests. */
export interface SnapshotKeeper extends RecordWatcher {
  isComplete(): boolean
  loadSome(): Promise<boolean>
  close(): Promise<void>
}

class Stopped extends Error {}

/**
 * Writes the snapshot when the indexes are complete, and again when enough has changed. When a record was erased, the
 * file that may have its words is wiped at once.
 */
export function createSnapshotKeeper(needs: SnapshotNeeds, indexes: KeptIndexes): SnapshotKeeper {
  const { path, intervals = defaultIntervals } = needs
  const { db, index, findColumns } = indexes
  let changedCount = 0
  let isStale = false
  let begunMs = Number.NEGATIVE_INFINITY
  let [lookedMs, seenChanges] = [performance.now(), Number.NaN]
  let writing: Promise<void> | null = null
  let written: { readonly temporary: string; readonly seq: number } | null = null
  let [hasReported, isOff] = [false, false]
  if (needs.isWriter) run(async () => removeTemporarySnapshots(path))

  function reportOnce(error: unknown): void {
    if (!hasReported) needs.report(new Error(`cannot keep the index snapshot ${path}: ${String(error)}`))
    hasReported = true
  }

  /** Runs work with files beside requests, one at a time. */
  function run(work: () => Promise<void>): void {
    writing = work()
      .catch((error) => (error instanceof Stopped ? undefined : reportOnce(error)))
      .finally(() => {
        writing = null
      })
  }

  function isDueToWrite(): boolean {
    if (performance.now() - begunMs < intervals.writeMs || !indexes.isComplete()) return false
    const end = findColumns().slotEnd()
    return end >= minChanged && changedCount >= Math.max(minChanged, changedShare * end)
  }

  function isDueToLook(): boolean {
    return performance.now() - lookedMs >= intervals.lookMs && needs.changesCounter() !== seenChanges
  }

  function wipe(): void {
    isStale = false
    written = null
    changedCount = Number.POSITIVE_INFINITY
    run(() => wipeSnapshot(needs, stopIfOff))
  }

  async function beginWriting(): Promise<void> {
    begunMs = performance.now()
    if (!(await isReplaceable(needs))) {
      isOff = true
      return reportOnce('there is another file of that name')
    }
    const storeId = await db.transaction('read', () => needs.readStoreId(db))
    const captured = capture(findColumns(), index)
    changedCount = 0
    run(async () => {
      const temporary = toTemporaryName(path)
      try {
        if (!hasRoom(path, countBytes(captured))) throw new Error('the disk is nearly full')
        await writeSnapshot(temporary, captured, { schema: needs.schema, storeId }, check)
        written = { temporary, seq: captured.change.seq }
      } catch (error) {
        giveUp(temporary, error)
      }
    })
  }

  function stopIfOff(): void {
    if (isOff) throw new Stopped()
  }

  function check(): void {
    if (isOff || isStale) throw new Stopped()
  }

  function giveUp(temporary: string, error: unknown): void {
    changedCount = Number.POSITIVE_INFINITY
    rmSync(temporary, { force: true })
    if (!(error instanceof Stopped)) reportOnce(error)
  }

  /** Whether a record was erased since, whose words the file may have. */
  async function hasErasedSince(seq: number): Promise<boolean> {
    const sql = 'SELECT 1 AS found FROM tombstone WHERE seq > ? LIMIT 1'
    return (await db.transaction('read', () => db.query<object, [number]>(sql).get(seq))) !== null
  }

  async function publish({ temporary, seq }: NonNullable<typeof written>): Promise<void> {
    isStale = await hasErasedSince(seq)
    if (isStale) return
    written = null
    try {
      renameSync(temporary, path)
    } catch (error) {
      return giveUp(temporary, error)
    }
    // `purge` removes the file after it has erased a record, which may have been before the rename.
    isStale = true
    isStale = await hasErasedSince(seq)
  }

  async function look(): Promise<void> {
    lookedMs = performance.now()
    seenChanges = needs.changesCounter()
    // Other changes need not be read before a list asks for them.
    const { lastChange, refresh } = findColumns()
    if (await hasErasedSince(lastChange().seq)) await db.transaction('read', refresh)
  }

  const hasWork = () => isStale || written !== null || isDueToLook() || isDueToWrite()
  const isComplete = () => isOff || writing !== null || !hasWork()
  return {
    changed: () => void changedCount++,
    removed() {
      isStale = true
    },
    cleared() {
      isStale = true
    },
    isComplete,
    async loadSome() {
      if (isStale) wipe()
      else if (written !== null) await publish(written)
      else if (isDueToLook()) await look()
      else if (isDueToWrite()) await beginWriting()
      return !isComplete()
    },
    async close() {
      isOff = true
      await writing
      if (written !== null) rmSync(written.temporary, { force: true })
    },
  }
}
