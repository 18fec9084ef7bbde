import type {
  BatchLine,
  CategoryVersion,
  CategoryVersionLine,
  ChangesPage,
  EventsPage,
  LogPage,
  VersionLine,
} from '../../store/change-log.ts'
import type { Counters } from '../../store/counters.ts'
import type { CategoryText, Failure, ListText, Outcome, Store, TextPage } from '../../store/store.ts'
import type { QueryReply, QueryRequest, WriterReply, WriterRequest } from './messages.ts'
import { outcomes, pages } from './packets.ts'
import { createThreadPort, type ThreadPort } from './thread-port.ts'

/** An HTTP thread's lines to the store's own threads. */
export interface StorePorts {
  readonly writer: ThreadPort<WriterRequest, WriterReply>
  readonly query: ThreadPort<QueryRequest, QueryReply>
}

export function createStorePorts(): StorePorts {
  return {
    writer: createThreadPort<WriterRequest, Outcome>(outcomes, (failure) => ({ is: 'failed', failure })),
    // A read that was lost changed nothing, so it is just down.
    query: createThreadPort<QueryRequest, QueryReply>(pages, (failure) => (failure === 'late' ? 'late' : 'down')),
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
  /** Each question has answers of one kind, and the query thread gives no other. */
  const read = <T>(ask: QueryRequest, signal?: AbortSignal) =>
    query.ask(ask, { limitMs, signal }) as Promise<T | Failure>
  return {
    list: (request, signal) => read<ListText>({ is: 'list', request }, signal),
    listVocabulary: (wanted, signal) => read<TextPage>({ is: 'vocabulary', query: wanted }, signal),
    findCategory: (wanted, signal) => read<CategoryText | null>({ is: 'category', query: wanted }, signal),
    listCategoryHistory: (wanted, signal) =>
      read<LogPage<CategoryVersionLine> | null>({ is: 'category history', query: wanted }, signal),
    readCategoryVersion: (slug, number, signal) =>
      read<CategoryVersion | null>({ is: 'category version', slug, number }, signal),
    listHistory: (wanted, signal) => read<LogPage<VersionLine>>({ is: 'history', query: wanted }, signal),
    listBatches: (wanted, signal) => read<LogPage<BatchLine>>({ is: 'batches', query: wanted }, signal),
    listChanges: (wanted, signal) => read<ChangesPage>({ is: 'changes', query: wanted }, signal),
    listEvents: (wanted) => read<EventsPage>({ is: 'events', query: wanted }),
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
