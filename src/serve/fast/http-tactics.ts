import type { ItemEntry } from '../../api/item/item-entry.ts'
import type { Config } from '../../config.ts'
import type { BaseUrl } from '../../http/base-url.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Pipeline, PipelineNeeds } from '../../http/pipeline.ts'
import type { Route } from '../../http/route.ts'
import type { Counters } from '../../store/counters.ts'
import type { RecordCache } from '../../store/record-cache.ts'
import type { Forward } from '../port/store-ports.ts'
import { createPageCache } from './page-cache.ts'
import { withPlainGet } from './plain-get.ts'

export interface HttpTacticsNeeds {
  readonly config: Pick<
    Config,
    'baseUrl' | 'pageCacheMegabytes' | 'threads' | 'accessLog' | 'maxHeadBytes' | 'trustedProxies'
  >
  readonly records: RecordCache<ItemEntry>
  readonly metrics: Metrics
  readonly counters: Pick<Counters, 'loadContent'>
  readonly baseUrl: BaseUrl
  readonly forward: Forward
  endsConnections(): boolean
}

/** The speed tactics of an HTTP thread: each wraps the plain thing, which does the same without it (ADR 40). */
export interface HttpTactics {
  readonly forward: PipelineNeeds['forward']
  wrap(pipeline: Pipeline, itemRoute: Route): Pipeline
  refreshGauges(): void
}

export function createHttpTactics(needs: HttpTacticsNeeds): HttpTactics {
  const { config, metrics, baseUrl, counters } = needs
  const pages = createPageCache(needs.forward, {
    budgetBytes: (config.pageCacheMegabytes * 1024 * 1024) / config.threads,
    baseUrl,
    hasOneBase: config.baseUrl !== null,
    loadContent: counters.loadContent,
  })
  return {
    forward: pages.forward,
    // The shortcut logs nothing.
    wrap(pipeline, route) {
      if (config.accessLog) return pipeline
      const hasTrustedProxies = config.trustedProxies.length > 0
      return withPlainGet(pipeline, { ...needs, route, maxHeadBytes: config.maxHeadBytes, hasTrustedProxies })
    },
    refreshGauges() {
      metrics.set('page_cache_hits', pages.stats.hits)
      metrics.set('page_cache_misses', pages.stats.misses)
      metrics.set('page_cache_bytes', pages.stats.bytes)
    },
  }
}
