import type { Failure } from '../../store/store.ts'
import type { PortReply, PortRequest } from './messages.ts'

/** What waited longer is answered, since a hanging request is never reaped. */
const deadlineMs = 20_000
const lookMs = 250

/** How long somebody waits for an answer. */
export interface RequestOptions {
  /** Counted from when it was sent: a thread that is starting is waited for. */
  readonly limitMs?: number
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal | undefined
}

/** An HTTP thread's end of the line to a thread of the store. */
export interface ThreadPort<Ask, Answer> {
  attach(port: MessagePort): void
  /** The other thread died: what was sent is lost, the rest waits for the next one. */
  detach(): void
  ask(ask: Ask, patience?: RequestOptions): Promise<Answer>
  /** Without an answer; lost where there is nobody to hear it. */
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

/** `toLost` makes the answer for what gets none from the other thread. */
export function createThreadPort<Ask, Answer>(toLost: (failure: Lost) => Answer): ThreadPort<Ask, Answer> {
  const pending = new Map<number, Pending<Ask, Answer>>()
  let outbox: PortRequest<Ask>[] = []
  let port: MessagePort | null = null
  let lastNumber = 0

  function attach(next: MessagePort): void {
    port = next
    port.onmessage = ({ data: replies }: { data: readonly PortReply<Answer>[] }) => {
      for (const { number, answer } of replies) settle(number, answer)
    }
    outbox = [...pending].map(([number, { ask }]) => ({ number, ask }))
    send()
  }

  function detach(): void {
    port = null
    outbox = []
    for (const [number, each] of pending) if (each.sentMs !== null) settle(number, toLost('unknown'))
  }

  function settle(number: number, answer: Answer): void {
    const each = pending.get(number)
    pending.delete(number)
    each?.resolve(answer)
  }

  /** The other thread need not begin it, if it has not yet. */
  function giveUp(number: number, failure: Lost): void {
    if (!pending.has(number)) return
    settle(number, toLost(failure))
    queue({ number, ask: null })
  }

  /** One message a tick, whatever arrived in it. */
  function queue(request: PortRequest<Ask>): void {
    if (port === null) return
    if (outbox.push(request) === 1) setImmediate(send)
  }

  function send(): void {
    if (port === null || outbox.length === 0) return
    const now = performance.now()
    for (const { number } of outbox) {
      const each = number === null ? undefined : pending.get(number)
      if (each !== undefined) each.sentMs ??= now
    }
    port.postMessage(outbox)
    outbox = []
  }

  function giveUpLate(): void {
    const now = performance.now()
    for (const [number, { since, sentMs, limitMs }] of pending) {
      if (sentMs !== null && now > sentMs + limitMs) giveUp(number, 'late')
      else if (now > since + deadlineMs) giveUp(number, sentMs === null ? 'down' : 'unknown')
    }
  }
  setInterval(giveUpLate, lookMs).unref()

  function ask(ask: Ask, { limitMs = Number.POSITIVE_INFINITY, signal }: RequestOptions = {}): Promise<Answer> {
    const number = ++lastNumber
    const answer = new Promise<Answer>((resolve) => {
      pending.set(number, { ask, since: performance.now(), limitMs, resolve, sentMs: null })
    })
    // Nobody hears this answer, but whoever made the question goes on with it.
    signal?.addEventListener('abort', () => giveUp(number, 'late'), { once: true })
    if (signal?.aborted) giveUp(number, 'late')
    else queue({ number, ask })
    return answer
  }

  return {
    attach,
    detach,
    ask,
    isAttached: () => port !== null,
    pendingCount: () => pending.size,
    tell: (ask) => queue({ number: null, ask }),
  }
}
