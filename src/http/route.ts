import type { MaybePromise } from '../promises.ts'
import type { Author, Role } from '../record/role.ts'
import type { Representation } from './negotiate.ts'
import type { Problem } from './problem.ts'

/** The values of a path's parameters by name, decoded. */
export type Params<Name extends string = string> = { readonly [name in Name]: string }

/**
 * One request, as handlers see it. `Name` lists the parameters in the path. Everything here can be rebuilt from plain
 * data and an AbortSignal, so a handler that takes no more than this also runs on a query thread.
 */
export interface Call<Name extends string = never> {
  readonly route: Pick<Route, 'path' | 'headers'>
  readonly method: string
  readonly url: string
  readonly params: Params<Name>
  readonly head: Head
  readonly representation: Representation
  /** The form that was posted to a page under `/edit`, after its origin was checked; null elsewhere. */
  readonly form: Form | null
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  caller(): Caller | null
  /** The same in an error's `instance` and in the log. */
  requestId(): string
  /** The text after the question mark. */
  queryText(): string
  query(): QueryParameters
}

/** The fields of a form by name, in their order; each is text. */
export type Form = URLSearchParams

/** A request with its connection, which only the HTTP thread that received it has. */
export interface HttpCall<Name extends string = never> extends Call<Name> {
  readonly request: Request
  /** The files of a form, by the names of their fields; only for actions that take uploads. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The client's IP address; behind a trusted proxy, the one that the proxy names. */
  clientAddress(): string
  /** Whether the token or session of the request is still valid; for long-lived responses. */
  isStillTrusted(): MaybePromise<boolean>
  /** Sets the idle timeout of the connection; 0 means none. */
  setTimeout(seconds: number): void
}

/** Who sends a request, according to its token, its session or local mode. */
export interface Caller {
  readonly name: string
  readonly role: Role
  readonly tokenId: number | null
  /** Whether the token is limited to events. */
  readonly isLimited?: boolean
  /** When the token expires, by the wall clock; null: never. */
  readonly expiresMs: number | null
  /** Null except on pages under `/edit`. */
  readonly session: CallerSession | null
}

/** The part of a session that pages need. The cookie stays on the thread that received it. */
export interface CallerSession {
  /** As the store names it, in base64url; null in local mode, which has no sessions. */
  readonly hash: string | null
  /** The value of `csrf` in forms. */
  readonly formToken: string
}

/** The author of what the caller changes. */
export function toAuthor({ name, role, tokenId, isLimited = false }: Caller): Author {
  return { name, role, ...(isLimited && tokenId !== null ? { limitedBy: tokenId } : {}) }
}

/** A response as plain data: status, headers and an ASCII body in pieces, which the HTTP thread sends. */
export interface TextAnswer {
  readonly status: number
  readonly headers: Headers
  readonly pieces: readonly string[]
  /** Each character of the body is one byte, of text in UTF-8 or of a compressed body. */
  readonly isBinary?: boolean
}

/**
 * A response whose body is produced while it is sent. If `next` throws, the connection is closed before the end of the
 * body, so that no client takes the body for complete.
 */
export interface ChunkedAnswer {
  readonly status: number
  readonly headers: Headers
  /** Called when the client has read the previous chunk; null after the last one. */
  next(): MaybePromise<Uint8Array | null>
}

/** The result of a handler; a Response only if its body is small, or is a record of usual size. */
export type Answer = Response | TextAnswer | ChunkedAnswer

/** The data of the page that follows a form, cloneable because a query thread renders the page (decision 70). */
export interface Unrendered<Shown = unknown> {
  readonly unrendered: Shown
}

/** Refuses a request by throwing `Refused`. */
type Handler = (call: HttpCall) => MaybePromise<Answer | Unrendered>

/** What one method of a path does, which role it needs, and on which kind of thread it runs. */
export interface Action {
  readonly handler: Handler
  /** The lowest role that may call it; null if no token is needed. */
  readonly role: Role | null
  /** Names of parameters, each with the lowest role that may send it. */
  readonly parameterRoles: readonly (readonly [name: string, role: Role])[]
  /** Whether its form may have files, and is larger than others. */
  readonly takesUploads: boolean
  readonly runsOn: 'http' | 'query'
  /** Whether responses for callers without a role may be cached until the content changes (decision 41). */
  readonly isCached: boolean
  /** The parameters that the response depends on; null for all. */
  readonly parameters: readonly string[] | null
}

/**
 * Whether `Accept` and `format` choose a representation. `lenient`: JSON for clients that
 * name and prefer it in Accept, HTML for all others. `browser`: HTML for browsers that open the path as a page; the
 * others, such as feed readers, get the same bytes under the type of the format.
 */
export type Negotiation = boolean | 'lenient' | 'browser'

