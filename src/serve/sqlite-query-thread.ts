import { createCounters } from '../store/counters.ts'
import { createCategoryReader } from '../store/read/category.ts'
import { createChangeLog } from '../store/read/change-log.ts'
import { createDeadline } from '../store/read/deadline.ts'
import { createVocabulary } from '../store/read/vocabulary.ts'
import { openForReading } from '../store/sqlite/connection.ts'
import { createFileWatch } from '../store/sqlite/file-watch.ts'
import { createList } from '../store/sqlite/list.ts'
import { readStoreId } from '../store/sqlite/store-id.ts'
import { lowerPriority } from './fast/thread-priority.ts'
import type { QueryReply, QueryRequest } from './port/messages.ts'
import { serveRequests } from './port/serve-requests.ts'
import { createQueryService } from './query/query-service.ts'

serveRequests<QueryRequest, QueryReply>(({ path, versions: buffer, limits }, _report, sendReplies) => {
  lowerPriority()
  const { loadChanges, loadPublished, isUnreadable } = createCounters(buffer)
  const db = openForReading(path)
  const deadline = createDeadline()
  const { listMs: limitMs, maxPageBytes } = limits
  const watch = createFileWatch(path)
  const needs = {
    list: createList({ db, changesCounter: loadChanges, maxPageBytes, onStep: deadline.check }),
    vocabulary: createVocabulary(db, loadChanges, deadline.check),
    categories: createCategoryReader(db),
    log: createChangeLog(db, { readStoreId, loadPublished }),
    limitMs,
    deadline,
    isDown: isUnreadable,
    // A damaged or missing file is nobody's mistake here.
    toFailure: (error: unknown) => (isBroken(error) || watch() !== null ? ('down' as const) : ('bug' as const)),
    close: () => db.close(),
  }
  return createQueryService(needs, sendReplies)
})

function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^SQLITE_(?:CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(code)
}
