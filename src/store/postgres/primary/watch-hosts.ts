import type { Host } from '../address.ts'
import { createProbe, type Hosts, type ProbeOptions, probe } from './primary.ts'
import { askServer } from './server.ts'
import type { Timeline } from './timeline.ts'

/** As often as the primary is asked whether it is there: one that takes over is known as soon as one that falls silent. */
const askMs = 80
const answerTimeoutMs = 1_000
/** A host that cannot be asked is tried again after so long. */
const restMs = 500
/** So often it is looked whether the primary has become another one. */
const idleMs = 200

/**
 * Asks every host but the primary whether it has become the primary, again and again. Else it would be known only to
 * whoever has to connect anew, and a silent primary would be waited for. Gives what ends it.
 */
export function watchHosts({ all, options }: Hosts, timeline: Timeline): () => void {
  let isStopped = false

  async function watch(host: Host, place: number): Promise<void> {
    while (!isStopped) {
      if (timeline.loadPlace() === place) await Bun.sleep(idleMs)
      else await watchStandby(host, place).catch(() => Bun.sleep(restMs))
    }
  }

  /** Through one connection, for as long as it lasts and the host is not the primary. */
  async function watchStandby(host: Host, place: number): Promise<void> {
    const asking = createAsking(host, options)
    try {
      while (!isStopped && timeline.loadPlace() !== place) {
        const server = await asking.ask()
        if (timeline.isLater(server)) timeline.admit(place, server)
        await Bun.sleep(askMs)
      }
    } finally {
      asking.end()
    }
  }

  if (all.length > 1) for (const [place, host] of all.entries()) void watch(host, place)
  return () => {
    isStopped = true
  }
}

function createAsking(host: Host, options: ProbeOptions) {
  const client = createProbe(host, options)
  const end = () => void client.end({ timeout: 0 })
  return {
    end,
    async ask() {
      const timer = setTimeout(end, answerTimeoutMs)
      try {
        return await askServer(client)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** A host that takes longer is left out: to wait for one that is gone would hold up every reader. */
const confirmTimeoutMs = 500

/**
 * Asks all hosts, through new connections, whether another server has become the primary, and has all threads use it
 * where it has. For when a connection cannot be trusted by itself: it was silent, and what is behind it may have stood
 * still while another one took over. Those who ask at the same time share one round, begun after they asked.
 */
export function createConfirm({ all, options }: Hosts, timeline: Timeline): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null

  async function askAll(): Promise<void> {
    next = null
    await Promise.all(
      all.map(async (host, place) => {
        const server = await probe(host, options, confirmTimeoutMs)
        if (server !== null && timeline.isLater(server)) timeline.admit(place, server)
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
