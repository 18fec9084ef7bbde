import { isStoreFailure, toFailureText } from '../../error-code.ts'
import type { LogFields } from '../../http/logger.ts'
import { NewerSchema } from '../../store/schema/migrations.ts'
import type {
  PortReply,
  PortRequest,
  ReplyMessage,
  StoreEvent,
  StoreNotice,
  StoreOrder,
  StorePlan,
} from './messages.ts'

declare const self: Worker

/** What a thread of the store does with requests. */
export interface Service<Ask, Answer> {
  /** `isWanted` returns whether the request was not withdrawn. */
  answer(ask: Ask, reply: (answer: Answer) => void, report: (error: unknown) => void, isWanted: () => boolean): void
  /** Finishes pending requests, then closes the database. */
  stop(): Promise<void>
}

export type Start<Ask, Answer> = (
  plan: StorePlan,
  report: (error: unknown) => void,
  sendReplies: () => void,
  logEvent: (event: StoreEvent, fields: LogFields) => void,
) => Promise<Service<Ask, Answer>>

/**
 * Runs a service in this worker: takes orders from main and requests from HTTP threads, and sends replies in batches.
 */
export function serveRequests<Ask, Answer>(start: Start<Ask, Answer>): void {
  const replies = new Map<MessagePort, PortReply<Answer>[]>()
  const { promise: started, resolve: setStarted } = Promise.withResolvers<Service<Ask, Answer>>()

  function sendReplies(): void {
    for (const [port, list] of replies) port.postMessage(toMessage(list))
    replies.clear()
  }

  function add(port: MessagePort, reply: PortReply<Answer>): void {
    const list = replies.get(port)
    if (list === undefined) replies.set(port, [reply])
    else list.push(reply)
  }

  function connect(port: MessagePort, service: Service<Ask, Answer>): void {
    /** Requests of this port that are not answered yet. */
    const open = new Set<number>()
    const answer = (number: number, ask: Ask) => {
      open.add(number)
      const reply = (answer: Answer) => void (open.delete(number) && add(port, { number, answer }))
      service.answer(ask, reply, report, () => open.has(number))
    }
    port.onmessage = ({ data: requests }: { data: readonly PortRequest<Ask>[] }) => {
      for (const { number, ask } of requests) {
        if (number === null) service.answer(ask, ignore, report, isTrue)
        else if (ask === null) open.delete(number)
        else answer(number, ask)
      }
      sendReplies()
    }
  }

  self.onmessage = async ({ data: order }: MessageEvent<StoreOrder>) => {
    switch (order.is) {
      case 'start': {
        const service = await start(order.plan, report, sendReplies, logEvent)
        for (const port of order.ports) connect(port, service)
        setStarted(service)
        return notify({ is: 'ready' })
      }
      case 'connect':
        // The port queues messages until `onmessage` is set.
        return connect(order.port, await started)
      case 'ping':
        return notify({ is: 'pong' })
      case 'stop':
        await (await started).stop()
        notify({ is: 'stopped' })
    }
  }
}

function toMessage<Answer>(replies: readonly PortReply<Answer>[]): ReplyMessage<Answer> {
  const [reply] = replies
  if (reply === undefined || replies.length > 1 || !isFlat(reply.answer)) return replies
  return { ...reply.answer, number: reply.number }
}

/** A list or a map would lose what it has. */
function isFlat(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  if (Object.getPrototypeOf(answer) !== Object.prototype) return false
  return Object.values(answer).every((value) => typeof value !== 'object' || value === null)
}

const ignore = () => undefined
const isTrue = () => true

function report(error: unknown): void {
  if (error instanceof NewerSchema) return notify({ is: 'newer schema', text: error.message })
  if (isStoreFailure(error)) return notify({ is: 'store failed', text: toFailureText(error) })
  notify({ is: 'error', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

function logEvent(event: StoreEvent, fields: LogFields): void {
  notify({ is: 'log', event, fields })
}

function notify(notice: StoreNotice): void {
  self.postMessage(notice)
}
