import { isStoreFailure, toFailureText } from '../../error-code.ts'
import type { LogFields } from '../../http/logger.ts'
import { NewerSchema } from '../../store/schema/migrations.ts'
import type { Failure } from '../../store/store.ts'
import type {
  PortReply,
  PortRequest,
  ReplyMessage,
  StoreEvent,
  StoreNotice,
  StoreOrder,
  StorePlan,
} from './messages.ts'

/** Requests that wait longer fail. */
const defaultDeadlineMs = 20_000
const checkMs = 250

/** How long a caller waits for a reply. */
export interface RequestOptions {
  /** Counted from when the request was sent, so the start of a thread does not count. */
  readonly limitMs?: number
  /** Withdraws the request. */
  readonly signal?: AbortSignal | undefined
}

/** An HTTP thread's end of the channel to a thread of the store. */
export interface ThreadPort<Ask, Answer> {
  attach(port: MessagePort): void
  /** The other thread died: sent requests are lost, the others wait for the next thread. */
  detach(): void
  ask(ask: Ask, options?: RequestOptions): Promise<Answer>
  /** Without a reply; lost while no thread is attached. */
  tell(ask: Ask): void
  isAttached(): boolean
  pendingCount(): number
}

/** Sent and never answered, never sent, or not answered within its limit. */
type Lost = Extract<Failure, 'unknown' | 'down' | 'late'>

interface Pending<Ask, Answer> {
  readonly ask: Ask
  readonly since: number
  readonly limitMs: number
  readonly resolve: (answer: Answer) => void
  sentMs: number | null
}

export function createThreadPort<Ask, Answer>(
  toLost: (failure: Lost) => Answer,
  loadSteps: () => number = () => 0,
  deadlineMs = defaultDeadlineMs,
): ThreadPort<Ask, Answer> {
  return new RequestPort(toLost, loadSteps, deadlineMs)
}

/**
 * `toLost` creates the answer to a request that got no reply. While `loadSteps` advances, the thread is working on a
 * long request of another client, so no request counts as lost.
 */
class RequestPort<Ask, Answer> implements ThreadPort<Ask, Answer> {
  readonly #toLost: (failure: Lost) => Answer
  readonly #loadSteps: () => number
  readonly #deadlineMs: number
  readonly #pending = new Map<number, Pending<Ask, Answer>>()
  #outbox: PortRequest<Ask>[] = []
  #port: MessagePort | null = null
  #lastNumber = 0
  #lastStep: { readonly steps: number; readonly ms: number }

  constructor(toLost: (failure: Lost) => Answer, loadSteps: () => number, deadlineMs: number) {
    this.#toLost = toLost
    this.#loadSteps = loadSteps
    this.#deadlineMs = deadlineMs
    this.#lastStep = { steps: loadSteps(), ms: Number.NEGATIVE_INFINITY }
    setInterval(() => this.#giveUpLate(), checkMs).unref()
  }

  attach(port: MessagePort): void {
    this.#port = port
    port.onmessage = ({ data: message }: { data: ReplyMessage<Answer> }) => {
      // A flat reply is the answer with one additional member.
      if (!isList(message)) return this.#settle(message.number, message)
      for (const { number, answer } of message) this.#settle(number, answer)
    }
    this.#outbox = [...this.#pending].map(([number, { ask }]) => ({ number, ask }))
    this.#send()
  }

  detach(): void {
    this.#port = null
    this.#outbox = []
    for (const [number, { sentMs }] of this.#pending) {
      if (sentMs !== null) this.#settle(number, this.#toLost('unknown'))
    }
  }

  ask(ask: Ask, { limitMs = Number.POSITIVE_INFINITY, signal }: RequestOptions = {}): Promise<Answer> {
    const number = ++this.#lastNumber
    const answer = new Promise<Answer>((resolve) => {
      this.#pending.set(number, { ask, since: performance.now(), limitMs, resolve, sentMs: null })
    })
    // The client is gone, but the handler still waits for a reply.
    signal?.addEventListener('abort', () => this.#giveUp(number, 'late'), { once: true })
    if (signal?.aborted) this.#giveUp(number, 'late')
    else this.#queue({ number, ask })
    return answer
  }

  tell(ask: Ask): void {
    this.#queue({ number: null, ask })
  }

  isAttached(): boolean {
    return this.#port !== null
  }

  pendingCount(): number {
    return this.#pending.size
  }

  #settle(number: number, answer: Answer): void {
    const request = this.#pending.get(number)
    this.#pending.delete(number)
    request?.resolve(answer)
  }

  /** Withdraws the request; the other thread skips it unless it has already begun. */
  #giveUp(number: number, failure: Lost): void {
    if (!this.#pending.has(number)) return
    this.#settle(number, this.#toLost(failure))
    this.#queue({ number, ask: null })
  }

  /** Sends one message per tick with all requests of that tick. */
  #queue(request: PortRequest<Ask>): void {
    if (this.#port === null) return
    if (this.#outbox.push(request) === 1) setImmediate(() => this.#send())
  }

  #send(): void {
    if (this.#port === null || this.#outbox.length === 0) return
    const now = performance.now()
    for (const { number } of this.#outbox) {
      const request = number === null ? undefined : this.#pending.get(number)
      if (request !== undefined) request.sentMs ??= now
    }
    this.#port.postMessage(this.#outbox)
    this.#outbox = []
  }

  #giveUpLate(): void {
    const now = performance.now()
    const steps = this.#loadSteps()
    if (steps !== this.#lastStep.steps) this.#lastStep = { steps, ms: now }
    for (const [number, { since, sentMs, limitMs }] of this.#pending) {
      if (sentMs !== null && now > sentMs + limitMs) this.#giveUp(number, 'late')
      else if (now > Math.max(since, this.#lastStep.ms) + this.#deadlineMs) {
        this.#giveUp(number, sentMs === null ? 'down' : 'unknown')
      }
    }
  }
}

const isList = <Answer>(message: ReplyMessage<Answer>): message is readonly PortReply<Answer>[] =>
  Array.isArray(message)

declare const self: Worker

/** What a thread of the store does with requests. */
export interface Service<Ask, Answer> {
  /** `isWanted` returns whether the request was not withdrawn. */
  answer(ask: Ask, reply: (answer: Answer) => void, report: (error: unknown) => void, isWanted: () => boolean): void
  /** Finishes pending requests, then closes the database. */
  stop(): Promise<void>
}

type Start<Ask, Answer> = (
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

/** An array or a map would lose its contents. */
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
