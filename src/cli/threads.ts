import type { Log } from '../http/log.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import { createHearing } from '../store/postgres/hearing.ts'
import type { StoreNotice, StoreOrder } from '../store/thread/messages.ts'
import { createVersions } from '../store/versions.ts'
import { httpThread, storeThreads } from '../thread-programs.ts'
import { createRestarts } from './restarts.ts'
import type { HttpNotice, HttpOrder, HttpPlan, SharedBuffers, StoreThreadName } from './thread-messages.ts'

export interface ThreadsNeeds {
  readonly dbPath: string
  readonly httpThreads: number
  readonly shared: SharedBuffers
  toPlan(thread: number): HttpPlan
  createWorker(url: URL): Worker
  readonly log: Log
  /** Threads die faster than it makes sense to restart them. */
  onHopeless(): void
}

export interface Threads {
  /** Resolves when every HTTP thread listens: reads are answered, all else waits for the store; rejects when one cannot. */
  readonly listening: Promise<void>
  /** Resolves when every thread serves; rejects when one cannot. */
  readonly ready: Promise<void>
  /** Lets requests finish, then the store. Resolves with whether all threads ended as asked. */
  stop(): Promise<boolean>
}

/** Starts the store's threads and the HTTP threads, ties them together, and puts a new one in the place of each that dies. */
export function startThreads(needs: ThreadsNeeds): Threads {
  const { log, shared } = needs
  const restarts = createRestarts(needs.onHopeless)
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
    give(worker, { is: 'start', path: needs.dbPath, versions, primary, ports }, ports)
    watch(worker, name, () => {
      store.delete(name)
      if (isAsked(name)) for (const thread of http.values()) tell(thread, { is: 'store-gone', name })
      else createHearing(createVersions(shared.versions)).lose()
      restart(() => startStore(name, url))
    })
    const ready = waitFor<StoreNotice>(worker, 'ready', (notice) => {
      if (notice.is === 'error') log.error('store error', { thread: name, error: notice.text })
    })
    return Promise.all([ready, after]).then(() => {
      if (!isAsked(name)) return
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
    watch(worker, `http ${index}`, () => {
      http.delete(index)
      restart(() => startHttp(index))
    })
    return waitFor<HttpNotice>(worker, 'ready')
  }

  function watch(worker: Worker, name: string, onDeath: () => void): void {
    worker.addEventListener('error', (event) => log.error('thread error', { thread: name, error: event.message }))
    worker.addEventListener('close', () => {
      if (isStopping) return
      log.error('thread died, starting another', { thread: name })
      onDeath()
    })
  }

  async function stop(): Promise<boolean> {
    isStopping = true
    const stopped = [...http.values()].map((thread) => waitFor<HttpNotice>(thread, 'stopped'))
    for (const thread of http.values()) tell(thread, { is: 'stop' })
    const ends = await Promise.allSettled(stopped)
    // The writer last: whoever closes the file last puts its log away.
    for (const name of Object.keys(programs).reverse()) {
      ends.push(...(await Promise.allSettled([stopStore(name)])))
    }
    return ends.every((end) => end.status === 'fulfilled')
  }

  async function stopStore(name: string): Promise<void> {
    const worker = store.get(name)
    if (worker === undefined) return
    const stopped = waitFor<StoreNotice>(worker, 'stopped')
    give(worker, { is: 'stop' })
    await stopped
  }

  /** Not while stopping: nothing may listen again. */
  function restart(start: () => Promise<void>): void {
    restarts.again(async () => {
      if (!isStopping) await start()
    })
  }

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
