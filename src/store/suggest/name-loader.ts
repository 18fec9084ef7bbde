import type { RecordWatcher } from '../columns/record-data.ts'
import type { Database } from '../database.ts'
import { createLookup, maxLookup } from '../read/lookup-many.ts'
import type { NameIndex, NameKind } from './name-index.ts'

/** Kinds of names that records link to. */
const linkedKinds = ['speaker', 'tag'] as const
type LinkedKind = (typeof linkedKinds)[number]

/**
 * Keeps the names of speakers and tags up to date (decision 42). A name is read whenever a record that has it is new or has
 * changed: nothing else gives a name to a record, renames it, or uses the id of a deleted name again. Names that no
 * record has are counted 0 and never shown; they are forgotten when they are many, or a record was erased.
 */
export interface NameLoader extends RecordWatcher {
  /** Whether all names of records have been read. */
  isComplete(): boolean
  /** One step of the background load, in a transaction of its own; whether anything is left. */
  loadSome(): Promise<boolean>
  /** Reads what a suggestion can wait for. Within the caller's transaction. */
  catchUp(): Promise<void>
}

export interface NameLoaderDeps {
  readonly db: Database
  readonly index: NameIndex
  /** The ids of a record's speakers or tags. */
  namesOf(kind: LinkedKind, slot: number): ArrayLike<number>
  /** How many records have this name. */
  countRecords(kind: NameKind, id: number): number
  onStep(): void
}

/** About 5 ms on SQLite. */
const maxPerStep = 8 * maxLookup
/** So many names that no record has are kept in any case. */
const minForgotten = 2_000

export function createNameLoader({ db, index, namesOf, countRecords, onStep }: NameLoaderDeps): NameLoader {
  const queues = { speaker: createQueue(), tag: createQueue() }
  const toLookup = (kind: LinkedKind) =>
    createLookup<{ id: number; text: string }, number>(
      db,
      (ids) => `SELECT id, name AS text FROM ${kind} WHERE id IN ${ids}`,
    )
  const lookups = { speaker: toLookup('speaker'), tag: toLookup('tag') }
  const isComplete = () => linkedKinds.every((kind) => queues[kind].size() === 0)

  async function loadChunk(): Promise<void> {
    const kind = queues.speaker.size() > 0 ? 'speaker' : 'tag'
    const ids = queues[kind].take(maxLookup)
    try {
      const rows = await lookups[kind](ids)
      const found = new Set(rows.map(({ id }) => id))
      for (const id of ids) if (!found.has(id)) index.remove(kind, id)
      for (const row of rows) index.set({ kind, ...row, slug: '' })
      index.dictionary.sort()
    } catch (error) {
      for (const id of ids) queues[kind].add(id)
      throw error
    }
  }

  let maxNames = minForgotten
  let hasErased = false

  function forgetUnused(): void {
    index.keep(({ kind, id }) => kind === 'category' || countRecords(kind, id) > 0)
    maxNames = Math.max(minForgotten, 2 * index.end())
    hasErased = false
  }

  async function catchUp(): Promise<void> {
    if (hasErased || index.end() > maxNames) forgetUnused()
    for (let done = 0; !isComplete() && done < maxPerStep; done += maxLookup) {
      onStep()
      await loadChunk()
    }
  }

  return {
    changed(slot) {
      for (const kind of linkedKinds) {
        const ids = namesOf(kind, slot)
        for (let i = 0; i < ids.length; i++) queues[kind].add(ids[i] ?? 0)
      }
    },
    removed() {
      hasErased = true
    },
    cleared() {
      index.clear()
      for (const kind of linkedKinds) queues[kind].clear()
    },
    isComplete,
    loadSome: () =>
      db.transaction('read', async () => {
        await catchUp()
        return !isComplete()
      }),
    catchUp,
  }
}

/** Ids that wait, each once. */
function createQueue() {
  const ids: number[] = []
  let isWaiting = new Uint8Array(1024)
  return {
    size: () => ids.length,
    add(id: number): void {
      if (id >= isWaiting.length) isWaiting = toLarger(isWaiting, id)
      if (isWaiting[id] === 1) return
      isWaiting[id] = 1
      ids.push(id)
    },
    take(count: number): number[] {
      const taken = ids.splice(-count)
      for (const id of taken) isWaiting[id] = 0
      return taken
    },
    clear(): void {
      ids.length = 0
      isWaiting.fill(0)
    },
  }
}

function toLarger(flags: Uint8Array<ArrayBuffer>, id: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * id)
  larger.set(flags)
  return larger
}
