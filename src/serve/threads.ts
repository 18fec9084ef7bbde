import { createQuotaBuffer, createRateLimitBuffer } from '../http/limits.ts'
import type { Logger } from '../http/logger.ts'
import { createMetricsBuffer } from '../http/metrics.ts'
import { type Counters, createCounters, createCountersBuffer, createPrimaryBuffer } from '../store/counters.ts'
import { createNotifications } from '../store/postgres/notifications.ts'
import type { SnapshotPlace } from '../store/search/snapshot-file.ts'
import { httpThread, linkThread, notificationThread, queryThread, writerThread } from '../thread-programs.ts'
import type {
  HttpNotice,
  HttpOrder,
  HttpPlan,
  SharedBuffers,
  StoreNotice,
  StoreOrder,
  StorePlan,
  StoreThread,
} from './port/messages.ts'
import { createStoreLog, type StoreLog } from './store-log.ts'

/** An HTTP thread lets requests finish for 7 s at most; supervisors commonly kill after ten seconds in all. */
const httpStopMs = 9_000
/** The writer commits what it has received, which takes long only if the disk does not answer. */
const storeStopMs = 5_000

interface ThreadsDeps {
  readonly httpThreads: number
  readonly queryThreads: number
  readonly store: Omit<StorePlan, 'memory' | 'metrics' | 'snapshot'> & { readonly snapshot: SnapshotPlace | null }
  readonly shared: SharedBuffers
  toPlan(thread: number): HttpPlan
  /** Whether there is a thread that checks links (decision 92). */
  readonly checksLinks?: boolean
  /** For tests that count or hang threads. */
  createWorker?(url: URL): Worker
  readonly log: Logger
  /** How often threads are pinged. */
  readonly pulseMs?: number
  /** Called when threads die too often to restart them again. */
  onRestartLimit(): void
}

export interface Threads {
  /** Resolves when every HTTP thread listens and serves single records; rejects if one cannot. */
  readonly listening: Promise<void>
  /** Resolves when every thread is ready; rejects if one cannot start. */
  readonly ready: Promise<void>
  /**
   * Lets requests finish, then stops the threads of the store, each with a time limit. Resolves with whether all met
   * it.
   */
  stop(): Promise<boolean>
}

/** A thread of the store: its name in the log, its program, and how HTTP threads refer to it. */
interface StoreProgram {
  readonly name: string
  readonly url: URL
  /** Null for the thread that listens to PostgreSQL, which takes no requests. */
  readonly thread: StoreThread | null
}

/**
 * Starts the threads of the store and the HTTP threads, connects them, and replaces those that die or hang (decision 28).
 */
export function startThreads(deps: ThreadsDeps): Threads {
  return new RunningThreads(deps)
}

class RunningThreads implements Threads {
  readonly listening: Promise<void>
  readonly ready: Promise<void>
  readonly #deps: ThreadsDeps
  readonly #counters: Counters
  readonly #storeLog: StoreLog
  readonly #restarts: ReturnType<typeof createRestarts>
  readonly #heartbeat: Heartbeat
  /** In start order. */
  readonly #programs: ReturnType<typeof toStorePrograms>
  /** The HTTP threads, and the one that checks links, which sends commands as they do. */
  readonly #http = new Map<HttpIndex, Worker>()
  readonly #store = new Map<StoreProgram, Worker>()
  #isStopping = false

