import type { Counters } from '../../store/counters.ts'
import type { Failure, Outcome, SlowRead, Store } from '../../store/store.ts'
import type { RecordReads } from '../engine/serving-engine.ts'
import type { QueryReply, QueryRequest, ReadRequest, WriterReply, WriterRequest } from './messages.ts'
import { createPortPool, type PortPool } from './query-pool.ts'
import { createThreadPort, type ThreadPort } from './thread-port.ts'

/** An HTTP thread's ports to the threads of the store. */
export interface StorePorts {
  readonly writer: ThreadPort<WriterRequest, WriterReply>
  readonly queries: readonly ThreadPort<QueryRequest, QueryReply>[]
  readonly query: PortPool<QueryRequest, QueryReply>
}

export function createStorePorts(queryThreads: number): StorePorts {
  // A read that was lost changed nothing, so the store is just down.
  const toLostRead = (failure: Failure) => (failure === 'late' ? 'late' : 'down')
  const queries = Array.from({ length: queryThreads }, () => createThreadPort<QueryRequest, QueryReply>(toLostRead))
  return {
    writer: createThreadPort<WriterRequest, Outcome>((failure) => ({ is: 'failed', failure })),
    queries,
    query: createPortPool(queries),
  }
}

/** How long the store counts as not ready after a write that failed for its own reasons. */
const brokenForMs = 2_000

/** The store of an HTTP thread: reads single records itself and asks other threads for the rest. */
export function createHttpStore(
  versions: Counters,
  { writer, query }: StorePorts,
  records: RecordReads,
  limitMs: number,
): Store {
  let brokenMs = Number.NEGATIVE_INFINITY
  /** Whether the last write failed, a short while ago. */
  const isBroken = () => performance.now() < brokenMs + brokenForMs
  /** A query thread answers each method with what that method returns. */
  const toRead = <M extends SlowRead>(is: M) =>
    ((wanted: ReadRequest['query'], signal?: AbortSignal) =>
      query.ask({ is, query: wanted } as ReadRequest, { limitMs, signal })) as Store[M]
  return {
    ...records,
    list: toRead('list'),
    listVocabulary: toRead('listVocabulary'),
    findCategory: toRead('findCategory'),
    listCategoryHistory: toRead('listCategoryHistory'),
    readCategoryVersion: toRead('readCategoryVersion'),
    listHistory: toRead('listHistory'),
    listBatches: toRead('listBatches'),
    listChanges: toRead('listChanges'),
    changesCounter: versions.loadChanges,
    async execute(command) {
      const outcome = await writer.ask({ is: 'command', command })
      const hasFailed = outcome.is === 'failed' && (outcome.failure === 'down' || outcome.failure === 'unknown')
      brokenMs = hasFailed ? performance.now() : Number.NEGATIVE_INFINITY
      return outcome
    },
    recordTokenUse: (token) => writer.tell({ is: 'used', token }),
    tokensCounter: versions.loadTokens,
    isReady: () =>
      records.unreadyReason() === null &&
      !isBroken() &&
      !versions.isTroubled() &&
      writer.isAttached() &&
      query.isAttached(),
  }
}
