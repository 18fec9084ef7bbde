import { createBaseUrl } from '../../src/http/host.ts'
import { type Caller, Head, type TextAnswer } from '../../src/http/route.ts'
import { toQueryKey } from '../../src/http/route-table.ts'
import { sqliteBackend } from '../../src/serve/backend/sqlite.ts'
import { createPageQueryRoutes } from '../../src/serve/page-routes.ts'
import { rebuildCall } from '../../src/serve/port/messages.ts'
import { createQueryStore } from '../../src/serve/query-service.ts'
import { createSiteParts } from '../../src/site/routes.ts'
import { createCounters, createCountersBuffer, createPrimaryBuffer } from '../../src/store/counters.ts'
import type { SnapshotPlan } from '../../src/store/search/words-loader.ts'
import { type PageRequest, toTarget } from './page-requests.ts'

const host = '127.0.0.1:80'
const browserCodings = 'gzip, deflate, br'
const settings = {
  ...{ name: 'Rostrum', accent: '#0b5fff', about: null, contact: null, imprintUrl: null, privacyUrl: null },
  ...{ playerHosts: [], hasThumbnails: true },
}

/** The handlers of pages as a query thread has them, in this process. */
export interface PageRenderer {
  /** A whole page, compressed as for a browser. No page cache comes before it. */
  render(request: PageRequest, acceptEncoding?: string): Promise<TextAnswer>
  /** As after a write: nothing that earlier reads cached is used. */
  forget(): void
  close(): Promise<void>
}

/** Loads the indexes first. `caller` is for pages that need one. */
export async function openPageRenderer(
  address: string,
  snapshot: SnapshotPlan | null = null,
  caller: Caller | null = null,
): Promise<PageRenderer> {
  const memory = { counters: createCountersBuffer(), primary: createPrimaryBuffer() }
  const counters = createCounters(memory.counters)
  const limits = { listMs: 60_000, maxPageBytes: 32 * 1024 * 1024 }
  const reads = sqliteBackend.openQueries({
    address,
    counters,
    memory,
    limits,
    snapshot,
    onNumbers: null,
    report: rethrow,
  })
  for (const each of reads.loaded) while (!each.isComplete()) await each.loadSome()
  const store = createQueryStore(reads, rethrow)
  const baseUrl = createBaseUrl(null, `http://${host}`)
  const routes = createPageQueryRoutes({ store, baseUrl, ...createSiteParts(settings) })
  return {
    async render(request, acceptEncoding = browserCodings) {
      const { pattern: path, params } = request
      const route = routes.get(toQueryKey('GET', path))
      if (route === undefined) throw new Error(`there is no page ${path}`)
      const head = Object.assign(new Head(), { host, acceptEncoding })
      const url = `http://${host}${toTarget(request)}`
      const call = {
        path,
        method: 'GET',
        url,
        params,
        head,
        representation: 'html',
        caller,
        requestId: '',
      } as const
      reads.deadline.set(performance.now() + limits.listMs)
      const answer = await route.handler(rebuildCall(call, route.headers))
      if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`)
      return answer
    },
    forget: counters.bumpChanges,
    close: reads.close,
  }
}

function rethrow(error: unknown): never {
  throw error
}
