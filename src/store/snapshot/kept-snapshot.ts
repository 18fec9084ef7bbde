import type { Change } from '../columns/change-follower.ts'
import type { RecordData } from '../columns/record-data.ts'
import { restoreSnapshot } from './restore-snapshot.ts'
import { createSnapshotKeeper, type KeptIndexes, type SnapshotKeeper, type SnapshotNeeds } from './snapshot-keeper.ts'

/** How columns and words are restored, and what keeps the file up to date. */
export interface KeptSnapshot {
  /** To be told of changes; null if this thread does not write. */
  readonly keeper: SnapshotKeeper | null
  restore?(data: RecordData): AsyncGenerator<void, Change | null>
}

/** Restores indexes from a snapshot, and writes it if this thread is to. Without `needs`, indexes have none. */
export function createKeptSnapshot(needs: SnapshotNeeds | null, indexes: KeptIndexes): KeptSnapshot {
  if (needs === null) return { keeper: null }
  const { path, schema } = needs
  const { db, index } = indexes
  /** All threads read the same file; one of them reports. */
  const onBad = (error: unknown) => {
    if (needs.isWriter) needs.report(new Error(`ignored the index snapshot ${path}: ${String(error)}`))
  }
  return {
    keeper: needs.isWriter ? createSnapshotKeeper(needs, indexes) : null,
    restore: (data) => restoreSnapshot({ path, schema, index, readStoreId: () => needs.readStoreId(db), onBad }, data),
  }
}
