import { isStoreFailure } from '../error-code.ts'
import { andThen, type MaybePromise } from '../promises.ts'
import { hasRole, type Role } from '../record/role.ts'
import type { Auth } from './auth/auth.ts'
import type { SessionCheck } from './auth/session.ts'
import { type Connections, IncomingCall, toTarget, toTargetStart } from './call.ts'
import { parseHostHeader } from './host.ts'
import type { RateLimit } from './limits.ts'
import { type Logger, type RefusalLog, toLogText } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { isForPage, negotiate, type Representation } from './negotiate.ts'
import { type Problem, Refused } from './problem.ts'
import { type SendAnswer, toPreflightResponse, toProblemAnswer } from './respond.ts'
import type { Action, Answer, Call, Params, Route } from './route.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

export interface PipelineDeps {
  readonly auth: Auth
  readonly checkSession: SessionCheck
  readonly send: SendAnswer
  /** Runs a handler on a query thread, or renders there what a handler left unrendered. */
  forward(call: Call, action: Action, shown?: unknown): MaybePromise<Answer>
  readonly metrics: Metrics
  readonly log: Logger
  /** Counts a failure of the disk or the database, and logs it at most once a second. */
  reportStoreFailure(error: unknown): void
  /** Returns why a request was late if the database responds slowly; null otherwise. */
  explainLate(): string | null
  readonly writes: RateLimit
  readonly logRefusal: RefusalLog
  /** Null without `--trusted-proxy`. */
  readonly proxies: TrustedProxies | null
  readonly maxTargetBytes: number
  readonly maxHeadBytes: number
  readonly slowMs: number
  readonly logsAccess: boolean
  /** Whether lines about requests have the address of the client. */
  readonly logsAddress: boolean
  /** Whether every response ends its connection: while stopping, or while file descriptors are short. */
  endsConnections(): boolean
  /** Monotonic, for durations; the clocks of two threads differ by some milliseconds. */
  uptimeMs(): number
}

/** Runs a request through the checks in the contract's order, then through its handler. */
export class Pipeline {
  readonly #deps: PipelineDeps
  readonly #checkHost = createHostCheck()
  readonly #checkForwardedHost = createHostCheck()

  constructor(deps: PipelineDeps) {
    this.#deps = deps
  }

