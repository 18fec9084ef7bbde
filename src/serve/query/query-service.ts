import type { QueryRoutes } from '../../api/routes.ts'
import { Refused } from '../../http/problem.ts'
import type { ReadStore } from '../../store/store.ts'
import type { QueryReply, QueryRequest, ReadRequest } from '../port/messages.ts'
import type { Service } from '../port/serve-requests.ts'
import { type CallReply, type ForwardedCall, rebuildCall, toCallReply } from './forwarded-call.ts'
import { type QueryReads, reportReadFailure } from './query-store.ts'

/** Further requests would exceed `--list-ms` anyway. */
const maxWaiting = 1_000

export interface QueryServiceNeeds {
  readonly reads: QueryReads
  readonly store: ReadStore
  readonly routes: QueryRoutes
  /** Time limit of a request from its arrival. */
  readonly limitMs: number
  sendReplies(): void
}

/** Runs the handlers and reads that HTTP threads send, one at a time. Skips withdrawn requests (ADR 41). */
export function createQueryService(needs: QueryServiceNeeds): Service<QueryRequest, QueryReply> {
  const { reads, store, routes } = needs
  const queue = createOnePerTick()
  let isStopping = false

  async function run(ask: QueryRequest): Promise<QueryReply> {
    if (ask.is === 'call') return handle(ask.call)
    // The request's type pairs each method with its query, which TypeScript cannot follow through a union of functions.
    const read = store[ask.is] as (query: ReadRequest['query']) => Promise<QueryReply>
    return read(ask.query)
  }

  async function handle(forwarded: ForwardedCall): Promise<CallReply> {
    const route = routes.get(forwarded.path)
    if (route === undefined) throw new Error(`${forwarded.path} does not run on query threads`)
    try {
      return toCallReply(await route.handler(rebuildCall(forwarded, route.headers)))
    } catch (error) {
      if (error instanceof Refused) return { is: 'refused', problem: error.problem }
      throw error
    }
  }

  async function answer(ask: QueryRequest, untilMs: number, report: (error: unknown) => void): Promise<QueryReply> {
    reads.deadline.set(untilMs)
    if (reads.isDown()) return 'down'
    try {
      reads.deadline.check()
      return await run(ask)
    } catch (error) {
      return reportReadFailure(reads, error, report)
    }
  }

  return {
    answer(ask, reply, report, isWanted) {
      if (isStopping) return reply('down')
      if (queue.waitingCount() >= maxWaiting) return reply('busy')
      const untilMs = performance.now() + needs.limitMs
      queue.add(async () => {
        if (!isWanted()) return
        reply(isStopping ? 'down' : await answer(ask, untilMs, report))
        // Sent one by one: several large pages in one message would block an HTTP thread.
        needs.sendReplies()
      })
    },
    async stop() {
      isStopping = true
      // Each replies 'down'.
      for (const work of queue.clear()) await work()
      await reads.close()
    },
  }
}

type Work = () => Promise<void>

/** Runs work in order, one piece per tick of the event loop. */
interface OnePerTick {
  add(work: Work): void
  waitingCount(): number
  /** Removes and returns what has not begun. */
  clear(): readonly Work[]
}

/**
 * The thread receives messages between two pieces of work, so that a client that repeats its request at once does not
 * starve others.
 */
function createOnePerTick(): OnePerTick {
  const waiting: Work[] = []
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(takeOne)
  }

  async function takeOne(): Promise<void> {
    try {
      await waiting.shift()?.()
    } finally {
      isScheduled = false
      schedule()
    }
  }

  return {
    add(work) {
      waiting.push(work)
      schedule()
    },
    waitingCount: () => waiting.length,
    clear: () => waiting.splice(0),
  }
}
