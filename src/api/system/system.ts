import type { Action, Call, Route } from '../../http/call.ts'
import type { Metrics } from '../../http/metrics.ts'
import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import type { Store } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { readHeaders, systemHeaders } from '../path-headers.ts'
import { toReadRoute } from '../read-route.ts'

export interface SystemNeeds {
  readonly store: Store
  readonly metrics: Metrics
  readonly baseUrl: BaseUrl
  readonly version: string
  /** Brings this thread's gauges up to date before they are summed. */
  refreshGauges(): void
  isStopping(): boolean
  /** How old the process is. */
  uptimeMs(): number
}

/** What operators and their programs ask for. */
export function createSystemRoutes(needs: SystemNeeds): Route[] {
  const { store, metrics } = needs

  /** The process lives and answers. */
  const healthz = () => toJson(200, { status: 'ok' })

  /** Send traffic here: the store reads and takes writes, and we are not stopping. */
  function readyz(): MaybePromise<Response> {
    if (needs.isStopping()) return toJson(503, { status: 'stopping' })
    if (!store.isReady()) return toJson(503, { status: store.unreadyReason() ?? 'the store takes no writes now' })
    // Not a record, of which a single one may be damaged.
    return andThen(store.isErased(1), () => toJson(200, { status: 'ready' }))
  }

  function showMetrics(): Response {
    needs.refreshGauges()
    const uptime = needs.uptimeMs() / 1000
    const headers = new Headers(systemHeaders)
    headers.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
    return new Response(metrics.toText(needs.version, uptime, process.memoryUsage.rss()), { headers })
  }

  const goToList = (call: Call) => toRedirect(`${needs.baseUrl(call)}/api/v2/video`)

  return [
    toSystemRoute('/healthz', healthz),
    toSystemRoute('/readyz', readyz),
    toSystemRoute('/metrics', showMetrics),
    toSystemRoute('/', goToList),
  ]
}

/** `/api/v2` itself: where things are. */
export function createRootRoute(baseUrl: BaseUrl): Route {
  const read: Action = {
    role: null,
    run(call) {
      const headers = new Headers(readHeaders)
      headers.set('Content-Type', 'application/json')
      const names = ['video', 'category', 'speaker', 'tag', 'language', 'changes', 'batches', 'openapi.json']
      const links = names.map((name) => [name, `${baseUrl(call)}/api/v2/${name}`])
      const body = { ...Object.fromEntries(links), docs: `${baseUrl(call)}/api/docs` }
      return new Response(JSON.stringify(body), { headers })
    },
  }
  return toReadRoute({ name: 'other', path: '/api/v2', headers: readHeaders, negotiates: true }, read, read)
}

function toSystemRoute(path: string, run: (call: Call) => MaybePromise<Response>): Route {
  return toReadRoute({ name: 'system', path, headers: systemHeaders, negotiates: false }, { role: null, run })
}

function toJson(status: number, body: { readonly status: string }): Response {
  const headers = new Headers(systemHeaders)
  headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers })
}

function toRedirect(location: string): Response {
  const headers = new Headers(systemHeaders)
  headers.set('Location', location)
  return new Response(null, { status: 302, headers })
}
