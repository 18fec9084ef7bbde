import type { Failure } from '../store.ts'
import type { Request } from './messages.ts'
import { type Packet, type Packing, packRequests, unpackReplies } from './packets.ts'

/** What waited longer is answered, since a hanging request is never reaped. */
const deadlineMs = 20_000

/** An HTTP thread's end of the line to a thread of the store. */
export interface Link<Ask, Answer> {
  attach(port: MessagePort): void
  /** The other thread died: what was sent is lost, the rest waits for the next one. */
  detach(): void
  ask(ask: Ask): Promise<Answer>
  /** Without an answer; lost where there is nobody to hear it. */
  tell(ask: Ask): void
  isAttached(): boolean
  pendingCount(): number
}

interface Pending<Ask, Answer> {
  readonly ask: Ask
  readonly since: number
  readonly resolve: (answer: Answer) => void
  isSent: boolean
}

/** `toLost` makes the answer for what was sent and never answered (`unknown`), or never sent (`down`). */
export function createLink<Ask, Answer>(
  packing: Packing<Answer>,
  toLost: (failure: Extract<Failure, 'unknown' | 'down'>) => Answer,
): Link<Ask, Answer> {
  const pending = new Map<number, Pending<Ask, Answer>>()
  let outbox: Request<Ask>[] = []
  let port: MessagePort | null = null
  let lastNumber = 0

  function attach(next: MessagePort): void {
    port = next
    port.onmessage = ({ data: packet }: { data: Packet<Answer> }) => {
      for (const { number, answer } of unpackReplies(packet, packing)) settle(number, answer)
    }
    outbox = [...pending].map(([number, { ask }]) => ({ number, ask }))
    send()
  }

  function detach(): void {
    port = null
    outbox = []
    for (const [number, each] of pending) if (each.isSent) settle(number, toLost('unknown'))
  }

  function settle(number: number, answer: Answer): void {
    const each = pending.get(number)
    pending.delete(number)
    each?.resolve(answer)
  }

  /** One message a tick, whatever arrived in it. */
  function queue(request: Request<Ask>): void {
    if (port === null) return
    if (outbox.push(request) === 1) setImmediate(send)
  }

  function send(): void {
    if (port === null || outbox.length === 0) return
    for (const { number } of outbox) {
      const each = number === null ? undefined : pending.get(number)
      if (each !== undefined) each.isSent = true
    }
    port.postMessage(packRequests(outbox))
    outbox = []
  }

  function giveUpLate(): void {
    const limit = performance.now() - deadlineMs
    for (const [number, { since, isSent }] of pending) {
      if (since > limit) return
      settle(number, toLost(isSent ? 'unknown' : 'down'))
    }
  }
  setInterval(giveUpLate, 1000).unref()

  return {
    attach,
    detach,
    isAttached: () => port !== null,
    pendingCount: () => pending.size,
    tell: (ask) => queue({ number: null, ask }),
    ask: (ask) =>
      new Promise((resolve) => {
        const number = ++lastNumber
        pending.set(number, { ask, since: performance.now(), resolve, isSent: false })
        queue({ number, ask })
      }),
  }
}
