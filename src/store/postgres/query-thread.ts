import { createCategoryReader } from '../sql/category-reader.ts'
import { createLog } from '../sql/log.ts'
import { createVocabulary } from '../sql/vocabulary.ts'
import type { Failure } from '../store.ts'
import type { QueryAnswer, QueryAsk } from '../thread/messages.ts'
import { pages } from '../thread/packets.ts'
import { createQueryService } from '../thread/query-service.ts'
import { serveAsks } from '../thread/thread.ts'
import { createVersions } from '../versions.ts'
import { openPostgres, usualTimeoutMs } from './connection.ts'
import { PostgresFailure } from './failure.ts'
import { createList } from './list.ts'
import { readStoreId } from './store-id.ts'

serveAsks<QueryAsk, QueryAnswer>(pages, ({ path: address, versions: buffer, primary }, _report, sendReplies) => {
  const { loadChanges, loadPublished } = createVersions(buffer)
  const db = openPostgres(address, usualTimeoutMs, { primary, versions: buffer })
  const needs = {
    list: createList({ db, changesCounter: loadChanges }),
    vocabulary: createVocabulary(db, loadChanges),
    categories: createCategoryReader(db),
    log: createLog(db, { readStoreId, loadPublished }),
    toFailure,
    close: () => db.close(),
  }
  return createQueryService(needs, sendReplies)
})

function toFailure(error: unknown): Failure {
  if (!(error instanceof PostgresFailure)) return 'bug'
  if (error.isLost) return 'down'
  return error.code === 'POSTGRES_57014' ? 'busy' : 'bug'
}
