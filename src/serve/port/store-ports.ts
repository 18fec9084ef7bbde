import type { Counters } from '../../store/counters.ts'
import type { Outcome, Store } from '../../store/store.ts'
import type { QueryMethod, QueryReply, QueryRequest, WriterReply, WriterRequest } from './messages.ts'
import { createThreadPort, type ThreadPort } from './thread-port.ts'

/** An HTTP thread's lines to the store's own threads. */
export interface StorePorts {
  readonly writer: ThreadPort<WriterRequest, WriterReply>
  readonly query: ThreadPort<QueryRequest, QueryReply>
}

export function createStorePorts(): StorePorts {
  return {
    writer: createThreadPort<WriterRequest, Outcome>((failure) => ({ is: 'failed', failure })),
    // A read that was lost changed nothing, so it is just down.
    query: createThreadPort<QueryRequest, QueryReply>((failure) => (failure === 'late' ? 'late' : 'down')),
  }
}

/** So long after a write that failed for the store's own reasons no others are asked for; then one has to try. */
const brokenForMs = 2_000

type Linked = Omit<Store, 'read' | 'isErased' | 'findVersionTag' | 'readVersion' | 'readExtras' | 'findToken' | 'close'>

/** What an HTTP thread asks of the others; a list may take `limitMs`. */
export function createRemoteStore(versions: Counters, { writer, query }: StorePorts, limitMs: number): Linked {
  let brokenMs = Number.NEGATIVE_INFINITY
  /** Lately, and since then none succeeded. */
  const isBroken = () => performance.now() < brokenMs + brokenForMs
  /** A query thread answers each method with what that method returns. */
  const toRead = <M extends QueryMethod>(is: M) =>
    ((wanted: QueryRequest['query'], signal?: AbortSignal) =>
      query.ask({ is, query: wanted } as QueryRequest, { limitMs, signal })) as Store[M]
  return {
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
    unreadyReason: () => null,
    isReady: () => !isBroken() && !versions.isTroubled() && writer.isAttached() && query.isAttached(),
  }
}
