import type {
  BatchLine,
  CategoryVersion,
  CategoryVersionLine,
  ChangesPage,
  EventsPage,
  LogPage,
  VersionLine,
} from '../log.ts'
import type { CategoryText, Failure, ListText, Outcome, Store, TextPage } from '../store.ts'
import type { Versions } from '../versions.ts'
import { createLink, type Link } from './link.ts'
import type { QueryAnswer, QueryAsk, WriterAnswer, WriterAsk } from './messages.ts'
import { outcomes, pages } from './packets.ts'

/** An HTTP thread's lines to the store's own threads. */
export interface StoreLinks {
  readonly writer: Link<WriterAsk, WriterAnswer>
  readonly query: Link<QueryAsk, QueryAnswer>
}

export function createStoreLinks(): StoreLinks {
  return {
    writer: createLink<WriterAsk, Outcome>(outcomes, (failure) => ({ is: 'failed', failure })),
    // A read that was lost changed nothing, so it is just down.
    query: createLink<QueryAsk, QueryAnswer>(pages, () => 'down'),
  }
}

/** So long after a write that failed for the store's own reasons no others are asked for; then one has to try. */
const brokenForMs = 2_000

type Linked = Omit<Store, 'read' | 'isErased' | 'findMark' | 'readVersion' | 'readExtras' | 'findToken' | 'close'>

/** What an HTTP thread asks of the others. */
export function createLinkedStore(versions: Versions, { writer, query }: StoreLinks): Linked {
  let brokenMs = Number.NEGATIVE_INFINITY
  /** Lately, and since then none succeeded. */
  const isBroken = () => performance.now() < brokenMs + brokenForMs
  return {
    // Each question has answers of one kind, and the query thread gives no other.
    list: (request) => query.ask({ is: 'list', request }) as Promise<ListText | Failure>,
    listVocabulary: (wanted) => query.ask({ is: 'vocabulary', query: wanted }) as Promise<TextPage | Failure>,
    findCategory: (wanted) => query.ask({ is: 'category', query: wanted }) as Promise<CategoryText | null | Failure>,
    listCategoryHistory: (wanted) =>
      query.ask({ is: 'category history', query: wanted }) as Promise<LogPage<CategoryVersionLine> | null | Failure>,
    readCategoryVersion: (slug, number) =>
      query.ask({ is: 'category version', slug, number }) as Promise<CategoryVersion | null | Failure>,
    listHistory: (wanted) => query.ask({ is: 'history', query: wanted }) as Promise<LogPage<VersionLine> | Failure>,
    listBatches: (wanted) => query.ask({ is: 'batches', query: wanted }) as Promise<LogPage<BatchLine> | Failure>,
    listChanges: (wanted) => query.ask({ is: 'changes', query: wanted }) as Promise<ChangesPage | Failure>,
    listEvents: (wanted) => query.ask({ is: 'events', query: wanted }) as Promise<EventsPage | Failure>,
    changesCounter: versions.loadChanges,
    async execute(command) {
      const outcome = await writer.ask({ is: 'command', command })
      const hasFailed = outcome.is === 'failed' && (outcome.failure === 'down' || outcome.failure === 'unknown')
      brokenMs = hasFailed ? performance.now() : Number.NEGATIVE_INFINITY
      return outcome
    },
    noteTokenUse: (token) => writer.tell({ is: 'used', token }),
    tokensCounter: versions.loadTokens,
    unreadyReason: () => null,
    isReady: () => !isBroken() && writer.isAttached() && query.isAttached(),
  }
}
