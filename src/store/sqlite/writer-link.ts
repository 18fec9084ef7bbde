import type { Command } from '../../record/command.ts'
import type { Outcome } from '../store.ts'
import type { WriterReply, WriterRequest } from './writer-messages.ts'

/** A command that waited longer is answered, since a hanging request is never reaped. */
const deadlineMs = 20_000

/** An HTTP thread's end of the line to the writer. */
export interface WriterLink {
  attach(port: MessagePort): void
  /** The writer died: what was sent has an unknown outcome, the rest waits for the next one. */
  detach(): void
  execute(command: Command): Promise<Outcome>
  noteTokenUse(id: number): void
  isAttached(): boolean
  pendingCount(): number
}

interface Pending {
  readonly command: Command
  readonly since: number
  readonly resolve: (outcome: Outcome) => void
  isSent: boolean
}

export function createWriterLink(): WriterLink {
  const pending = new Map<number, Pending>()
  let outbox: WriterRequest[] = []
  let port: MessagePort | null = null
  let lastNumber = 0

  function attach(next: MessagePort): void {
    port = next
    port.onmessage = ({ data: replies }: { data: readonly WriterReply[] }) => {
      for (const { number, outcome } of replies) settle(number, outcome)
    }
    outbox = [...pending].map(([number, { command }]) => ({ number, command }))
    send()
  }

  function detach(): void {
    port = null
    outbox = []
    for (const [number, each] of pending) if (each.isSent) settle(number, { is: 'failed', failure: 'unknown' })
  }

  function settle(number: number, outcome: Outcome): void {
    const each = pending.get(number)
    pending.delete(number)
    each?.resolve(outcome)
  }

  /** One message a tick, whatever arrived in it. */
  function queue(request: WriterRequest): void {
    if (port === null) return
    if (outbox.push(request) === 1) setImmediate(send)
  }

  function send(): void {
    if (port === null || outbox.length === 0) return
    for (const request of outbox) {
      const each = 'number' in request ? pending.get(request.number) : undefined
      if (each !== undefined) each.isSent = true
    }
    port.postMessage(outbox)
    outbox = []
  }

  function giveUpLate(): void {
    const limit = Date.now() - deadlineMs
    for (const [number, { since, isSent }] of pending) {
      if (since > limit) return
      settle(number, { is: 'failed', failure: isSent ? 'unknown' : 'down' })
    }
  }
  setInterval(giveUpLate, 1000).unref()

  return {
    attach,
    detach,
    isAttached: () => port !== null,
    pendingCount: () => pending.size,
    noteTokenUse: (id) => queue({ usedToken: id }),
    execute: (command) =>
      new Promise((resolve) => {
        const number = ++lastNumber
        pending.set(number, { command, since: Date.now(), resolve, isSent: false })
        queue({ number, command })
      }),
  }
}
