import type { Host } from '../address.ts'
import { createProbe, type Hosts, type ProbeOptions } from './primary.ts'
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
export function watchHosts({ all, options }: Hosts, epoch: Timeline): () => void {
  let isStopped = false

  async function watch(host: Host, place: number): Promise<void> {
    while (!isStopped) {
      if (epoch.loadPlace() === place) await Bun.sleep(idleMs)
      else await watchStandby(host, place).catch(() => Bun.sleep(restMs))
    }
  }

  /** Through one connection, for as long as it lasts and the host is not the primary. */
  async function watchStandby(host: Host, place: number): Promise<void> {
    const asking = createAsking(host, options)
    try {
      while (!isStopped && epoch.loadPlace() !== place) {
        const server = await asking.ask()
        if (epoch.isLater(server)) epoch.admit(place, server)
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
