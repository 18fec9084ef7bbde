import { createCategoryReader } from '../sql/category-reader.ts'
import { createLog } from '../sql/log.ts'
import { createVocabulary } from '../sql/vocabulary.ts'
import type { Failure } from '../store.ts'
import { createDeadline } from '../thread/deadline.ts'
import type { QueryAnswer, QueryAsk } from '../thread/messages.ts'
import { pages } from '../thread/packets.ts'
import { createQueryService } from '../thread/query-service.ts'
import { serveAsks } from '../thread/thread.ts'
import { createVersions } from '../versions.ts'
import { openPostgres } from './connection.ts'
import { PostgresFailure } from './failure.ts'
import { createList } from './list.ts'
import { readStoreId } from './store-id.ts'

/** A connection that says nothing for so long is given up; the server ends its own statements long before. */
const answerTimeoutMs = 8_000

serveAsks<QueryAsk, QueryAnswer>(
  pages,
  ({ path: address, versions: buffer, primary, limits }, _report, sendReplies) => {
    const { loadChanges, loadPublished } = createVersions(buffer)
    const deadline = createDeadline()
    const { listMs: limitMs, maxPageBytes } = limits
    const db = openPostgres(address, answerTimeoutMs, { primary, versions: buffer }, deadline.leftMs)
    const { readHistory, readBatches, readChanges } = createLog(db, { readStoreId, loadPublished })
    const needs = {
      list: createList({ db, changesCounter: loadChanges, maxPageBytes, onStep: deadline.check }),
      vocabulary: createVocabulary(db, loadChanges, deadline.check),
      categories: createCategoryReader(db),
      // In a transaction, which has the deadline; the others have one by themselves.
      log: {
        readHistory: db.transaction(readHistory),
        readBatches: db.transaction(readBatches),
        readChanges: db.transaction(readChanges),
      },
      limitMs,
      deadline,
      toFailure,
      close: () => db.close(),
    }
    return createQueryService(needs, sendReplies)
  },
)

function toFailure(error: unknown): Failure {
  if (!(error instanceof PostgresFailure)) return 'bug'
  if (error.isLost) return 'down'
  // The server has ended the statement: its time was up.
  return error.code === 'POSTGRES_57014' ? 'late' : 'bug'
}
