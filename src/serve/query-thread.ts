import { createCounters } from '../store/counters.ts'
import { loadEngine } from './engine/load-engine.ts'
import { lowerPriority } from './fast/thread-priority.ts'
import type { QueryReply, QueryRequest } from './port/messages.ts'
import { serveRequests } from './port/serve-requests.ts'
import { createQueryService } from './query/query-service.ts'

serveRequests<QueryRequest, QueryReply>(async ({ path, memory, limits }, report, sendReplies) => {
  lowerPriority('query')
  const versions = createCounters(memory.versions)
  const { openQueries } = await loadEngine(path)
  const reads = openQueries({ path, versions, memory, limits, report })
  return createQueryService(reads, limits.listMs, sendReplies)
})