  constructor(deps: ThreadsDeps) {
    this.#deps = deps
    this.#counters = createCounters(deps.shared.counters)
    this.#storeLog = createStoreLog(deps.log)
    this.#restarts = createRestarts(deps.onRestartLimit)
    this.#heartbeat = createHeartbeat(deps.pulseMs)
    this.#programs = toStorePrograms(deps)
    // One HTTP thread first: threads that start together compete for cores, which delays the first response.
    const first = this.#startHttp(0)
    this.listening = first.then(() => this.#startOtherHttp())
    this.ready = Promise.all([this.listening, first.then(() => this.#startStores())]).then(() => undefined)
    // A caller may wait for `listening` alone.
    this.ready.catch(() => undefined)
    if (deps.checksLinks)
      this.ready.then(() => this.#unlessStopping(() => this.#startHttp('links'))).catch(() => undefined)
  }

  async stop(): Promise<boolean> {
    this.#isStopping = true
    this.#counters.setShutdown()
    this.#heartbeat.end()
    const stopped = [...this.#http].map(([index, thread]) => {
      const ended = waitFor<HttpNotice>(thread, 'stopped')
      tell(thread, { is: 'stop' })
      return this.#waitForEnd(toHttpName(index), ended, httpStopMs)
    })
    const ends = await Promise.all(stopped)
    // The writer stops last: the last connection to close removes the write-ahead log.
    for (const program of this.#programs.toReversed()) ends.push(await this.#stopStore(program))
    return ends.every((hasEnded) => hasEnded)
  }

  async #startOtherHttp(): Promise<void> {
    if (this.#isStopping) return
    await Promise.all(Array.from({ length: this.#deps.httpThreads - 1 }, (_, i) => this.#startHttp(i + 1)))
  }

  async #startStores(): Promise<void> {
    if (this.#isStopping) return
    const [writerProgram, ...others] = this.#programs
    const writer = this.#startStore(writerProgram)
    // Reads of the change log need the sequence number that the writer publishes when it starts.
    await Promise.all([writer, ...others.map((program) => this.#startStore(program, writer))])
  }

  /** HTTP threads get their ports when the thread is ready and `after` has resolved. */
  async #startStore(program: StoreProgram, after?: Promise<void>): Promise<void> {
    const { name, thread } = program
    const worker = this.#createWorker(program.url)
    this.#store.set(program, worker)
    const readers = thread === null ? [] : [...this.#http.values()]
    const channels = readers.map((http) => ({ http, channel: new MessageChannel() }))
    const ports = channels.map(({ channel }) => channel.port1)
    give(worker, { is: 'start', plan: toStorePlan(this.#deps, thread), ports }, ports)
    const onHang = this.#watch(worker, name, (restart) => {
      this.#store.delete(program)
      if (thread === null) createNotifications(this.#counters).lose()
      else for (const http of this.#http.values()) tell(http, { is: 'store-gone', from: thread })
      restart(() => this.#startStore(program))
    })
    const ready = waitFor<StoreNotice>(worker, 'ready', (notice) => this.#logNotice(name, notice))
    await Promise.all([ready, after])
    if (thread === null) return
    // The writer is never terminated: it may be in a transaction, and a second writer must not run at the same time.
    if (thread !== 'writer') this.#heartbeat.watch(worker, onHang)
    for (const { http, channel } of channels)
      tell(http, { is: 'store', from: thread, port: channel.port2 }, [channel.port2])
  }

  #logNotice(name: string, notice: StoreNotice): void {
    const { log } = this.#deps
    if (notice.is === 'error') log.error('store error', { thread: name, error: notice.text })
    else if (notice.is === 'store failed') this.#storeLog.fail(name, notice.text)
    else if (notice.is === 'log') this.#storeLog.add(notice.event, notice.fields)
    else if (notice.is === 'newer schema' && this.#counters.setNewerSchema())
      log.error('newer schema', { why: notice.text })
  }

  async #startHttp(index: HttpIndex): Promise<void> {
    const worker = this.#createWorker(index === 'links' ? linkThread : httpThread)
    this.#http.set(index, worker)
    // The checker uses the counters of the first thread for values that no other thread sets.
    tell(worker, { is: 'start', plan: this.#deps.toPlan(index === 'links' ? 0 : index) })
    for (const [{ thread }, storeWorker] of this.#store) {
      if (thread === null) continue
      const { port1, port2 } = new MessageChannel()
      give(storeWorker, { is: 'connect', port: port1 }, [port1])
      tell(worker, { is: 'store', from: thread, port: port2 }, [port2])
    }
    const onHang = this.#watch(worker, toHttpName(index), (restart) => {
      this.#http.delete(index)
      restart(() => this.#startHttp(index))
    })
    await waitFor<HttpNotice>(worker, 'ready', (notice) => {
      if (notice.is === 'store failed') this.#storeLog.fail(toHttpName(index), notice.text)
    })
    this.#heartbeat.watch(worker, onHang)
  }

  #createWorker(url: URL): Worker {
    return this.#deps.createWorker?.(url) ?? new Worker(url)
  }

  /** Returns the function to call if the thread hangs. */
  #watch(worker: Worker, name: string, onEnd: (restart: Restart) => void): (silentMs: number) => void {
    const { log } = this.#deps
    let isReplaced = false
    worker.addEventListener('error', ({ message }) =>
      log.error('thread error', { thread: name, error: withoutSource(message) }),
    )
    worker.addEventListener('close', () => {
      this.#heartbeat.forget(worker)
      if (isReplaced) log.info('hung thread ended', { thread: name })
      if (this.#isStopping || isReplaced) return
      log.error('thread died', { thread: name })
      onEnd((start) => this.#restarts.again(() => this.#unlessStopping(start)))
    })
    return (silentMs) => {
      if (this.#isStopping) return
      log.error('thread hung', { thread: name, silentMs })
      isReplaced = true
      // Takes effect immediately in JavaScript, but inside SQLite only after the call returns.
      worker.terminate()
      // Caused by a request, so it does not count towards the restart limit. A thread that cannot start closes, which
      // the listener above handles.
      onEnd((start) => void this.#unlessStopping(start).catch(() => undefined))
    }
  }

  async #unlessStopping(start: () => Promise<void>): Promise<void> {
    if (!this.#isStopping) await start()
  }

  async #stopStore(program: StoreProgram): Promise<boolean> {
    const worker = this.#store.get(program)
    if (worker === undefined) return true
    const stopped = waitFor<StoreNotice>(worker, 'stopped')
    give(worker, { is: 'stop' })
    return this.#waitForEnd(program.name, stopped, storeStopMs)
  }

  /** Resolves with whether the thread ended within the limit. */
  async #waitForEnd(name: string, ended: Promise<void>, limitMs: number): Promise<boolean> {
    const hasEnded = await Promise.race([ended.then(isTrue, isFalse), Bun.sleep(limitMs)])
    if (hasEnded === undefined) this.#deps.log.error('thread did not stop', { thread: name, ms: limitMs })
    return hasEnded === true
  }
}

type HttpIndex = number | 'links'
const toHttpName = (index: HttpIndex) => (index === 'links' ? 'links' : `http ${index}`)

type Restart = (start: () => Promise<void>) => void

const isTrue = () => true
const isFalse = () => false

type Notice = { readonly is: string; readonly problem?: string }

/** Ten seconds by default, far longer than a thread is busy at a time; a list may take two. */
const maxSilentTicks = 10

interface Heartbeat {
  /** Calls `onSilent` once if the thread does not respond in time, with the duration. */
  watch(worker: Worker, onSilent: (ms: number) => void): void
  forget(worker: Worker): void
  end(): void
}

const maxDeathsPerMinute = 5
const firstDelayMs = 50
const maxDelayMs = 5_000

/** Restarts threads that died, with increasing delays; gives up after too many deaths in a minute (decision 28). */
export function createRestarts(onRestartLimit: () => void, now: () => number = () => performance.now()) {
  let deaths: number[] = []
  return {
    again(start: () => Promise<void>): void {
      deaths = [...deaths.filter((at) => at > now() - 60_000), now()]
      if (deaths.length >= maxDeathsPerMinute) return onRestartLimit()
      const delayMs = Math.min(firstDelayMs * 2 ** deaths.length, maxDelayMs)
      // A thread that cannot start closes, which leads here again.
      setTimeout(() => void start().catch(() => undefined), delayMs)
    },
  }
}

/** `threads` is the number of HTTP threads. */
export function createSharedBuffers(threads: number): SharedBuffers {
  return {
    counters: createCountersBuffer(),
    primary: createPrimaryBuffer(),
    metrics: createMetricsBuffer(threads),
    wrongTokens: createRateLimitBuffer(),
    writes: createRateLimitBuffer(),
    waiting: createQuotaBuffer(threads),
    forms: createQuotaBuffer(threads),
    streams: createQuotaBuffer(threads),
  }
}

/** The first query thread writes the snapshot (decision 76), and counts for all. */
function toStorePlan({ store, shared }: ThreadsDeps, thread: StoreThread | null): StorePlan {
  const isWriter = thread !== null && thread !== 'writer' && thread.query === 0
  const metrics = isWriter || thread === 'writer' ? shared.metrics : null
  return { ...store, memory: shared, metrics, snapshot: store.snapshot && { ...store.snapshot, isWriter } }
}

/** In start order; they stop in reverse. */
function toStorePrograms({ store, queryThreads }: ThreadsDeps): readonly [StoreProgram, ...StoreProgram[]] {
  const queries = Array.from({ length: queryThreads }, (_, query): StoreProgram => {
    return { name: `query ${query}`, url: queryThread, thread: { query } }
  })
  const listener: StoreProgram = { name: 'listen', url: notificationThread, thread: null }
  const others = store.engine === 'postgres' ? [...queries, listener] : queries
  return [{ name: 'writer', url: writerThread, thread: 'writer' }, ...others]
}

function tell(thread: Worker, order: HttpOrder, ports: MessagePort[] = []): void {
  thread.postMessage(order, ports)
}

function give(thread: Worker, order: StoreOrder, ports: MessagePort[] = []): void {
  thread.postMessage(order, ports)
}

/** Bun puts lines of source before the message, and a line with a caret below them. */
function withoutSource(text: string): string {
  const lines = text.split('\n')
  return lines.slice(lines.findIndex((line) => line.trim() === '^') + 1).join('\n')
}

/** Resolves at the expected notice; rejects if the thread fails or dies. */
function waitFor<N extends Notice>(worker: Worker, expected: N['is'], onOther?: (notice: N) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data: notice }: MessageEvent<N>) => {
      if (notice.is === expected) resolve()
      else if (notice.is === 'failed') reject(new Error(notice.problem))
      else onOther?.(notice)
    })
    worker.addEventListener('close', () => reject(new Error('a thread ended before it was ready')))
  })
}

/**
 * Pings each thread once a second to detect those that hang (decision 28). Silence is counted in ticks of this thread
 * and not by the clock, since a suspended machine or SIGSTOP silences all threads together.
 */
function createHeartbeat(tickMs = 1_000): Heartbeat {
  const silent = new Map<Worker, { ticks: number; readonly onSilent: (ms: number) => void }>()

  function tick(): void {
    for (const [worker, state] of silent) {
      if (state.ticks++ < maxSilentTicks) {
        worker.postMessage({ is: 'ping' })
        continue
      }
      silent.delete(worker)
      state.onSilent(maxSilentTicks * tickMs)
    }
  }

  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    watch(worker, onSilent) {
      silent.set(worker, { ticks: 0, onSilent })
      worker.addEventListener('message', ({ data }: MessageEvent<{ readonly is: string }>) => {
        const state = silent.get(worker)
        if (data.is === 'pong' && state !== undefined) state.ticks = 0
      })
    },
    forget: (worker) => void silent.delete(worker),
    end: () => clearInterval(timer),
  }
}