/**
 * How a path identifies its callers: by the token in Authorization, by the session cookie (without one, either may be
 * the local admin), or not at all, so that responses are the same for everybody.
 */
export type Identification = 'token' | 'session' | 'nobody'

/** The answer to a request that was refused, where it is not problem+json. */
export type ToErrorAnswer = (problem: Problem, call: HttpCall) => Promise<TextAnswer>

/** One path of the service. */
export interface Route {
  /**
   * `:name` stands for any one segment, and `:name.md` for one with that extension. It is the label in the metrics;
   * empty for paths that no route has.
   */
  readonly path: string
  /** Whether the values of the path's parameters are well-formed; 404 otherwise. */
  accepts(params: Params): boolean
  /** Whether another route is looked for then. */
  readonly fallsThrough: boolean
  readonly actions: { readonly [method: string]: Action | undefined }
  /** The methods in `actions`, as in the Allow header. */
  readonly allow: string
  /** Sent with every response of the path, including errors. */
  readonly headers: Headers
  readonly negotiates: Negotiation
  readonly identifies: Identification
  /** Where the same is served as server-sent events; null if nowhere. */
  readonly streamPath: string | null
  /** Null: problem+json. */
  readonly toErrorAnswer: ToErrorAnswer | null
}

/** The parameters of a URL; records which were read, so that the others can be reported as ignored. */
export class QueryParameters extends URLSearchParams {
  /** The pipeline checks `format` on every path. */
  readonly #names = new Set(['format'])

  override get(name: string): string | null {
    this.#names.add(name)
    return super.get(name)
  }

  override has(name: string, value?: string): boolean {
    this.#names.add(name)
    return super.has(name, value)
  }

  override getAll(name: string): string[] {
    this.#names.add(name)
    return super.getAll(name)
  }

  /** Names that were sent and not read, each once. */
  listIgnored(): string[] {
    return [...new Set(this.keys())].filter((name) => !this.#names.has(name))
  }
}

/** The request headers that we use, read in one pass: several `get` calls cost more than one loop over all (decision 5). */
export class Head {
  bytes = 0
  host: string | undefined
  /** Whether the client used TLS, as a trusted proxy says. */
  isHttps = false
  accept: string | undefined
  acceptEncoding: string | undefined
  authorization: string | undefined
  ifNoneMatch: string | undefined
  ifModifiedSince: string | undefined
  ifMatch: string | undefined
  ifUnmodifiedSince: string | undefined
  contentType: string | undefined
  contentLength: string | undefined
  contentEncoding: string | undefined
  origin: string | undefined
  preflightMethod: string | undefined
  idempotencyKey: string | undefined
  prefer: string | undefined
  reason: string | undefined
  lastEventId: string | undefined
  /** A header that only proxies send. */
  proxyHeader: string | undefined
}

export function readHead(headers: Headers): Head {
  const head = new Head()
  headers.forEach(collect, head)
  return head
}

/** The four bytes are the colon, the space and the line break. */
function collect(this: Head, value: string, name: string): void {
  this.bytes += name.length + value.length + 4
  switch (name) {
    case 'host':
      this.host = value
      break
    case 'accept':
      this.accept = value
      break
    case 'accept-encoding':
      this.acceptEncoding = value
      break
    case 'authorization':
      this.authorization = value
      break
    case 'if-none-match':
      this.ifNoneMatch = value
      break
    case 'if-modified-since':
      this.ifModifiedSince = value
      break
    case 'if-match':
      this.ifMatch = value
      break
    case 'if-unmodified-since':
      this.ifUnmodifiedSince = value
      break
    case 'content-type':
      this.contentType = value
      break
    case 'content-length':
      this.contentLength = value
      break
    case 'content-encoding':
      this.contentEncoding = value
      break
    case 'origin':
      this.origin = value
      break
    case 'access-control-request-method':
      this.preflightMethod = value
      break
    case 'idempotency-key':
      this.idempotencyKey = value
      break
    case 'prefer':
      this.prefer = value
      break
    case 'change-reason':
      this.reason = value
      break
    case 'last-event-id':
      this.lastEventId = value
      break
    default:
      this.proxyHeader ??= toProxyHeader(name)
  }
}

const proxyHeaders: { readonly [name: string]: string | undefined } = {
  forwarded: 'Forwarded',
  via: 'Via',
  'x-real-ip': 'X-Real-IP',
  'cf-connecting-ip': 'CF-Connecting-IP',
  'true-client-ip': 'True-Client-IP',
  'x-client-ip': 'X-Client-IP',
  'x-cluster-client-ip': 'X-Cluster-Client-IP',
}

function toProxyHeader(name: string): string | undefined {
  if (name.startsWith('x-forwarded-')) return 'an X-Forwarded- header'
  return Object.hasOwn(proxyHeaders, name) ? proxyHeaders[name] : undefined
}
