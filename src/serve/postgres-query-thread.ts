import { createCounters } from '../store/counters.ts'
import { openPostgres } from '../store/postgres/connection.ts'
import { PostgresFailure } from '../store/postgres/failure.ts'
import { createList } from '../store/postgres/list.ts'
import { readStoreId } from '../store/postgres/store-id.ts'
import { createCategoryReader } from '../store/read/category.ts'
import { createChangeLog } from '../store/read/change-log.ts'
import { createDeadline } from '../store/read/deadline.ts'
import { createVocabulary } from '../store/read/vocabulary.ts'
import type { Failure } from '../store/store.ts'
import type { QueryReply, QueryRequest } from './port/messages.ts'
import { serveRequests } from './port/serve-requests.ts'
import { createQueryService } from './query/query-service.ts'

/** A connection that says nothing for so long is given up; the server ends its own statements long before. */
const answerTimeoutMs = 8_000

serveRequests<QueryRequest, QueryReply>(
  ({ path: address, versions: buffer, primary, limits }, _report, sendReplies) => {
    const { loadChanges, loadPublished } = createCounters(buffer)
    const deadline = createDeadline()
    const { listMs: limitMs, maxPageBytes } = limits
    const db = openPostgres(address, answerTimeoutMs, { primary, versions: buffer }, deadline.leftMs)
    const { readHistory, readBatches, readChanges } = createChangeLog(db, { readStoreId, loadPublished })
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
