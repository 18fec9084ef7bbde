import { type Hosts, probe } from './primary.ts'
import type { Timeline } from './timeline.ts'

/** A host that takes longer is left out: to wait for one that is gone would hold up every reader. */
const confirmTimeoutMs = 500

/**
 * Asks all hosts, through new connections, whether another server has become the primary, and has all threads use it
 * where it has. For when a connection cannot be trusted by itself: it was silent, and what is behind it may have stood
 * still while another one took over. Those who ask at the same time share one round, begun after they asked.
 */
export function createConfirm({ all, options }: Hosts, epoch: Timeline): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null

  async function askAll(): Promise<void> {
    next = null
    await Promise.all(
      all.map(async (host, place) => {
        const server = await probe(host, options, confirmTimeoutMs)
        if (server !== null && epoch.isLater(server)) epoch.admit(place, server)
      }),
    )
  }

  return () => {
    if (next !== null) return next
    const round = running.then(askAll)
    // One that failed does not stand in the way of the next.
    running = round.catch(() => undefined)
    next = round
    return round
  }
}
