import type { Route } from './call.ts'
import { type Logger, toErrorText } from './logger.ts'
import type { Pipeline } from './pipeline.ts'
import type { PlainGet } from './plain-get.ts'
import { toProblemResponse } from './problem.ts'
import { createRouter } from './router.ts'

export interface ServerNeeds {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly pipeline: Pipeline
  /** Tried first for a GET of the hot route; null where every request takes the long way. */
  readonly plainGet: PlainGet | null
  readonly routes: readonly Route[]
  /** The route of nearly all traffic: matched by Bun itself. */
  readonly hotRoute: Route
  readonly notFound: Route
  readonly log: Logger
}

type HotRequest = Bun.BunRequest<':id'>
export type HttpServer = Bun.Server<undefined>

/** Bun cuts the connection at its own limit before most clients read the answer; ours is far lower and answers. */
const maxBodyBytes = 1 << 30
/** Also the whole time that a small upload may take. */
const idleTimeoutSeconds = 30

export function startHttpServer(needs: ServerNeeds): HttpServer {
  const { pipeline, plainGet, hotRoute, log } = needs
  const find = createRouter(needs.routes, needs.notFound)
  const toHot = (method: string) => (request: HotRequest, server: HttpServer) =>
    pipeline(hotRoute, request, method, request.params.id, server)
  const getHot = (request: HotRequest, server: HttpServer) => {
    const { id } = request.params
    return plainGet?.(request, id) ?? pipeline(hotRoute, request, 'GET', id, server)
  }
  // By name, so that GET need not ask for its method; what is missing here (TRACE) falls through to `fetch`.
  const methods = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'] as const
  const hot: { [method: string]: ReturnType<typeof toHot> } = { GET: getHot }
  for (const method of methods) hot[method] = toHot(method)
  return Bun.serve({
    hostname: needs.hostname,
    port: needs.port,
    reusePort: needs.reusePort,
    development: false,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleTimeoutSeconds,
    routes: { [hotRoute.path]: hot, [`${hotRoute.path}/`]: hot },
    fetch(request, server) {
      const { route, parameter } = find(request.url)
      return pipeline(route, request, request.method, parameter, server)
    },
    error(error) {
      log.error('uncaught', { error: toErrorText(error) })
      return toProblemResponse({ code: 'internal' }, needs.notFound.headers, crypto.randomUUID())
    },
  })
}
