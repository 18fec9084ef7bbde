import type { Logger } from '../http/logger.ts'
import { createCounters } from '../store/counters.ts'
import { createNotifications } from '../store/postgres/notifications.ts'
import type { SnapshotPlace } from '../store/search/snapshot-file.ts'
import { httpThread, notificationThread, queryThread, writerThread } from '../thread-programs.ts'
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
import { createStoreLog } from './store-log.ts'
import { createHeartbeat, createRestarts } from './supervision.ts'

/** An HTTP thread lets requests finish for 7 s at most; supervisors commonly kill after ten seconds in all. */
const httpStopMs = 9_000
/** The writer commits what it has received, which takes long only if the disk does not answer. */
const storeStopMs = 5_000

export interface ThreadsDeps {
  readonly httpThreads: number
  readonly queryThreads: number
  readonly store: Omit<StorePlan, 'memory' | 'snapshot'> & { readonly snapshot: SnapshotPlace | null }
  readonly shared: SharedBuffers
  toPlan(thread: number): HttpPlan
  /** For tests that count or hang threads. */
  createWorker?(url: URL): Worker
  readonly log: Logger
  /** How often threads are pinged. */
  readonly pulseMs?: number
  /** Called when threads die too often to restart them again. */
  onHopeless(): void
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
  const { log, shared } = deps
  const counters = createCounters(shared.counters)
  const storeLog = createStoreLog(log)
  const restarts = createRestarts(deps.onHopeless)
  const pulse = createHeartbeat(deps.pulseMs)
  const http = new Map<number, Worker>()
  const createWorker = deps.createWorker ?? ((url) => new Worker(url))
  const programs = toStorePrograms(deps)
  const store = new Map<StoreProgram, Worker>()
  let isStopping = false

  /** HTTP threads get their ports when the thread is ready and `after` has resolved. */
  function startStore(program: StoreProgram, after?: Promise<void>): Promise<void> {
    const { name, thread } = program
    const worker = createWorker(program.url)
    store.set(program, worker)
    const channels = (thread === null ? [] : [...http.values()]).map((each) => ({
      http: each,
      channel: new MessageChannel(),
    }))
    const ports = channels.map(({ channel }) => channel.port1)
    give(worker, { is: 'start', plan: toStorePlan(deps, thread), ports }, ports)
    const onHang = watch(worker, name, (restart) => {
      store.delete(program)
      if (thread === null) createNotifications(counters).lose()
      else for (const each of http.values()) tell(each, { is: 'store-gone', from: thread })
      restart(() => startStore(program))
    })
    const ready = waitFor<StoreNotice>(worker, 'ready', (notice) => {
      if (notice.is === 'error') log.error('store error', { thread: name, error: notice.text })
      else if (notice.is === 'store failed') storeLog.fail(name, notice.text)
      else if (notice.is === 'log') storeLog.add(notice.event, notice.fields)
      else if (notice.is === 'newer schema' && counters.setNewerSchema())
        log.error('newer schema', { why: notice.text })
    })
    return Promise.all([ready, after]).then(() => {
      if (thread === null) return
      // The writer is never terminated: it may be in a transaction, and a second writer must not run at the same time.
      if (thread !== 'writer') pulse.watch(worker, onHang)
      for (const { http, channel } of channels)
        tell(http, { is: 'store', from: thread, port: channel.port2 }, [channel.port2])
    })
  }

  function startHttp(index: number): Promise<void> {
    const worker = createWorker(httpThread)
    http.set(index, worker)
    tell(worker, { is: 'start', plan: deps.toPlan(index) })
    for (const [{ thread }, storeWorker] of store) {
      if (thread === null) continue
      const { port1, port2 } = new MessageChannel()
      give(storeWorker, { is: 'connect', port: port1 }, [port1])
      tell(worker, { is: 'store', from: thread, port: port2 }, [port2])
    }
    const onHang = watch(worker, `http ${index}`, (restart) => {
      http.delete(index)
      restart(() => startHttp(index))
    })
    const ready = waitFor<HttpNotice>(worker, 'ready', (notice) => {
      if (notice.is === 'store failed') storeLog.fail(`http ${index}`, notice.text)
    })
    return ready.then(() => pulse.watch(worker, onHang))
  }

