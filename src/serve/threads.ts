import type { Logger } from '../http/logger.ts'
import { createCounters } from '../store/counters.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import { createNotifications } from '../store/postgres/notifications.ts'
import { httpThread, storeThreads } from '../thread-programs.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { ListLimits, StoreNotice, StoreOrder } from './port/messages.ts'
import { createRestarts } from './restarts.ts'
import type { HttpNotice, HttpOrder, HttpPlan, SharedBuffers, StoreThreadName } from './thread-messages.ts'

/** An HTTP thread lets requests finish for 7 s at most; supervisors commonly kill after ten seconds in all. */
const httpStopMs = 9_000
/** The writer commits what it has been given, which takes long only where a disk does not answer. */
const storeStopMs = 5_000

export interface ThreadsNeeds {
  readonly dbPath: string
  readonly httpThreads: number
  readonly limits: ListLimits
  readonly shared: SharedBuffers
  toPlan(thread: number): HttpPlan
  createWorker(url: URL): Worker
  readonly log: Logger
  /** How often threads are asked whether they still answer. */
  readonly pulseMs?: number
  /** Threads die faster than it makes sense to restart them. */
  onHopeless(): void
}

export interface Threads {
  /** Resolves when every HTTP thread listens: reads are answered, all else waits for the store; rejects when one cannot. */
  readonly listening: Promise<void>
  /** Resolves when every thread serves; rejects when one cannot. */
  readonly ready: Promise<void>
  /** Lets requests finish, then the store; waits for no thread for ever. Resolves with whether all ended as asked. */
  stop(): Promise<boolean>
}

/**
 * Starts the store's threads and the HTTP threads, ties them together, and puts a new one in the place of each that dies,
 * or that reads and does not answer any more (ADR 28).
 */
