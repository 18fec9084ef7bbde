import type { LogEvent, LogFields } from '../../http/logger.ts'
import type { Representation } from '../../http/negotiate.ts'
import type { Problem } from '../../http/problem.ts'
import { type Call, type Caller, type Head, type Params, QueryParameters, type TextAnswer } from '../../http/route.ts'
import type { Command } from '../../record/command.ts'
import type { Config } from '../../settings/config.ts'
import type { SiteSettings } from '../../site/site-settings.ts'
import type { Engine } from '../../store/engine.ts'
import type { SnapshotPlan } from '../../store/search/words-loader.ts'
import type { Outcome, SlowRead, Store } from '../../store/store.ts'

/**
 * HTTP thread -> a thread of the store, one message per tick. The sender numbers its requests; a request without a
 * number gets no reply. `ask: null` withdraws a request.
 */
export type PortRequest<Ask> =
  | { readonly number: null; readonly ask: Ask }
  | { readonly number: number; readonly ask: Ask | null }

/** A thread of the store -> HTTP thread, one message for all replies that are ready together. */
export interface PortReply<Answer> {
  readonly number: number
  readonly answer: Answer
}

/**
 * A reply whose members are all primitive is sent alone and flat: Bun shares the strings of such an object, where a
 * structured clone copies them: 110 instead of 265 µs for a round trip with a page of 60 KB.
 */
export type ReplyMessage<Answer> = readonly PortReply<Answer>[] | FlatReply<Answer>
type FlatReply<Answer> = Answer & { readonly number: number }

export type WriterRequest =
  | { readonly is: 'command'; readonly command: Command }
  | { readonly is: 'used'; readonly token: number }
  /** The hash of the session in hex. */
  | { readonly is: 'used session'; readonly session: string }
export type WriterReply = Outcome

/** A handler to run, or a slow read for a handler that runs on an HTTP thread. */
export type QueryRequest = { readonly is: 'call'; readonly call: ForwardedCall } | ReadRequest
export type ReadRequest = { [M in SlowRead]: { readonly is: M; readonly query: Parameters<Store[M]>[0] } }[SlowRead]
export type QueryReply = CallReply | Awaited<ReturnType<Store[SlowRead]>>

/** What the threads of a process share of their store. */
export interface StoreMemory {
  readonly counters: SharedArrayBuffer
  /** Which of several PostgreSQL servers is the primary (decision 33). */
  readonly primary: SharedArrayBuffer
}

/** Limits of lists; each is a setting. */
export interface ListLimits {
  readonly listMs: number
  readonly maxPageBytes: number
}

/** What a query thread needs besides the store. */
interface QueryPlan extends ListLimits {
  /** The configured base URL; null means the Host of each request. */
  readonly baseUrl: string | null
  /** For requests without a Host. */
  readonly listeningUrl: string
  /** Null with `--site off`. */
  readonly site: SiteSettings | null
}

/** What every thread of the store needs. */
export interface StorePlan {
  readonly engine: Engine['kind']
  /** The path of the file, or the address of the database. */
  readonly address: string
  readonly memory: StoreMemory
  /** For the writer and the first query thread, which alone counts what all query threads know; null for others. */
  readonly metrics: SharedArrayBuffer | null
  readonly query: QueryPlan
  /** Null if there is none; only query threads use it. */
  readonly snapshot: SnapshotPlan | null
  /** Whether HTTP threads run before this thread (decision 77). */
  readonly hasLowPriority: boolean
}

/** Main -> a thread of the store. */
export type StoreOrder =
  | { readonly is: 'start'; readonly plan: StorePlan; readonly ports: MessagePort[] }
  | { readonly is: 'connect'; readonly port: MessagePort }
  /** Answered with `pong`, immediately unless the thread is busy. */
  | { readonly is: 'ping' }
  | { readonly is: 'stop' }

/** A thread of the store -> main. */
export type StoreNotice =
  | { readonly is: 'ready' | 'pong' | 'stopped' }
  | { readonly is: 'error' | 'newer schema'; readonly text: string }
  | StoreFailed
  | { readonly is: 'log'; readonly event: StoreEvent; readonly fields: LogFields }

/** A failure of the disk or the database: counted, and logged at most once a second. */
interface StoreFailed {
  readonly is: 'store failed'
  readonly text: string
}

/** Events about the availability and the primary of PostgreSQL. */
export type StoreEvent = Extract<
  LogEvent,
  'store unreachable' | 'store back' | 'primary changed' | 'primary unconfirmed' | 'primary confirmed'
