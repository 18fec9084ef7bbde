import { andThen, type MaybePromise } from '../maybe-promise.ts'
import { hasRole, type Role } from '../record/command.ts'
import type { Auth } from './auth.ts'
import { type Answer, Call, type Peers, type Route, toTarget, toTargetStart } from './call.ts'
import { toPreflightResponse } from './cors.ts'
import { readHead } from './head.ts'
import { parseHost } from './host.ts'
import { type Logger, toErrorText } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { negotiate, type Representation } from './negotiate.ts'
import { type Problem, toProblemResponse } from './problem.ts'
import type { RateLimit } from './rate-limit.ts'
import type { SendBuffer } from './send-buffer.ts'

export interface PipelineNeeds {
  readonly auth: Auth
  readonly outbox: SendBuffer
  readonly metrics: Metrics
  readonly log: Logger
  readonly writes: RateLimit
  readonly maxTargetBytes: number
  readonly maxHeadBytes: number
  readonly slowMs: number
  readonly logsAccess: boolean
  /** Whether every answer ends its connection: while stopping, or while there is no room for others. */
  endsConnections(): boolean
  /** For durations: it never jumps, and is the same on all threads but for some milliseconds. */
  uptimeMs(): number
}

/** Runs a request through the checks in the contract's order, then through its action. */
export type Pipeline = (
  route: Route,
  request: Request,
  method: string,
  parameter: string,
  peers: Peers,
) => Response | Promise<Response>

export function createPipeline(needs: PipelineNeeds): Pipeline {
  const { auth, metrics, log, uptimeMs } = needs
  let goodHost: string | null = null

  function judge(route: Route, call: Call): MaybePromise<Answer> {
    const { head, method, peers, request } = call
    const headProblem = judgeHead(call)
    if (headProblem !== null) return headProblem
    if (!route.acceptsParameter(call.parameter)) return toNoPath(call.url)
    const isPreflight = method === 'OPTIONS' && head.origin !== undefined && head.preflightMethod !== undefined
    if (isPreflight) return toPreflightResponse(route.headers, route.allow)
    if (head.authorization === undefined) return act(route, call)
    const caller = auth.identify(head.authorization, () => peers.requestIP(request)?.address ?? 'unknown')
    return andThen(caller, (known): MaybePromise<Answer> => {
      if ('code' in known) return known
      call.tokenCaller = known
      return act(route, call)
    })
  }

  function act(route: Route, call: Call): MaybePromise<Answer> {
    const action = route.methods[call.method]
    if (action === undefined) return { code: 'wrong_method' }
    const roleProblem = action.role === null ? null : judgeRole(call, action.role)
    if (roleProblem !== null) return roleProblem
    if (route.negotiates) {
      const representation = toRepresentation(call)
      if (typeof representation !== 'string') return representation
      call.representation = representation
    }
    return action.run(call)
  }

  function judgeHead({ head, url }: Call): Problem | null {
    if (url.length > needs.maxTargetBytes && url.length - toTargetStart(url) > needs.maxTargetBytes) {
      return { code: 'target_too_long', detail: `The address may have at most ${needs.maxTargetBytes} bytes.` }
    }
    if (head.bytes > needs.maxHeadBytes) {
      return { code: 'head_too_large', detail: `The request headers may have at most ${needs.maxHeadBytes} bytes.` }
    }
    // HTTP/1.0 has no Host. The last good one is remembered, since nearly all requests name the same.
    if (head.host === undefined || head.host === goodHost) return null
    if (parseHost(head.host) === null) return { code: 'bad_host' }
    goodHost = head.host
    return null
  }

  function judgeRole(call: Call, role: Role): Problem | null {
    const caller = call.caller()
    if (caller === null) return toTokenNeeded(call)
    if (!hasRole(caller.role, role)) return { code: 'role_too_low' }
    if (call.method === 'GET' || call.method === 'HEAD') return null
    const wait = needs.writes.take(
      caller.tokenId === null ? `name ${caller.name}` : `token ${caller.tokenId}`,
      uptimeMs(),
    )
    if (wait === 0) return null
    const detail = call.tokenCaller === null ? { detail: tooManyLocalWrites } : {}
    return { code: 'too_many_writes', retryAfterSeconds: wait, ...detail }
  }

  function finish(route: Route, call: Call, answer: Answer, startedMs: number): Response {
    const response = answer instanceof Response ? answer : toProblemResponse(answer, route.headers, call.requestId())
    metrics.countRequest(route.name, call.method, response.status)
    if (needs.endsConnections()) response.headers.set('Connection', 'close')
    // Bun gives every answer its Date but those to HEAD.
    if (call.method === 'HEAD') response.headers.set('Date', new Date().toUTCString())
    if (needs.logsAccess) logRequest('request', call, response, startedMs)
    else if (uptimeMs() - startedMs > needs.slowMs) logRequest('slow request', call, response, startedMs)
    return response
  }

  /** The path alone: old clients put keys into the query. */
  function logRequest(event: string, call: Call, response: Response, startedMs: number): void {
    const path = toTarget(call.url).split('?')[0] ?? ''
    const ms = Math.round(uptimeMs() - startedMs)
    const by = call.knownCaller()?.name ?? null
    log.info(event, { method: call.method, path, status: response.status, ms, by, requestId: call.requestId() })
  }

  function fail(route: Route, call: Call, error: unknown): Response {
    const requestId = call.requestId()
    // A client that hung up in the middle of its body made the error; nobody hears the answer.
    if (!call.request.signal.aborted) log.error('internal error', { requestId, error: toErrorText(error) })
    const code = isStoreError(error) ? 'unreadable' : 'internal'
    metrics.countRequest(route.name, call.method, code === 'internal' ? 500 : 503)
    return toProblemResponse({ code }, route.headers, requestId)
  }

  return (route, request, method, parameter, peers) => {
    const call = new Call(request, request.url, readHead(request.headers), method, parameter, peers, needs)
    const startedMs = uptimeMs()
    try {
      const answer = judge(route, call)
      if (!(answer instanceof Promise)) return finish(route, call, answer, startedMs)
      return answer.then((done) => finish(route, call, done, startedMs)).catch((error) => fail(route, call, error))
    } catch (error) {
      return fail(route, call, error)
    }
  }
}

const tooManyLocalWrites =
  'All the writes that may be made in a minute without a token were made; wait, then try again.'

/** In local mode with the reason why it does not apply. */
function toTokenNeeded(call: Call): Problem {
  const reason = call.whyNotLocal()
  if (reason === null) return { code: 'token_needed' }
  const detail = `This needs a token: send "Authorization: Token <key>". Local mode does not apply: ${reason}.`
  return { code: 'token_needed', detail }
}

/** The disk or the database failed, not we: told by the driver's code. */
function isStoreError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:SQLITE|POSTGRES)_/.test(String(error.code))
}

function toNoPath(url: string): Problem {
  const isOtherVersion = /^\/+api\/+v?\d/.test(toTarget(url)) && !/^\/+api\/+v2(?:[/?]|$)/.test(toTarget(url))
  return { code: isOtherVersion ? 'no_such_version' : 'no_such_path' }
}

/** `format` in the address wins over Accept. */
function toRepresentation(call: Call): Representation | Problem {
  if (call.url.includes('format')) {
    const formats = call.query().getAll('format')
    if (formats.some((format) => format !== 'json')) return { code: 'no_such_format' }
    if (formats.length > 0) return 'json'
  }
  return negotiate(call.head.accept) ?? { code: 'not_acceptable' }
}