  /** Returns the function to call if the thread hangs. */
  function watch(worker: Worker, name: string, onEnd: (restart: Restart) => void): (silentMs: number) => void {
    let isReplaced = false
    worker.addEventListener('error', ({ message }) =>
      log.error('thread error', { thread: name, error: withoutSource(message) }),
    )
    worker.addEventListener('close', () => {
      pulse.forget(worker)
      if (isReplaced) log.info('hung thread ended', { thread: name })
      if (isStopping || isReplaced) return
      log.error('thread died', { thread: name })
      onEnd(restart)
    })
    return (silentMs) => {
      if (isStopping) return
      log.error('thread hung', { thread: name, silentMs })
      isReplaced = true
      // Takes effect at once in JavaScript, but only after a call of SQLite returns.
      worker.terminate()
      // Caused by a request, so it does not count towards the restart limit.
      onEnd(replace)
    }
  }

  async function stop(): Promise<boolean> {
    isStopping = true
    counters.setShutdown()
    pulse.end()
    const stopped = [...http].map(([index, thread]) => {
      const ended = waitFor<HttpNotice>(thread, 'stopped')
      tell(thread, { is: 'stop' })
      return hasEnded(`http ${index}`, ended, httpStopMs)
    })
    const ends = await Promise.all(stopped)
    // The writer stops last: the last connection to close removes the write-ahead log.
    for (const program of programs.toReversed()) ends.push(await stopStore(program))
    return ends.every((isEnded) => isEnded)
  }

  async function stopStore(program: StoreProgram): Promise<boolean> {
    const worker = store.get(program)
    if (worker === undefined) return true
    const stopped = waitFor<StoreNotice>(worker, 'stopped')
    give(worker, { is: 'stop' })
    return hasEnded(program.name, stopped, storeStopMs)
  }

  async function hasEnded(name: string, ended: Promise<void>, limitMs: number): Promise<boolean> {
    const isEnded = await Promise.race([ended.then(isTrue, isFalse), Bun.sleep(limitMs)])
    if (isEnded === undefined) log.error('thread did not stop', { thread: name, ms: limitMs })
    return isEnded === true
  }

  /** Starts nothing during shutdown. */
  const unlessStopping = (start: () => Promise<void>) => async () => {
    if (!isStopping) await start()
  }
  const restart: Restart = (start) => restarts.again(unlessStopping(start))
  // A thread that cannot start closes, which `watch` handles.
  const replace: Restart = (start) => void unlessStopping(start)().catch(() => undefined)

  async function startStores(): Promise<void> {
    if (isStopping) return
    const [writerProgram, ...others] = programs
    const writer = startStore(writerProgram)
    // Reads of the change log need the sequence number that the writer publishes when it starts.
    await Promise.all([writer, ...others.map((program) => startStore(program, writer))])
  }

  async function startOthers(): Promise<void> {
    if (isStopping) return
    await Promise.all(Array.from({ length: deps.httpThreads - 1 }, (_, i) => startHttp(i + 1)))
  }

  // One HTTP thread first: threads that start together compete for cores, which delays the first response.
  const first = startHttp(0)
  const listening = first.then(startOthers)
  const ready = Promise.all([listening, first.then(startStores)]).then(() => undefined)
  // A caller may wait for `listening` alone.
  ready.catch(() => undefined)
  return { listening, ready, stop }
}

type Restart = (start: () => Promise<void>) => void

const isTrue = () => true
const isFalse = () => false

/** The first query thread writes the snapshot (decision 76). */
function toStorePlan({ store, shared }: ThreadsDeps, thread: StoreThread | null): StorePlan {
  const isWriter = thread !== null && thread !== 'writer' && thread.query === 0
  return { ...store, memory: shared, snapshot: store.snapshot && { ...store.snapshot, isWriter } }
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

type Notice = { readonly is: string; readonly problem?: string }

/** Resolves at the wanted notice; rejects if the thread fails or dies. */
function waitFor<N extends Notice>(worker: Worker, wanted: N['is'], onOther?: (notice: N) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data: notice }: MessageEvent<N>) => {
      if (notice.is === wanted) resolve()
      else if (notice.is === 'failed') reject(new Error(notice.problem))
      else onOther?.(notice)
    })
    worker.addEventListener('close', () => reject(new Error('a thread ended while it was waited for')))
  })
}
