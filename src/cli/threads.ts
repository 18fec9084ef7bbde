import type { Log } from '../http/log.ts'
import type { WriterNotice, WriterOrder } from '../store/sqlite/writer-messages.ts'
import { createRestarts } from './restarts.ts'
import type { HttpNotice, HttpOrder, HttpPlan, SharedBuffers } from './thread-messages.ts'

export interface ThreadsNeeds {
  readonly dbPath: string
  readonly httpThreads: number
  readonly shared: SharedBuffers
  toPlan(thread: number): HttpPlan
  readonly log: Log
  /** Threads die faster than it makes sense to restart them. */
  onHopeless(): void
}

export interface Threads {
  /** Resolves when every thread serves; rejects when one cannot. */
  readonly ready: Promise<void>
  /** Lets requests finish, then the writer; resolves when both have. */
  stop(): Promise<void>
}

/** Starts the writer and the HTTP threads, ties them together, and puts a new one in the place of each that dies. */
export function startThreads(needs: ThreadsNeeds): Threads {
  const { log, shared } = needs
  const restarts = createRestarts(needs.onHopeless)
  const http = new Map<number, Worker>()
  let writer: Worker | null = null
  let isStopping = false

  function startWriter(): Promise<void> {
    const worker = new Worker(new URL('../store/sqlite/writer-thread.ts', import.meta.url))
    writer = worker
    const channels = [...http.values()].map((thread) => ({ thread, channel: new MessageChannel() }))
    const ports = channels.map(({ channel }) => channel.port1)
    const order: WriterOrder = { is: 'start', path: needs.dbPath, versions: shared.versions, ports }
    worker.postMessage(order, ports)
    watch(worker, 'writer', () => {
      writer = null
      for (const thread of http.values()) tell(thread, { is: 'writer-gone' })
      restarts.again(() => startWriter())
    })
    return waitFor<WriterNotice>(worker, 'ready', (notice) => {
      if (notice.is === 'error') log.error('store error', { error: notice.text })
    }).then(() => {
      for (const { thread, channel } of channels) tell(thread, { is: 'writer', port: channel.port2 }, [channel.port2])
    })
  }

  function startHttp(index: number): Promise<void> {
    const worker = new Worker(new URL('./http-thread.ts', import.meta.url))
    http.set(index, worker)
    const { port1, port2 } = new MessageChannel()
    tell(worker, { is: 'start', plan: needs.toPlan(index), writer: port2 }, [port2])
    writer?.postMessage({ is: 'connect', port: port1 } satisfies WriterOrder, [port1])
    watch(worker, `http ${index}`, () => {
      http.delete(index)
      restarts.again(() => startHttp(index))
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

  async function stop(): Promise<void> {
    isStopping = true
    const stopped = [...http.values()].map((thread) => waitFor<HttpNotice>(thread, 'stopped'))
    for (const thread of http.values()) tell(thread, { is: 'stop' })
    await Promise.all(stopped)
    if (writer === null) return
    const closed = waitFor<WriterNotice>(writer, 'stopped')
    writer.postMessage({ is: 'stop' } satisfies WriterOrder)
    await closed
  }

  const writerReady = startWriter()
  const indexes = Array.from({ length: needs.httpThreads }, (_, index) => index)
  const ready = Promise.all([writerReady, ...indexes.map(startHttp)]).then(() => undefined)
  return { ready, stop }
}

function tell(thread: Worker, order: HttpOrder, ports: MessagePort[] = []): void {
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
