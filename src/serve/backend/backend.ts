import type { Counters } from '../../store/counters.ts'
import type { StoreNumbers } from '../../store/read/create-reads.ts'
import type { SnapshotPlan } from '../../store/search/words-loader.ts'
import type { RecordReads, Store } from '../../store/store.ts'
import type { Writer } from '../../store/write/command-writer.ts'
import type { ListLimits, StoreMemory } from '../port/messages.ts'
import type { QueryReads } from '../query-service.ts'
import type { BatchSettings } from '../writer/batch-runner.ts'

interface OpenDeps {
  /** The path of a file, or the URL of a PostgreSQL database. */
  readonly address: string
  readonly counters: Counters
  readonly memory: StoreMemory
  report(error: unknown): void
}

interface QueryDeps extends OpenDeps {
  readonly limits: ListLimits
  /** Null if the indexes in memory are loaded from the store after each start. */
  readonly snapshot: SnapshotPlan | null
  /** As in `ReadsDeps`. */
  readonly onNumbers: ((numbers: StoreNumbers) => void) | null
}

/** The writer of a store, for the writer thread. */
interface BackendWriter {
  readonly writer: Writer
  readonly batches: BatchSettings
  /** Tests a write without changing anything. */
  canWrite(): Promise<boolean>
  /** Whether no write can succeed until a restart: the store is lost, or a newer program has upgraded it. */
  isLost(): boolean
  /** Whether to poll for changes of other processes; PostgreSQL notifies us. */
  readonly isPolled: boolean
}

/** The reads that an HTTP thread makes itself. */
export type ThreadReads = RecordReads & Pick<Store, 'findToken' | 'findSession' | 'unreadyReason' | 'close'>

/** How each kind of thread opens a store; one implementation per engine. */
export interface Backend {
  openWriter(deps: OpenDeps): Promise<BackendWriter>
  openQueries(deps: QueryDeps): QueryReads
  /** `connections` is the limit of PostgreSQL connections per thread. */
  openRecords(deps: Omit<OpenDeps, 'report'> & { readonly connections: number }): ThreadReads
}