>

/** Memory that all threads share: counters only. */
export interface SharedBuffers extends StoreMemory {
  readonly metrics: SharedArrayBuffer
  readonly wrongTokens: SharedArrayBuffer
  readonly writes: SharedArrayBuffer
  /** Quotas: bytes that wait for slow readers, forms without a session, open streams. */
  readonly waiting: SharedArrayBuffer
  readonly forms: SharedArrayBuffer
  readonly streams: SharedArrayBuffer
}

/** A thread of the store that HTTP threads send requests to. */
export type StoreThread = 'writer' | { readonly query: number }

/** Everything an HTTP thread needs to start. Keys are passed as hashes only. */
export interface HttpPlan {
  readonly thread: number
  readonly config: Omit<Config, 'adminToken'>
  /** Null with `--site off`. */
  readonly site: SiteSettings | null
  readonly engine: Engine['kind']
  readonly adminKeyHash: Uint8Array | null
  readonly port: number
  readonly reusePort: boolean
  readonly version: string
  /** The age of the process when this was sent; each thread's clock starts with the thread. */
  readonly uptimeMs: number
  readonly shared: SharedBuffers
}

/** Main -> HTTP thread. */
export type HttpOrder =
  | { readonly is: 'start'; readonly plan: HttpPlan }
  | { readonly is: 'store'; readonly from: StoreThread; readonly port: MessagePort }
  | { readonly is: 'store-gone'; readonly from: StoreThread }
  /** Answered with `pong`, immediately unless the thread is busy. */
  | { readonly is: 'ping' }
  | { readonly is: 'stop' }

/** HTTP thread -> main. */
export type HttpNotice =
  | { readonly is: 'ready' | 'pong' | 'stopped' }
  | { readonly is: 'failed'; readonly problem: string }
  | StoreFailed

/** A call as plain data, sent from an HTTP thread to a query thread (decision 41). */
export interface ForwardedCall {
  /** The pattern of its route, by which the query thread finds the handler. */
  readonly path: string
  readonly method: string
  readonly url: string
  readonly params: Params
  readonly head: Head
  readonly representation: Representation
  /** Names and values of a form. */
  readonly form?: [string, string][] | null
  /** The data that the handler of a form left unrendered. */
  readonly shown?: unknown
  readonly caller: Caller | null
  readonly requestId: string
}

/** The result of its handler, sent back. */
export type CallReply =
  | {
      readonly is: 'answer'
      readonly status: number
      /** Pairs of name and value, as JSON: with primitive members alone the reply is sent without a clone. */
      readonly headers: string
      readonly body: string | null
      readonly isBinary: boolean
    }
  | { readonly is: 'refused'; readonly problem: Problem }

export function toForwardedCall(call: Call, shown?: unknown): ForwardedCall {
  const { method, url, params, head, representation } = call
  const { path } = call.route
  // `head` is copied into a plain object, since a message cannot carry a class instance.
  const data = { path, method, url, params, head: { ...head }, representation, shown }
  return { ...data, form: call.form && Array.from(call.form), caller: call.caller(), requestId: call.requestId() }
}

/** Never aborts: a withdrawn request is not begun, and a running one ends by its deadline. */
const { signal } = new AbortController()

/** Rebuilds the call for the handler. */
export function rebuildCall(forwarded: ForwardedCall, pathHeaders: Headers): Call {
  const { path, method, url, params, head, representation, caller, requestId } = forwarded
  const offset = url.indexOf('?')
  const queryText = offset < 0 ? '' : url.slice(offset + 1)
  let parameters: QueryParameters | null = null
  return {
    ...{ method, url, params, head, representation, signal },
    form: forwarded.form == null ? null : new URLSearchParams(forwarded.form),
    route: { path, headers: pathHeaders },
    caller: () => caller,
    requestId: () => requestId,
    queryText: () => queryText,
    query() {
      parameters ??= new QueryParameters(queryText)
      return parameters
    },
  }
}

export function toCallReply({ status, headers, pieces, isBinary = false }: TextAnswer): CallReply {
  const named = Array.from(headers, ([name, value]): [string, string] => [toWrittenName(name), value])
  const body = pieces.length === 0 ? null : pieces.join('')
  return { is: 'answer', status, headers: JSON.stringify(named), body, isBinary }
}

/** Iterating over Headers gives lower-case names; `Allow` should look the same on every path. */
function toWrittenName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
