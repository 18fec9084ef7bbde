import type { Reply, StoreNotice, StoreOrder } from './messages.ts'
import { type Packing, packReplies, unpackRequests } from './packets.ts'

declare const self: Worker

/** What a thread of the store does with what it is asked. */
export interface Service<Ask, Answer> {
  answer(ask: Ask, reply: (answer: Answer) => void, report: (error: unknown) => void): void
  /** Finishes what has been asked, then lets go of the database. */
  stop(): Promise<void>
}

export type Start<Ask, Answer> = (
  order: Extract<StoreOrder, { is: 'start' }>,
  report: (error: unknown) => void,
  sendReplies: () => void,
) => Service<Ask, Answer>

/** Runs a service in this worker: takes orders from main, asks from HTTP threads, and sends answers back in bunches. */
export function serveAsks<Ask, Answer>(packing: Packing<Answer>, start: Start<Ask, Answer>): void {
  const replies = new Map<MessagePort, Reply<Answer>[]>()
  let service: Service<Ask, Answer> | undefined

  function sendReplies(): void {
    for (const [port, list] of replies) port.postMessage(packReplies(list, packing))
    replies.clear()
  }

  function add(port: MessagePort, reply: Reply<Answer>): void {
    const list = replies.get(port)
    if (list === undefined) replies.set(port, [reply])
    else list.push(reply)
  }

  function connect(port: MessagePort): void {
    port.onmessage = ({ data: packet }: { data: string }) => {
      for (const { number, ask } of unpackRequests<Ask>(packet)) {
        service?.answer(ask, (answer) => number !== null && add(port, { number, answer }), report)
      }
      sendReplies()
    }
  }

  self.onmessage = async ({ data: order }: MessageEvent<StoreOrder>) => {
    if (order.is === 'connect') return connect(order.port)
    if (order.is === 'start') {
      service = start(order, report, sendReplies)
      order.ports.forEach(connect)
      return notify({ is: 'ready' })
    }
    await service?.stop()
    notify({ is: 'stopped' })
  }
}

function report(error: unknown): void {
  notify({ is: 'error', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

function notify(notice: StoreNotice): void {
  self.postMessage(notice)
}
