import { andThen, type MaybePromise } from '../promises.ts'
import type { Auth, LocalIdentity } from './auth/auth.ts'
import type { SocketAddress } from './auth/local-mode.ts'
import { parseIpAddress } from './host.ts'
import type { Representation } from './negotiate.ts'
import {
  type Caller,
  type CallerSession,
  type Form,
  type Head,
  type HttpCall,
  type Params,
  QueryParameters,
  type Route,
  readHead,
} from './route.ts'

/** The server's side of a connection. */
export interface Connections {
  requestIP(request: Request): SocketAddress | null
  timeout(request: Request, seconds: number): void
}

/** A request on the thread that received it. Query and caller are computed on first use (decision 5). */
export class IncomingCall implements HttpCall {
  readonly route: Route
  readonly request: Request
  readonly method: string
  readonly params: Params
  readonly url: string
  readonly head: Head
  representation: Representation = 'html'
  /** The owner of the token or session; null without one. */
  keyCaller: Caller | null = null
  /** What forms of a local caller are bound to. */
  localSession: CallerSession | null = null
  form: Form | null = null
  files: ReadonlyMap<string, Uint8Array> = new Map()
  /** The secret in the cookie, if `keyCaller` is the owner of a session. */
  sessionSecret: string | null = null
  /** A cookie to set with the response. */
  cookie: string | null = null
  /** The client's address as a trusted proxy names it; null without one. */
  forwardedAddress: string | null = null
  readonly #auth: Auth
  readonly #connections: Connections
  #requestId: string | null = null
  #query: QueryParameters | null = null
  #local: LocalIdentity | null = null

  constructor(route: Route, request: Request, method: string, params: Params, connections: Connections, auth: Auth) {
    this.route = route
    this.request = request
    this.method = method
    this.params = params
    this.url = request.url
    this.head = readHead(request.headers)
    this.#connections = connections
    this.#auth = auth
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  caller(): Caller | null {
    if (this.route.identifies === 'nobody') return null
    if (this.keyCaller !== null) return this.keyCaller
    const { caller } = this.#identifyLocal()
    return caller === null || this.localSession === null ? caller : { ...caller, session: this.localSession }
  }

  /** The caller if it is already known; a log line does not trigger the check for local mode. */
  knownCaller(): Caller | null {
    return this.keyCaller ?? this.#local?.caller ?? null
  }

  /** Why local mode does not apply to a caller without a token; null if it applies or is off. */
  whyNotLocal(): string | null {
    return this.#identifyLocal().reason
  }

  /** The other end of the connection: the client or a proxy; null once the connection is closed. */
  peer(): SocketAddress | null {
    return this.#connections.requestIP(this.request)
  }

  clientAddress(): string {
    const address = this.forwardedAddress ?? this.peer()?.address ?? 'unknown'
    // A dual-stack socket reports IPv4 clients with IPv6 addresses.
    return parseIpAddress(address) ?? address
  }

  setTimeout(seconds: number): void {
    this.#connections.timeout(this.request, seconds)
  }

  isStillTrusted(): MaybePromise<boolean> {
    // An anonymous caller or the local admin: neither can be revoked.
    if (this.keyCaller === null) return true
    return andThen(this.#identifyAgain(), (caller) => {
      // The expiry may have changed.
      this.keyCaller = caller ?? this.keyCaller
      return caller !== null
    })
  }

  #identifyAgain(): MaybePromise<Caller | null> {
    if (this.sessionSecret !== null) return this.#auth.identifySession(this.sessionSecret)
    return this.#auth.identify(this.head.authorization ?? '')
  }

  requestId(): string {
    this.#requestId ??= crypto.randomUUID()
    return this.#requestId
  }

  queryText(): string {
    const offset = this.url.indexOf('?')
    return offset < 0 ? '' : this.url.slice(offset + 1)
  }

  query(): QueryParameters {
    this.#query ??= new QueryParameters(this.queryText())
    return this.#query
  }

  /** Runs once per request, since it may read the kernel's table of sockets (decision 34). */
  #identifyLocal(): LocalIdentity {
    this.#local ??= this.#auth.identifyLocal(this.head, () => this.peer())
    return this.#local
  }
}

/** The path with its query. With a malformed Host, Bun gives no absolute URL, and the whole text is the target. */
export function toTarget(url: string): string {
  return url.slice(toTargetStart(url))
}

export function toTargetStart(url: string): number {
  const scheme = url.startsWith('/') ? -1 : url.indexOf('://')
  return scheme < 0 ? 0 : Math.max(url.indexOf('/', scheme + 3), 0)
}