  handle(
    route: Route,
    request: Request,
    method: string,
    params: Params,
    connections: Connections,
  ): MaybePromise<Response> {
    const startedMs = this.#deps.uptimeMs()
    const call = new IncomingCall(route, request, method, params, connections, this.#deps.auth)
    try {
      const answer = this.#run(call)
      if (!(answer instanceof Promise)) return this.#finish(call, answer, startedMs)
      return answer
        .then((done) => this.#finish(call, done, startedMs))
        .catch((error) => this.#fail(call, error, startedMs))
    } catch (error) {
      return this.#fail(call, error, startedMs)
    }
  }

  #run(call: IncomingCall): MaybePromise<Answer> {
    const { auth, proxies, checkSession } = this.#deps
    const { head, method, params, route } = call
    this.#checkHead(call)
    if (proxies !== null && head.proxyHeader !== undefined) this.#applyForwarded(call, proxies)
    if (!route.accepts(params) || (route.allow === '' && !Object.hasOwn(route.actions, method))) {
      return refuseMissing(call, checkSession)
    }
    const isPreflight = method === 'OPTIONS' && head.origin !== undefined && head.preflightMethod !== undefined
    if (isPreflight) return toPreflightResponse(route.headers, route.allow)
    if (route.identifies === 'session') return andThen(checkSession(call), () => this.#act(call))
    if (head.authorization === undefined || route.identifies === 'nobody') return this.#act(call)
    return andThen(auth.identify(head.authorization), (caller) => {
      if (caller === null) throw new Refused(auth.refuseKey('token refused', call.clientAddress()))
      call.keyCaller = caller
      return this.#act(call)
    })
  }

  #act(call: IncomingCall): MaybePromise<Answer> {
    const { route } = call
    const action = route.actions[call.method]
    if (action === undefined) throw new Refused({ code: 'wrong_method' })
    if (action.role !== null) this.#checkRole(call, action.role)
    for (const [name, role] of action.parameterRoles) {
      if (call.query().has(name)) this.#checkRole(call, role)
    }
    if (route.negotiates === 'lenient') call.representation = prefersJson(call.head.accept) ? 'json' : 'html'
    else if (route.negotiates === 'browser') call.representation = isForPage(call.head.accept) ? 'html' : 'json'
    else if (route.negotiates) call.representation = chooseRepresentation(call)
    if (action.runsOn === 'query') return this.#deps.forward(call, action)
    const answer = action.handler(call)
    // The most frequent case needs no closure.
    if (answer instanceof Response) return answer
    return andThen(answer, (made) =>
      !(made instanceof Response) && 'unrendered' in made ? this.#deps.forward(call, action, made.unrendered) : made,
    )
  }

  #checkHead({ head, url }: IncomingCall): void {
    const { maxTargetBytes, maxHeadBytes } = this.#deps
    if (url.length > maxTargetBytes && url.length - toTargetStart(url) > maxTargetBytes) {
      throw new Refused({ code: 'target_too_long', detail: `Path and query may have at most ${maxTargetBytes} bytes.` })
    }
    if (head.bytes > maxHeadBytes) {
      const detail = `The request headers may have at most ${maxHeadBytes} bytes.`
      throw new Refused({ code: 'head_too_large', detail })
    }
    // HTTP/1.0 has no Host.
    if (head.host !== undefined) this.#checkHost(head.host)
    // Bun accepts several equal headers and joins them with a comma. Every limit of a body relies on one number.
    if (head.contentLength !== undefined && !/^\d{1,20}$/.test(head.contentLength)) {
      throw new Refused({ code: 'bad_parameter', detail: 'The Content-Length header must be exactly one number.' })
    }
  }

  /**
   * Has an effect only if the peer is a trusted proxy (decision 46). `proxyHeader` stays set, so local mode stays off.
   */
  #applyForwarded(call: IncomingCall, findForwarded: TrustedProxies): void {
    const { head, request } = call
    const { address, isHttps, host } = findForwarded(call.peer()?.address ?? '', request.headers)
    call.forwardedAddress = address
    head.isHttps = isHttps ?? false
    if (host === null) return
    this.#checkForwardedHost(host)
    head.host = host
  }

  #checkRole(call: IncomingCall, role: Role): void {
    const caller = call.caller()
    if (caller === null) throw new Refused(toIdentityNeeded(call))
    if (!hasRole(caller.role, role)) throw new Refused({ code: 'role_too_low' })
    if (call.method === 'GET' || call.method === 'HEAD') return
    const { writes, logRefusal, uptimeMs } = this.#deps
    const key = caller.tokenId === null ? `name ${caller.name}` : `token ${caller.tokenId}`
    const wait = writes.take(key, uptimeMs())
    if (wait === 0) return
    logRefusal('too many writes', call.clientAddress(), caller.name)
    const detail = call.keyCaller === null ? { detail: tooManyLocalWrites } : {}
    throw new Refused({ code: 'too_many_writes', retryAfterSeconds: wait, ...detail })
  }

  #finish(call: IncomingCall, answer: Answer, startedMs: number): Response {
    const deps = this.#deps
    const response = answer instanceof Response ? answer : deps.send(answer, call)
    const ms = deps.uptimeMs() - startedMs
    deps.metrics.countRequest(call.route.path, call.method, response.status, ms)
    if (call.cookie !== null) response.headers.append('Set-Cookie', call.cookie)
    if (deps.endsConnections()) response.headers.set('Connection', 'close')
    // Bun sets Date on every response except those to HEAD.
    if (call.method === 'HEAD') response.headers.set('Date', new Date().toUTCString())
    if (deps.logsAccess) this.#logRequest('request', call, response, ms)
    else if (ms > deps.slowMs) this.#logRequest('slow request', call, response, ms)
    return response
  }

  /** Logs the path without its query: old clients put keys there. */
  #logRequest(event: 'request' | 'slow request', call: IncomingCall, response: Response, ms: number): void {
    const { log, logsAddress } = this.#deps
    log.info(event, {
      method: call.method,
      path: toTarget(call.url).split('?')[0] ?? '',
      status: response.status,
      ms: Math.round(ms),
      address: logsAddress ? call.clientAddress() : undefined,
      by: call.knownCaller()?.name ?? null,
      requestId: call.requestId(),
    })
  }

  #fail(call: IncomingCall, error: unknown, startedMs: number): MaybePromise<Response> {
    if (error instanceof Refused) return this.#finishProblem(call, this.#withReason(error.problem), startedMs)
    // A client that disconnects while it sends its body causes an error too, which needs no log line.
    if (!call.signal.aborted) this.#logFailure(call, error)
    return this.#finishProblem(call, { code: isStoreFailure(error) ? 'unreadable' : 'internal' }, startedMs)
  }

  #withReason(problem: Problem): Problem {
    const detail = problem.code === 'late' ? this.#deps.explainLate() : null
    return detail === null ? problem : { ...problem, detail }
  }

  #finishProblem(call: IncomingCall, problem: Problem, startedMs: number): MaybePromise<Response> {
    const { route } = call
    const toPlain = () => toProblemAnswer(problem, route.headers, call.requestId())
    if (route.toErrorAnswer === null) return this.#finishError(call, toPlain(), startedMs)
    return route
      .toErrorAnswer(problem, call)
      .catch((error) => {
        this.#logFailure(call, error)
        return toPlain()
      })
      .then((answer) => this.#finishError(call, answer, startedMs))
  }

  /** An error page that repeats a form may itself be refused as too large; the answer to that is small. */
  #finishError(call: IncomingCall, answer: Answer, startedMs: number): MaybePromise<Response> {
    try {
      return this.#finish(call, answer, startedMs)
    } catch (error) {
      if (error instanceof Refused) return this.#finishProblem(call, error.problem, startedMs)
      throw error
    }
  }

  #logFailure(call: IncomingCall, error: unknown): void {
    const { log, reportStoreFailure } = this.#deps
    if (isStoreFailure(error)) return reportStoreFailure(error)
    log.error('internal error', { requestId: call.requestId(), error: toLogText(error) })
  }
}

