import { createQueryRoutes } from '../api/routes.ts'
import { createBaseUrl } from '../http/base-url.ts'
import { createSiteParts, createSiteQueryRoutes } from '../site/routes.ts'
import { toSuggestionPath } from '../site/search/suggestion-path.ts'
import { createCounters } from '../store/counters.ts'
import { loadBackend } from './backend/load-backend.ts'
import { lowerPriority } from './fast/thread-priority.ts'
import type { QueryReply, QueryRequest } from './port/messages.ts'
import { serveRequests } from './port/serve-requests.ts'
import { createQueryService } from './query/query-service.ts'
import { createQueryStore } from './query/query-store.ts'

serveRequests<QueryRequest, QueryReply>(
  async ({ engine, address, memory, query, snapshot, hasLowPriority }, report, sendReplies) => {
    if (hasLowPriority) lowerPriority()
    const counters = createCounters(memory.counters)
    const { openQueries } = await loadBackend(engine)
    const reads = openQueries({ address, counters, memory, limits: query, snapshot, report })
    const store = createQueryStore(reads, report)
    const needs = { store, baseUrl: createBaseUrl(query.baseUrl, query.listeningUrl) }
    const { site } = query
    const parts = site && createSiteParts(site)
    const pages = parts === null ? [] : createSiteQueryRoutes({ ...needs, ...parts })
    // So that the first page need not wait. If it fails, that page tries again and reports why.
    parts?.assets.load().catch(() => undefined)
    const toPagePath = site === null ? null : toSuggestionPath
    const routes = new Map([...createQueryRoutes({ ...needs, toPagePath }), ...pages])
    return createQueryService({ reads, store, routes, limitMs: query.listMs, sendReplies })
  },
)
