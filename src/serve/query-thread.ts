import { createQueryRoutes } from '../api/routes.ts'
import { createBaseUrl } from '../http/host.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import type { QueryRoutes } from '../http/route-table.ts'
import { linkStates } from '../record/link/link.ts'
import { toMs } from '../record/timestamp.ts'
import { toCompletionPath } from '../site/search/completion.ts'
import type { SiteDeps } from '../site/site.ts'
import type { SiteSettings } from '../site/site-settings.ts'
import { createCounters } from '../store/counters.ts'
import type { StoreNumbers } from '../store/read/create-reads.ts'
import { loadBackend } from './backend/load-backend.ts'
import type { QueryReply, QueryRequest } from './port/messages.ts'
import { serveRequests } from './port/thread-port.ts'
import { createQueryService, createQueryStore } from './query-service.ts'
import { lowerPriority } from './thread-priority.ts'

serveRequests<QueryRequest, QueryReply>(
  async ({ engine, address, memory, metrics, query, snapshot, hasLowPriority }, report, sendReplies) => {
    if (hasLowPriority) lowerPriority()
    const counters = createCounters(memory.counters)
    const onNumbers = metrics && createNumbersReport(createMetrics(metrics, 0))
    const { openQueries } = await loadBackend(engine)
    const reads = openQueries({ address, counters, memory, limits: query, snapshot, report, onNumbers })
    const store = createQueryStore(reads, report)
    const deps = { store, baseUrl: createBaseUrl(query.baseUrl, query.listeningUrl) }
    const { site } = query
    const pages = site === null ? [] : await openPages(deps, site, reads.deadline.check)
    const toPagePath = site === null ? null : toCompletionPath
    const routes = new Map([...createQueryRoutes({ ...deps, toPagePath }), ...pages])
    return createQueryService({ reads, store, routes, limitMs: query.listMs, sendReplies })
  },
)

function createNumbersReport(metrics: Metrics) {
  return ({ live, drafts, sessions, lastChange, bytes, isIndexed, links }: StoreNumbers) => {
    metrics.set('live_records', live)
    metrics.set('draft_records', drafts)
    metrics.set('sessions', sessions)
    metrics.set('last_change', lastChange / 1_000)
    metrics.set('store_bytes', bytes)
    metrics.set('index_complete', isIndexed ? 1 : 0)
    for (const state of linkStates) metrics.set(`${state}_links`, links.states[state])
    metrics.set('oldest_link_check', links.oldestCheck === null ? 0 : (Date.now() - toMs(links.oldestCheck)) / 1_000)
  }
}

/** Loads the code of pages only if there are any. */
async function openPages(
  deps: Pick<SiteDeps, 'store' | 'baseUrl'>,
  settings: SiteSettings,
  checkTime: () => void,
): Promise<QueryRoutes> {
  const { createSiteParts } = await import('../site/routes.ts')
  const { createPageQueryRoutes } = await import('./page-routes.ts')
  const parts = createSiteParts(settings, checkTime)
  // So that the first page need not wait. If it fails, that page tries again and reports why.
  parts.assets.load().catch(() => undefined)
  return createPageQueryRoutes({ ...deps, ...parts })
}
