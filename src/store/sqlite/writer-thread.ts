import { createVersions } from '../versions.ts'
import { openForWriting } from './connection.ts'
import { createWriter, type Writer } from './writer.ts'
import type { WriterNotice, WriterOrder, WriterReply, WriterRequest } from './writer-messages.ts'
import { createWriterQueue, type WriterQueue } from './writer-queue.ts'

declare const self: Worker

/** Half of what is promised: changes of other processes are seen within 200 ms. */
const pollMs = 80
/** Short, because the thread stands still meanwhile; the queue tries again. */
const busyTimeoutMs = 20

let running: { readonly writer: Writer; readonly queue: WriterQueue; readonly poll: Timer } | undefined
/** Answers of the group under way, by the port they go to. */
const replies = new Map<MessagePort, WriterReply[]>()

self.onmessage = ({ data: order }: MessageEvent<WriterOrder>) => {
  if (order.is === 'start') start(order)
  else if (order.is === 'connect') connect(order.port)
  else void stop()
}

function start({ path, versions: buffer, ports }: Extract<WriterOrder, { is: 'start' }>): void {
  const versions = createVersions(buffer)
  const writer = createWriter({ db: openForWriting(path, busyTimeoutMs), now: Date.now, onError: report })
  const queue = createWriterQueue(writer, versions, Date.now)
  queue.onGroup = sendReplies
  // A writer before this one may have died between its commit and its bump.
  versions.bumpAll()
  const poll = setInterval(() => {
    if (writer.hasForeignChange()) versions.bumpAll()
  }, pollMs)
  running = { writer, queue, poll }
  ports.forEach(connect)
  notify({ is: 'ready' })
}

function connect(port: MessagePort): void {
  port.onmessage = ({ data: requests }: { data: readonly WriterRequest[] }) => {
    for (const request of requests) take(port, request)
  }
}

function take(port: MessagePort, request: WriterRequest): void {
  if (running === undefined) return
  if ('usedToken' in request) return running.queue.useToken(request.usedToken)
  const { number, command } = request
  running.queue.push(command, (outcome) => {
    const list = replies.get(port)
    if (list === undefined) replies.set(port, [{ number, outcome }])
    else list.push({ number, outcome })
  })
}

function sendReplies(): void {
  for (const [port, list] of replies) port.postMessage(list)
  replies.clear()
}

async function stop(): Promise<void> {
  if (running === undefined) return
  const { writer, queue, poll } = running
  await queue.drain()
  clearInterval(poll)
  writer.close()
  notify({ is: 'stopped' })
}

function report(error: unknown): void {
  notify({ is: 'error', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

function notify(notice: WriterNotice): void {
  self.postMessage(notice)
}
