import { type ColumnDeps, createRecordColumns, type RecordColumns } from '../columns/record-columns.ts'
import type { RecordWatcher } from '../columns/record-data.ts'
import { createNameIndex, createNameLoader, type NameIndex, type NameLoader } from '../completion/name-index.ts'
import { createRankedSearch, type RankedSearch } from './ranked-search.ts'
import { createWordsIndex, type WordsIndex } from './words-index.ts'
import {
  createWordSnapshot,
  createWordsLoader,
  type SnapshotDeps,
  type WordSnapshot,
  type WordsLoader,
} from './words-loader.ts'

/** What a query thread keeps in memory of the records. */
export interface MemoryIndexes {
  readonly columns: RecordColumns
  readonly ranked: RankedSearch
  readonly words: WordsIndex
  readonly wordsLoader: WordsLoader
  readonly names: NameIndex
  readonly nameLoader: NameLoader
  readonly snapshot: WordSnapshot | null
}

export function createMemoryIndexes(deps: ColumnDeps, snapshotDeps: SnapshotDeps | null = null): MemoryIndexes {
  const { db, onStep = () => undefined } = deps
  const index = createWordsIndex()
  const isComplete = () => columns.isComplete() && loader.isIdle()
  const snapshot =
    snapshotDeps && createWordSnapshot(snapshotDeps, { db, index, findColumns: () => columns, isComplete })
  const loader: WordsLoader = createWordsLoader({
    ...{ db, index, snapshot },
    toId: (slot) => columns.toId(slot),
    toSlot: (id) => columns.toSlot(id),
    onStep,
  })
  const names = createNameIndex()
  const nameLoader = createNameLoader({
    db,
    index: names,
    namesOf: (kind, slot) => columns.namesOf(kind, slot),
    countRecords: (kind, id) => columns.countOf(kind, id, 'all'),
    onStep,
  })
  const columns: RecordColumns = createRecordColumns({ ...deps, watcher: combineWatchers([loader, nameLoader]) })
  const ranked = createRankedSearch(deps, columns, index, loader)
  return { columns, ranked, words: index, wordsLoader: loader, names, nameLoader, snapshot }
}

function combineWatchers(watchers: readonly RecordWatcher[]): RecordWatcher {
  return {
    changed: (slot) => {
      for (const watcher of watchers) watcher.changed(slot)
    },
    removed: (slot) => {
      for (const watcher of watchers) watcher.removed(slot)
    },
    cleared: () => {
      for (const watcher of watchers) watcher.cleared()
    },
  }
}
