import { type Logger, toErrorText } from './logger.ts'
import type { Pipeline } from './pipeline.ts'
import { toProblemAnswer } from './problem/problem.ts'
import type { Route } from './route.ts'
import { createRouter } from './router.ts'

export interface ServerNeeds {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly pipeline: Pipeline
  readonly routes: readonly Route[]
  /** The route of nearly all traffic, matched by Bun itself. */
  readonly hotRoute: Route
  /** Found by its exact path only, since proxies deny it by that; null if it is not served. */
  readonly exactRoute: Route | null
  /** The route of a path that no other has. */
  findMissing(path: string): Route
  readonly log: Logger
}

const startsWithDigit = (text: string) => text >= '0' && text < ':'

type HotRequest = Bun.BunRequest<':id'>
export type HttpServer = Bun.Server<undefined>

/** At its own limit Bun closes the connection before most clients read the response; `--max-body` is far lower. */
const maxBodyBytes = 1 << 30
/** Also the deadline of a small upload. */
const idleTimeoutSeconds = 30

export function startHttpServer(needs: ServerNeeds): HttpServer {
  const { pipeline, hotRoute, exactRoute, log } = needs
  const find = createRouter(
    needs.routes.filter((route) => route !== exactRoute),
    needs.findMissing,
  )
  const siblings = listSiblings(needs.routes, hotRoute)
  // Bun also matches paths that have another name in place of the id.
  const toHot = (method: string) => (request: HotRequest, server: HttpServer) => {
    const { id } = request.params
    const sibling = startsWithDigit(id) ? undefined : siblings.get(id)
    if (sibling !== undefined) return pipeline(sibling, request, method, {}, server)
    return pipeline(hotRoute, request, method, request.params, server)
  }
  // Methods that are not listed here (TRACE) fall through to `fetch`.
  const methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'] as const
  const hot = Object.fromEntries(methods.map((method) => [method, toHot(method)]))
  // Bun compares the path as it was sent, while `request.url` has `/` for `\` and no `..`.
  const exact = exactRoute && {
    [exactRoute.path]: (request: Request, server: HttpServer) =>
      pipeline(exactRoute, request, request.method, {}, server),
  }
  return Bun.serve({
    hostname: needs.hostname,
    port: needs.port,
    reusePort: needs.reusePort,
    development: false,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleTimeoutSeconds,
    routes: { [hotRoute.path]: hot, [`${hotRoute.path}/`]: hot, ...exact },
    fetch(request, server) {
      const { route, params } = find(request.url)
      return pipeline(route, request, request.method, params, server)
    },
    error(error) {
      log.error('uncaught error', { error: toErrorText(error) })
      const { headers } = needs.findMissing('/api')
      const { pieces, ...init } = toProblemAnswer({ code: 'internal' }, headers, crypto.randomUUID())
      return new Response(pieces.join(''), init)
    },
  })
}

/** Routes that have a name where the hot route has its parameter, by this name. */
function listSiblings(routes: readonly Route[], { path }: Route): ReadonlyMap<string, Route> {
  const start = path.slice(0, path.lastIndexOf('/') + 1)
  const below = routes.filter((route) => route.path !== path && route.path.startsWith(start))
  const named = below.map((route) => [route.path.slice(start.length), route] as const)
  return new Map(named.filter(([name]) => !name.includes('/')))
}
