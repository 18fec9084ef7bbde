import { Refused } from '../http/problem.ts'
import { type QueryRoutes, toQueryKey } from '../http/route-table.ts'
import { createInTurn } from '../promises.ts'
import type { createReads } from '../store/read/create-reads.ts'
import { type Deadline, OutOfTime } from '../store/read/statements.ts'
import { createStoreReads, type Failure, type ReadStore } from '../store/store.ts'
import {
  type CallReply,
  type ForwardedCall,
  type QueryReply,
  type QueryRequest,
  type ReadRequest,
  rebuildCall,
  toCallReply,
} from './port/messages.ts'
import type { Service } from './port/thread-port.ts'

/** A request's answer leaves before the thread looks for background work, which may compete with it for the CPU. */
const answerMs = 20
/** Further requests would exceed `--list-ms` anyway. */
const maxWaiting = 1_000

interface QueryServiceDeps {
  readonly reads: QueryReads
  readonly store: ReadStore
  readonly routes: QueryRoutes
  /** Time limit of a request from its arrival. */
  readonly limitMs: number
  sendReplies(): void
}

/**
 * Runs the handlers and reads that HTTP threads send, one at a time. Skips withdrawn requests (decision 41). Loads
 * columns while it is idle.
 */
export function createQueryService(deps: QueryServiceDeps): Service<QueryRequest, QueryReply> {
  const { reads, store, routes } = deps
  const load = createBackgroundLoad(reads, () => queue.wake())
  const queue = createOnePerTick(load)
  let isStopping = false
  queue.wake()

  async function run(ask: QueryRequest): Promise<QueryReply> {
    if (ask.is === 'call') return handle(ask.call)
    // The request's type pairs each method with its query, which TypeScript cannot follow through a union of functions.
    const read = store[ask.is] as (query: ReadRequest['query']) => Promise<QueryReply>
    return read(ask.query)
  }

  async function handle(forwarded: ForwardedCall): Promise<CallReply> {
    const key = toQueryKey(forwarded.method, forwarded.path)
    const route = routes.get(key)
    if (route === undefined) throw new Error(`${key} does not run on query threads`)
    try {
      return toCallReply(await route.handler(rebuildCall(forwarded, route.headers), forwarded.shown))
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
      const untilMs = performance.now() + deps.limitMs
      queue.add(async () => {
        if (!isWanted()) return
        reply(isStopping ? 'down' : await answer(ask, untilMs, report))
        // Sent one by one: several large pages in one message would block an HTTP thread.
        deps.sendReplies()
      })
    },
    async stop() {
      isStopping = true
      // Each replies 'down'.
      for (const work of queue.stop()) await work()
      await reads.close()
    },
  }
}

type Work = () => Promise<void>

/** Runs work in order, one piece per tick of the event loop. */
interface OnePerTick {
  add(work: Work): void
  waitingCount(): number
  /** Call when there is something to load. */
  wake(): void
  /** Ends the background load; removes and returns what has not begun. */
  stop(): readonly Work[]
}

/** Data that a query thread keeps in memory, loaded in small steps. */
interface Loadable {
  isComplete(): boolean
  /** One step, in its own transaction; whether anything is left. */
  loadSome(): Promise<boolean>
}

/** A step takes milliseconds; a request waits no longer than this for one that PostgreSQL does not answer. */
const maxStepMs = 1_000
const retryMs = 1_000
/** How often to look for work that is due by now. */
const lookMs = 1_000

interface BackgroundLoadDeps {
  readonly loaded: readonly Loadable[]
  readonly deadline: Deadline
  isDown(): boolean
}

/** Work for a thread that has no request: loads what is missing, one step at a time (decision 43). */
interface BackgroundLoad {
  /** Whether a step would do anything now. */
  hasWork(): boolean
  /** Never rejects. After a failure there is no work for a second, because the store may be unreachable. */
  runStep(): Promise<void>
}

/** The reads of an engine, on a connection of this thread. */
export interface QueryReads extends ReturnType<typeof createReads> {
  /** Whether the store can no longer be read: its file was truncated or overwritten (decision 30). */
  isDown(): boolean
  /** The failure that an error means for the caller. */
  toFailure(error: unknown): Failure
}

/** The store of a query thread: reads on its own connection, each with a deadline. */
export function createQueryStore(queries: QueryReads, report: (error: unknown) => void): ReadStore {
  const { reads, records } = queries
  const inTurn = createInTurn()
  return {
    ...createStoreReads((name) => async (query) => {
      try {
        if (queries.isDown()) return 'down'
        queries.deadline.check()
        return await inTurn<unknown>(() => reads[name](query))
      } catch (error) {
        return reportReadFailure(queries, error, report)
      }
    }),
    read: (id) => inTurn(() => records.read(id)),
    isErased: (id) => inTurn(() => records.isErased(id)),
    findVersionTag: (id, number) => inTurn(() => records.findVersionTag(id, number)),
    readVersion: (id, number) => inTurn(() => records.readVersion(id, number)),
    readCompanion: (...which) => inTurn(() => records.readCompanion(...which)),
    readExtras: (id) => inTurn(() => records.readExtras(id)),
  }
}

/**
 * The thread receives messages between two pieces of work, so that a client that repeats its request immediately does
 * not starve others.
 */
function createOnePerTick(load: BackgroundLoad): OnePerTick {
  const waiting: Work[] = []
  let isLoading = false
  let isScheduled = false
  let isStopped = false
  let _later: Timer | undefined

  function schedule(): void {
    if (isScheduled || (waiting.length === 0 && !isLoading)) return
    isScheduled = true
    setImmediate(takeOne)
  }

  function wake(): void {
    isLoading = !isStopped && load.hasWork()
    schedule()
  }

  function wakeLater(): void {
    _later = undefined
    wake()
  }

  async function takeOne(): Promise<void> {
    const work = waiting.shift()
    try {
      if (work !== undefined) await work()
      else if (isLoading) await load.runStep()
    } finally {
      isScheduled = false
      if (isLoading) wake()
      else schedule()
      if (work !== undefined) _later ??= setTimeout(wakeLater, answerMs).unref()
    }
  }

  return {
    add(work) {
      waiting.push(work)
      schedule()
    },
    waitingCount: () => waiting.length,
    wake,
    stop() {
      isStopped = true
      isLoading = false
      return waiting.splice(0)
    },
  }
}

/** `onWork` is called when there may be work again. */
function createBackgroundLoad(deps: BackgroundLoadDeps, onWork: () => void): BackgroundLoad {
  const { loaded, deadline } = deps
  let isPaused = false
  setInterval(onWork, lookMs).unref()

  function pause(): void {
    isPaused = true
    const timer = setTimeout(() => {
      isPaused = false
      onWork()
    }, retryMs)
    timer.unref()
  }

  const findIncomplete = () => (isPaused || deps.isDown() ? undefined : loaded.find((each) => !each.isComplete()))
  return {
    hasWork: () => findIncomplete() !== undefined,
    async runStep() {
      deadline.set(performance.now() + maxStepMs)
      try {
        await findIncomplete()?.loadSome()
      } catch {
        // Requests meet the same failure, and report it.
        pause()
      }
    },
  }
}

/** Unexpected failures are reported; a read that took too long is logged with its request. */
function reportReadFailure(queries: QueryReads, error: unknown, report: (error: unknown) => void): Failure {
  const failure = error instanceof OutOfTime ? 'late' : queries.toFailure(error)
  if (failure !== 'late') report(error)
  return failure
}
