import { type Host, toHostName } from '../address.ts'
import { toFailureReport } from '../failure.ts'
import { createProbe, type Hosts, type ProbeOptions, probe } from './primary.ts'
import { askServer } from './server.ts'
import type { Timeline } from './timeline.ts'

/** As often as the notification thread pings: a promotion is noticed as fast as a silent primary. */
const askMs = 80
const answerTimeoutMs = 1_000
/** Pause after a host could not be reached. */
const restMs = 500
/** How often to check whether the primary has changed. */
const idleMs = 200

/**
 * Asks every host except the primary, repeatedly, whether it was promoted (decision 33). Otherwise a promotion would be
 * noticed only by new connections, after the timeout of the old ones. Returns a function that stops it.
 */
export function watchHosts({ all, options }: Hosts, timeline: Timeline): () => void {
  let isStopped = false

  async function watch(host: Host, hostIndex: number): Promise<void> {
    while (!isStopped) {
      if (timeline.loadHostIndex() === hostIndex) await Bun.sleep(idleMs)
      else await watchStandby(host, hostIndex).catch(() => Bun.sleep(restMs))
    }
  }

  /** Uses one connection while it lasts and the host is not the primary. */
  async function watchStandby(host: Host, hostIndex: number): Promise<void> {
    const asking = createAsking(host, options)
    try {
      while (!isStopped && timeline.loadHostIndex() !== hostIndex) {
        const server = await asking.ask()
        timeline.hear(hostIndex, server)
        if (timeline.isLater(server)) timeline.admit(hostIndex, server)
        await Bun.sleep(askMs)
      }
    } finally {
      asking.end()
    }
  }

  if (all.length > 1) for (const [hostIndex, host] of all.entries()) void watch(host, hostIndex)
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

/** A slower host is skipped, because every read waits for this. */
const confirmTimeoutMs = 500
/**
 * The only host cannot be skipped: its name may lead to another server now. Not longer, because a server that was paused
 * for that long answers when it resumes, although another server may have been promoted since it was asked.
 */
const confirmOnlyTimeoutMs = 1_000

/**
 * Asks all hosts over new connections whether another server was promoted, and if so makes all threads use it. For
 * connections that were silent: their server may have been paused while another one was promoted. Concurrent callers
 * share one round that starts after their calls.
 */
export function createConfirm({ all, options }: Hosts, timeline: Timeline): () => Promise<void> {
  const timeoutMs = all.length === 1 ? confirmOnlyTimeoutMs : confirmTimeoutMs
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null

  async function askAll(): Promise<void> {
    next = null
    await Promise.all(
      all.map(async (host, hostIndex) => {
        const server = await probe(host, options, timeoutMs).catch((error) => skip(error, host))
        if (server !== null && timeline.isLater(server)) timeline.admit(hostIndex, server)
      }),
    )
  }

  /** A server that refuses the connection has answered, so the name leads to it. */
  function skip(error: unknown, host: Host): null {
    if (all.length > 1 || !toFailureReport(error, toHostName(host)).isLost) return null
    throw error
  }

  return () => {
    if (next !== null) return next
    const round = running.then(askAll)
    // A failed round does not prevent the next.
    running = round.catch(() => undefined)
    next = round
    return round
  }
}
