import { toTarget } from './call.ts'
import { type Logger, toLogText } from './logger.ts'
import type { Pipeline } from './pipeline.ts'
import { toProblemAnswer } from './respond.ts'
import type { Params, Route } from './route.ts'

interface ServerDeps {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly pipeline: Pipeline
  readonly routes: readonly Route[]
  /** The route of nearly all requests. */
  readonly recordRoute: Route
  /** Matched by its exact path only, because proxies deny access by that path; null if it is not served. */
  readonly exactRoute: Route | null
  /** The route for a path that matches no other. */
  findMissing(path: string): Route
  readonly log: Logger
}

const startsWithLetter = (text = '') => text >= 'a' && text < '{'

export type HttpServer = Bun.Server<undefined>

/** At its own limit Bun closes the connection before most clients read the response; `--max-body` is far lower. */
const maxBodyBytes = 1 << 30
/** Also the deadline of a small upload. */
const idleTimeoutSeconds = 30

export function startHttpServer(deps: ServerDeps): HttpServer {
  const { pipeline, recordRoute, exactRoute, log } = deps
  const find = createRouter(
    deps.routes.filter((route) => route !== exactRoute),
    deps.findMissing,
  )
  function dispatch(request: Request, server: HttpServer) {
    const { route, params } = find(request.url)
    return pipeline.handle(route, request, request.method, params, server)
  }
  // Bun matches the path of a record at no cost; `find` would take a twentieth of the request (decision 77). A word in
  // place of the id may belong to another route.
  const toRecord = (request: Bun.BunRequest<string>, server: HttpServer) =>
    startsWithLetter(request.params.id)
      ? dispatch(request, server)
      : pipeline.handle(recordRoute, request, request.method, request.params, server)
  // Bun compares the path as it was sent, while `request.url` has `/` for `\` and no `..`.
  const exact = exactRoute && {
    [exactRoute.path]: (request: Bun.BunRequest<string>, server: HttpServer) =>
      pipeline.handle(exactRoute, request, request.method, {}, server),
  }
  return Bun.serve({
    hostname: deps.hostname,
    port: deps.port,
    reusePort: deps.reusePort,
    development: false,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleTimeoutSeconds,
    routes: { [recordRoute.path]: toRecord, [`${recordRoute.path}/`]: toRecord, ...exact },
    fetch: dispatch,
    error(error) {
      log.error('uncaught error', { error: toLogText(error) })
      const { headers } = deps.findMissing('/api')
      const { pieces, ...init } = toProblemAnswer({ code: 'internal' }, headers, crypto.randomUUID())
      return new Response(pieces.join(''), init)
    },
  })
}

interface FoundRoute {
  readonly route: Route
  readonly params: Params
}

/**
 * Finds the route of a URL; `findMissing` returns the route for a path that matches none. Repeated slashes count as
 * one, a trailing slash is ignored, each segment is decoded once.
 */
function createRouter(routes: readonly Route[], findMissing: (path: string) => Route): (url: string) => FoundRoute {
  // Names before parameters: /video/duplicates is not the record with that id.
  const table = routes
    .map((route) => ({ route, pattern: toSegments(route.path).map(toPatternSegment) }))
    .sort((a, b) => toVagueness(a.pattern) - toVagueness(b.pattern))
  const byLength = Map.groupBy(table, ({ pattern }) => pattern.length)
  return (url) => {
    const path = toTarget(url).split('?')[0] ?? ''
    const segments = toSegments(path)
    for (const { route, pattern } of byLength.get(segments.length) ?? []) {
      const params = match(pattern, segments)
      if (params !== null && (!route.fallsThrough || route.accepts(params))) return { route, params }
    }
    return { route: findMissing(path), params: {} }
  }
}

/** A text, or a parameter that may be followed by an extension. */
type PatternSegment = string | { readonly name: string; readonly extension: string }

function toPatternSegment(segment: string): PatternSegment {
  if (!segment.startsWith(':')) return segment
  const end = segment.includes('.') ? segment.indexOf('.') : segment.length
  return { name: segment.slice(1, end), extension: segment.slice(end) }
}

/** The number of parameters; one without an extension counts more. */
function toVagueness(pattern: readonly PatternSegment[]): number {
  const parameters = pattern.filter((each) => typeof each !== 'string')
  return 2 * parameters.length - parameters.filter(({ extension }) => extension !== '').length
}

function toSegments(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
}

/** A segment that cannot be decoded stays as it is, so it matches no path. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The parameter values of a pattern with the same number of segments; null if it does not match. */
function match(pattern: readonly PatternSegment[], segments: readonly string[]): Params | null {
  const params: { [name: string]: string } = {}
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (typeof expected === 'string') {
      if (expected !== segment) return null
      continue
    }
    const { name, extension } = expected
    if (extension !== '' && (!segment.endsWith(extension) || segment === extension)) return null
    params[name] = segment.slice(0, segment.length - extension.length)
  }
  return params
}
