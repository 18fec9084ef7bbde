import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { Role } from '../record/command.ts'
import type { Auth, Caller, NotLocal } from './auth.ts'
import type { Head } from './head.ts'
import type { RouteName } from './metrics.ts'
import type { Representation } from './negotiate.ts'
import type { Problem } from './problem.ts'
import { QueryParameters } from './query-parameters.ts'
import type { SendBuffer } from './send-buffer.ts'
import type { SocketAddress } from './socket-owner.ts'

/** The server's side of a connection. */
export interface Peers {
  requestIP(request: Request): SocketAddress | null
  /** How long the connection may be silent; 0: for ever. */
  timeout(request: Request, seconds: number): void
}

export type Answer = Response | Problem

/** What one method of a path does, and who may ask for it. */
export interface Action {
  readonly role: Role | null
  run(call: Call): Answer | Promise<Answer>
}

/** One path of the service. */
export interface Route {
  readonly name: RouteName
  /** `:id` stands for any one segment, which `acceptsParameter` judges; several reach it joined by slashes. */
  readonly path: string
  acceptsParameter(value: string): boolean
  readonly methods: { readonly [method: string]: Action | undefined }
  readonly allow: string
  /** On every answer of the path, errors included. */
  readonly headers: Headers
  /** Whether Accept and `format` are looked at. */
  readonly negotiates: boolean
  /** A GET without token, condition and query: the ready answer (200), or null where it takes more to decide. */
  getPlain?(parameter: string, representation: Representation): Response | null
}

/** One request on its way. */
export class Call {
  readonly request: Request
  readonly method: string
  readonly url: string
  readonly head: Head
  readonly parameter: string
  /** Who the token says is calling; null without one. */
  tokenCaller: Caller | null = null
  representation: Representation = 'html'
  readonly peers: Peers
  /** For large answers. */
  readonly outbox: SendBuffer
  private readonly auth: Auth
  private knownId: string | null = null
  private parameters: QueryParameters | undefined
  private local: Caller | NotLocal | null | undefined

  constructor(
    request: Request,
    url: string,
    head: Head,
    method: string,
    parameter: string,
    peers: Peers,
    { auth, outbox }: { readonly auth: Auth; readonly outbox: SendBuffer },
  ) {
    this.outbox = outbox
    this.request = request
    this.peers = peers
    this.method = method
    this.url = url
    this.head = head
    this.parameter = parameter
    this.auth = auth
  }

  caller(): Caller | null {
    if (this.tokenCaller !== null) return this.tokenCaller
    const local = this.identifyLocal()
    return local === null || 'reason' in local ? null : local
  }

  /** As far as anybody had to ask: a log line is no reason to. */
  knownCaller(): Caller | null {
    return this.tokenCaller ?? (this.local === undefined ? null : this.caller())
  }

  /** Why local mode does not make a caller without a token an admin; null where it is off, or does. */
  whyNotLocal(): string | null {
    const local = this.identifyLocal()
    return local !== null && 'reason' in local ? local.reason : null
  }

  /** Once a request, since it may read the kernel's table of sockets. */
  private identifyLocal(): Caller | NotLocal | null {
    if (this.local === undefined)
      this.local = this.auth.identifyLocal(this.head, () => this.peers.requestIP(this.request))
    return this.local
  }

  /** Whether the token that was sent still counts; for answers that go on for long. */
  isStillTrusted(): MaybePromise<boolean> {
    const { authorization } = this.head
    if (authorization === undefined) return true
    return andThen(
      this.auth.identify(authorization, () => 'a stream'),
      (caller) => !('code' in caller),
    )
  }

  /** The same in an error's `instance` and in the log. */
  requestId(): string {
    this.knownId ??= crypto.randomUUID()
    return this.knownId
  }

  /** What stands behind the question mark. */
  queryText(): string {
    const at = this.url.indexOf('?')
    return at < 0 ? '' : this.url.slice(at + 1)
  }

  query(): QueryParameters {
    this.parameters ??= new QueryParameters(this.queryText())
    return this.parameters
  }
}

/** The path with its query: what stands behind the host, or everything where an odd Host leaves no address to build. */
export function toTarget(url: string): string {
  return url.slice(toTargetStart(url))
}

export function toTargetStart(url: string): number {
  const scheme = url.startsWith('/') ? -1 : url.indexOf('://')
  return scheme < 0 ? 0 : Math.max(url.indexOf('/', scheme + 3), 0)
}
