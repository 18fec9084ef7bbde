import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { Counters } from '../../store/counters.ts'
import { createStoreReads, type Failure, type Outcome, type Store } from '../../store/store.ts'
import type { ThreadReads } from '../backend/backend.ts'
import {
  type CallReply,
  type QueryReply,
  type QueryRequest,
  type ReadRequest,
  toForwardedCall,
  type WriterReply,
  type WriterRequest,
} from './messages.ts'
import { createThreadPort, type RequestOptions, type ThreadPort } from './thread-port.ts'

/** An HTTP thread's ports to the threads of the store. */
export interface StorePorts {
  readonly writer: ThreadPort<WriterRequest, WriterReply>
  readonly queries: readonly ThreadPort<QueryRequest, QueryReply>[]
  readonly query: PortPool<QueryRequest, QueryReply>
}

/** `loadBulkSteps` moves while the writer runs a batch, for which other writes wait (decision 74). */
export function createStorePorts(queryThreads: number, loadBulkSteps: () => number): StorePorts {
  // A lost read changed nothing, so it is reported as `down` and not as `unknown`.
  const toLostRead = (failure: Failure) => (failure === 'late' ? 'late' : 'down')
  const queries = Array.from({ length: queryThreads }, () => createThreadPort<QueryRequest, QueryReply>(toLostRead))
  return {
    writer: createThreadPort<WriterRequest, Outcome>((failure) => ({ is: 'failed', failure }), loadBulkSteps),
    queries,
    query: createPortPool(queries),
  }
}

/** How long the store counts as not ready after it failed to write. */
const brokenForMs = 2_000

const newerSchemaReason = 'a newer Rostrum has upgraded the store; restart this server as that version'

/**
 * The store of an HTTP thread: reads single records itself and sends everything else to other threads (decision 41).
 */
export function createHttpStore(
  counters: Counters,
  { writer, query }: StorePorts,
  records: ThreadReads,
  limitMs: number,
): Store {
  let brokenMs = Number.NEGATIVE_INFINITY
  /** Whether the last write failed recently. */
  const isBroken = () => performance.now() < brokenMs + brokenForMs
  const unreadyReason = () => records.unreadyReason() ?? (counters.hasNewerSchema() ? newerSchemaReason : null)
  return {
    ...records,
    ...createStoreReads(
      (is) => (wanted, signal) => query.ask({ is, query: wanted } as ReadRequest, { limitMs, signal }),
    ),
    changesCounter: counters.loadChanges,
    async execute(command) {
      // The writer reads no message while a batch keeps it busy.
      if (command.kind === 'stop batch') counters.askToStop(command.batch)
      const outcome = await writer.ask({ is: 'command', command })
      if (command.kind === 'stop batch') counters.clearStop(command.batch)
      const hasFailed = outcome.is === 'failed' && (outcome.failure === 'down' || outcome.failure === 'unknown')
      brokenMs = hasFailed ? performance.now() : Number.NEGATIVE_INFINITY
      return outcome
    },
    recordTokenUse: (token) => writer.tell({ is: 'used', token }),
    tokensCounter: counters.loadTokens,
    recordSessionUse: (session) => writer.tell({ is: 'used session', session: Buffer.from(session).toString('hex') }),
    sessionsCounter: counters.loadSessions,
    unreadyReason,
    isReady: () =>
      unreadyReason() === null && !isBroken() && !counters.writesFail() && writer.isAttached() && query.isAttached(),
  }
}

/** Runs the handler of a call on a query thread, or renders there what the handler left unrendered. */
export type Forward = (call: Call, shown?: unknown) => Promise<TextAnswer>

/** Each call has `limitMs` from when it was sent, and is withdrawn if its client disconnects (decision 41). */
export function createForward(pool: PortPool<QueryRequest, QueryReply>, limitMs: number): Forward {
  return async (call, shown) => {
    const reply = await pool.ask({ is: 'call', call: toForwardedCall(call, shown) }, { limitMs, signal: call.signal })
    // A query thread replies to a call with this, or with a failure.
    const answer = requireRead(reply) as CallReply
    if (answer.is === 'refused') throw new Refused(answer.problem)
    const { status, headers, body, isBinary } = answer
    return { status, headers: new Headers(JSON.parse(headers)), pieces: body === null ? [] : [body], isBinary }
  }
}

/** Ports to several threads of the same kind. */
interface PortPool<Ask, Answer> {
  /** Sends the request to the thread with the fewest pending requests of this HTTP thread. */
  ask(ask: Ask, options?: RequestOptions): Promise<Answer>
  isAttached(): boolean
}

function createPortPool<Ask, Answer>(ports: readonly ThreadPort<Ask, Answer>[]): PortPool<Ask, Answer> {
  /** Where the search begins, so that equally busy threads take turns. */
  let first = 0

  function pick(): ThreadPort<Ask, Answer> {
    first = (first + 1) % ports.length
    const rotated = [...ports.slice(first), ...ports.slice(0, first)]
    // If no thread is attached, the request waits for the next one.
    const candidates = rotated.some((port) => port.isAttached()) ? rotated.filter((port) => port.isAttached()) : rotated
    return candidates.reduce((best, port) => (port.pendingCount() < best.pendingCount() ? port : best))
  }

  return {
    ask: (ask, options) => pick().ask(ask, options),
    isAttached: () => ports.some((port) => port.isAttached()),
  }
}