export function startThreads(needs: ThreadsNeeds): Threads {
  const { log, shared } = needs
  const restarts = createRestarts(needs.onHopeless)
  const pulse = createHeartbeat(needs.pulseMs)
  const http = new Map<number, Worker>()
  const programs = storeThreads[isPostgresAddress(needs.dbPath) ? 'postgres' : 'sqlite']
  const store = new Map<string, Worker>()
  let isStopping = false

  /** HTTP threads hear of it when it is ready, and not before `after`. */
  function startStore(name: string, url: URL, after?: Promise<void>): Promise<void> {
    const worker = needs.createWorker(url)
    store.set(name, worker)
    const askers = isAsked(name) ? [...http.values()] : []
    const channels = askers.map((thread) => ({ thread, channel: new MessageChannel() }))
    const ports = channels.map(({ channel }) => channel.port1)
    const { versions, primary } = shared
    give(worker, { is: 'start', path: needs.dbPath, versions, primary, limits: needs.limits, ports }, ports)
    const isHung = watch(worker, name, (restart) => {
      store.delete(name)
      if (isAsked(name)) for (const thread of http.values()) tell(thread, { is: 'store-gone', name })
      else createNotifications(createCounters(shared.versions)).lose()
      restart(() => startStore(name, url))
    })
    const ready = waitFor<StoreNotice>(worker, 'ready', (notice) => {
      if (notice.is === 'error') log.error('store error', { thread: name, error: notice.text })
    })
    return Promise.all([ready, after]).then(() => {
      if (!isAsked(name)) return
      // The writer is never ended: it may be in the middle of a transaction, and has nobody to take its place before.
      if (name === 'query') pulse.watch(worker, isHung)
      for (const { thread, channel } of channels)
        tell(thread, { is: 'store', name, port: channel.port2 }, [channel.port2])
    })
  }

  function startHttp(index: number): Promise<void> {
    const worker = needs.createWorker(httpThread)
    http.set(index, worker)
    for (const [name, thread] of store) {
      if (!isAsked(name)) continue
      const { port1, port2 } = new MessageChannel()
      give(thread, { is: 'connect', port: port1 }, [port1])
      tell(worker, { is: 'store', name, port: port2 }, [port2])
    }
    tell(worker, { is: 'start', plan: needs.toPlan(index) })
    const isHung = watch(worker, `http ${index}`, (restart) => {
      http.delete(index)
      restart(() => startHttp(index))
    })
    return waitFor<HttpNotice>(worker, 'ready').then(() => pulse.watch(worker, isHung))
  }

  /** Gives what is to be called when the thread hangs. */
  function watch(worker: Worker, name: string, onEnd: (restart: Restart) => void): (silentMs: number) => void {
    let isReplaced = false
    worker.addEventListener('error', (event) => log.error('thread error', { thread: name, error: event.message }))
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
      // Ends at once within our own code, and within SQLite when that returns.
      worker.terminate()
      // Whatever made it hang comes from a caller, so it is no reason to give up.
      onEnd(replace)
    }
  }

  async function stop(): Promise<boolean> {
    isStopping = true
    pulse.end()
    const stopped = [...http].map(([index, thread]) => {
      const ended = waitFor<HttpNotice>(thread, 'stopped')
      tell(thread, { is: 'stop' })
      return hasEnded(`http ${index}`, ended, httpStopMs)
    })
    const ends = await Promise.all(stopped)
    // The writer last: whoever closes the file last puts its log away.
    for (const name of Object.keys(programs).reverse()) ends.push(await stopStore(name))
    return ends.every((isEnded) => isEnded)
  }

  async function stopStore(name: string): Promise<boolean> {
    const worker = store.get(name)
    if (worker === undefined) return true
    const stopped = waitFor<StoreNotice>(worker, 'stopped')
    give(worker, { is: 'stop' })
    return hasEnded(name, stopped, storeStopMs)
  }

  async function hasEnded(name: string, ended: Promise<void>, limitMs: number): Promise<boolean> {
    const isEnded = await Promise.race([ended.then(isTrue, isFalse), Bun.sleep(limitMs)])
    if (isEnded === undefined) log.error('thread did not stop', { thread: name, ms: limitMs })
    return isEnded === true
  }

  /** Not while stopping: nothing may listen again. */
  const unlessStopping = (start: () => Promise<void>) => async () => {
    if (!isStopping) await start()
  }
  const restart: Restart = (start) => restarts.again(unlessStopping(start))
  // One that cannot start closes, which is told above.
  const replace: Restart = (start) => void unlessStopping(start)().catch(() => undefined)

  async function startStores(): Promise<void> {
    if (isStopping) return
    const { writer: writerUrl, ...others } = programs
    const writer = startStore('writer', writerUrl)
    // Whoever asks for changes is told of those that the writer has published.
    await Promise.all([writer, ...Object.entries(others).map(([name, url]) => startStore(name, url, writer))])
  }

  async function startOthers(): Promise<void> {
    if (isStopping) return
    await Promise.all(Array.from({ length: needs.httpThreads - 1 }, (_, i) => startHttp(i + 1)))
  }

  // Alone at first: threads that begin together keep one another from the cores, and the first answer waits for them.
  const first = startHttp(0)
  const listening = first.then(startOthers)
  const ready = Promise.all([listening, first.then(startStores)]).then(() => undefined)
  // Whoever waits for the first must not trip over the second.
  ready.catch(() => undefined)
  return { listening, ready, stop }
}

type Restart = (start: () => Promise<void>) => void

const isTrue = () => true
const isFalse = () => false

const isAsked = (name: string): name is StoreThreadName => name === 'writer' || name === 'query'

function tell(thread: Worker, order: HttpOrder, ports: MessagePort[] = []): void {
  thread.postMessage(order, ports)
}

function give(thread: Worker, order: StoreOrder, ports: MessagePort[] = []): void {
  thread.postMessage(order, ports)
}

type Notice = { readonly is: string; readonly problem?: string }

/** Resolves at the wanted notice, rejects when the thread says that it failed or dies. */
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
