import type { BatchLine, ChangesPage, LogPage, VersionLine } from '../log.ts'
import { createReader } from '../sql/reader.ts'
import type { Failure, ListPage, Outcome, Store, VocabularyPage } from '../store.ts'
import { createLink, type Link } from '../thread/link.ts'
import type { QueryAnswer, QueryAsk, WriterAnswer, WriterAsk } from '../thread/messages.ts'
import type { Versions } from '../versions.ts'
import { openForReading } from './connection.ts'

/** An HTTP thread's lines to the store's own threads. */
export interface StoreLinks {
  readonly writer: Link<WriterAsk, WriterAnswer>
  readonly query: Link<QueryAsk, QueryAnswer>
}

export function createStoreLinks(): StoreLinks {
  return {
    writer: createLink<WriterAsk, Outcome>((failure) => ({ is: 'failed', failure })),
    // A read that was lost changed nothing, so it is just down.
    query: createLink<QueryAsk, QueryAnswer>(() => 'down'),
  }
}

/** One HTTP thread's view of the store: its own reading connection, and the lines to the writer and the query thread. */
export function createSqliteStore(path: string, versions: Versions, { writer, query }: StoreLinks): Store {
  const db = openForReading(path)
  /** The last write failed for the store's own reasons. */
  let isBroken = false
  return {
    ...createReader(db),
    // Each question has answers of one kind, and the query thread gives no other.
    list: (wanted) => query.ask({ is: 'list', query: wanted }) as Promise<ListPage | Failure>,
    listVocabulary: (wanted) => query.ask({ is: 'vocabulary', query: wanted }) as Promise<VocabularyPage | Failure>,
    listHistory: (wanted) => query.ask({ is: 'history', query: wanted }) as Promise<LogPage<VersionLine> | Failure>,
    listBatches: (wanted) => query.ask({ is: 'batches', query: wanted }) as Promise<LogPage<BatchLine> | Failure>,
    listChanges: (wanted) => query.ask({ is: 'changes', query: wanted }) as Promise<ChangesPage | Failure>,
    changesCounter: versions.loadChanges,
    async execute(command) {
      const outcome = await writer.ask({ is: 'command', command })
      isBroken = outcome.is === 'failed' && (outcome.failure === 'down' || outcome.failure === 'unknown')
      return outcome
    },
    noteTokenUse: (token) => writer.tell({ is: 'used', token }),
    tokensCounter: versions.loadTokens,
    isReady: () => !isBroken && writer.isAttached() && query.isAttached(),
    close: () => db.close(),
  }
}
