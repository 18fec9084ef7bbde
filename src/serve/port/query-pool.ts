import type { RequestOptions, ThreadPort } from './thread-port.ts'

/** Ports to several threads that do the same. */
export interface PortPool<Ask, Answer> {
  /** Asks the thread with the fewest requests of ours. */
  ask(ask: Ask, options?: RequestOptions): Promise<Answer>
  isAttached(): boolean
}

export function createPortPool<Ask, Answer>(ports: readonly ThreadPort<Ask, Answer>[]): PortPool<Ask, Answer> {
  /** Where the search for a free thread begins, so that threads that are equally busy take turns. */
  let first = 0

  function pick(): ThreadPort<Ask, Answer> {
    first = (first + 1) % ports.length
    const rotated = [...ports.slice(first), ...ports.slice(0, first)]
    // Without any thread the request waits for the one that is starting.
    const candidates = rotated.some((port) => port.isAttached()) ? rotated.filter((port) => port.isAttached()) : rotated
    return candidates.reduce((best, port) => (port.pendingCount() < best.pendingCount() ? port : best))
  }

  return {
    ask: (ask, options) => pick().ask(ask, options),
    isAttached: () => ports.some((port) => port.isAttached()),
  }
}
