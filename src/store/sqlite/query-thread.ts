import { createCategoryReader } from '../sql/category-reader.ts'
import { createLog } from '../sql/log.ts'
import { createVocabulary } from '../sql/vocabulary.ts'
import { createDeadline } from '../thread/deadline.ts'
import type { QueryAnswer, QueryAsk } from '../thread/messages.ts'
import { pages } from '../thread/packets.ts'
import { createQueryService } from '../thread/query-service.ts'
import { serveAsks } from '../thread/thread.ts'
import { yieldToReaders } from '../thread/yielding.ts'
import { createVersions } from '../versions.ts'
import { openForReading } from './connection.ts'
import { createFileWatch } from './file-watch.ts'
import { createList } from './list.ts'
import { readStoreId } from './store-id.ts'

serveAsks<QueryAsk, QueryAnswer>(pages, ({ path, versions: buffer, limits }, _report, sendReplies) => {
  yieldToReaders()
  const { loadChanges, loadPublished, isUnreadable } = createVersions(buffer)
  const db = openForReading(path)
  const deadline = createDeadline()
  const { listMs: limitMs, maxPageBytes } = limits
  const watch = createFileWatch(path)
  const needs = {
    list: createList({ db, changesCounter: loadChanges, maxPageBytes, onStep: deadline.check }),
    vocabulary: createVocabulary(db, loadChanges, deadline.check),
    categories: createCategoryReader(db),
    log: createLog(db, { readStoreId, loadPublished }),
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