/** Remembers the last valid Host, since nearly all requests send the same. */
function createHostCheck(): (host: string) => void {
  let goodHost: string | null = null
  return (host) => {
    if (host === goodHost) return
    if (parseHostHeader(host) === null) throw new Refused({ code: 'bad_host' })
    goodHost = host
  }
}

const tooManyLocalWrites = 'Local mode has reached its limit of writes per minute. Wait before you retry.'

function toIdentityNeeded(call: IncomingCall): Problem {
  if (call.route.identifies === 'session') return { code: 'session_needed' }
  const whyNotLocal = call.whyNotLocal()
  if (whyNotLocal === null) return { code: 'token_needed' }
  const detail = `This request needs a token. Send "Authorization: Token <key>". Local mode does not apply: ${whyNotLocal}.`
  return { code: 'token_needed', detail }
}

/** Who reads a page under the session's paths is identified first: the page of the error has their menu. */
function refuseMissing(call: IncomingCall, checkSession: SessionCheck): MaybePromise<never> {
  const refuse = (): never => {
    throw new Refused(toNoPath(call.url))
  }
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  return isRead && call.route.identifies === 'session' ? andThen(checkSession(call), refuse) : refuse()
}

function toNoPath(url: string): Problem {
  const isOtherVersion = /^\/+api\/+v?\d/.test(toTarget(url)) && !/^\/+api\/+v2(?:[/?]|$)/.test(toTarget(url))
  return { code: isOtherVersion ? 'no_such_version' : 'no_such_path' }
}

/** Whether JSON is named, not only matched by a wildcard, and preferred. */
function prefersJson(accept = ''): boolean {
  return /\bapplication\/json\b/i.test(accept) && negotiate(accept) === 'json'
}

/** `format` in the URL wins over Accept. */
function chooseRepresentation(call: IncomingCall): Representation {
  if (call.url.includes('format')) {
    const formats = call.query().getAll('format')
    if (formats.some((format) => format !== 'json')) throw new Refused({ code: 'no_such_format' })
    if (formats.length > 0) return 'json'
  }
  const representation = negotiate(call.head.accept)
  if (representation === null) throw new Refused(toNotAcceptable(call))
  return representation
}

function toNotAcceptable({ route, head }: IncomingCall): Problem {
  if (route.streamPath === null || !/\btext\/event-stream\b/i.test(head.accept ?? '')) return { code: 'not_acceptable' }
  const detail = `Server-sent events are at ${route.streamPath}. Only text/html and application/json are available here.`
  return { code: 'not_acceptable', detail }
}
