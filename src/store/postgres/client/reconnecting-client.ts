import { toRefusal } from '../failure.ts'
import { refuse } from '../primary/primary.ts'
import { greetServer } from '../primary/server.ts'
import type { Timeline } from '../primary/timeline.ts'
import { createConfirm } from '../primary/watch-hosts.ts'
import { createPostgresClient, type PostgresClient, type PostgresClientOptions, toHosts } from './client.ts'

/** After an attempt that failed none is made for so long: a server that is starting must not be run over. */
const restMs = 100
/** A server, or what stands before it, that takes connections and then says nothing is given up. */
const connectTimeoutMs = 5_000
/** Within so long a connection is closed that leads to a primary of before, also where nobody asks for anything. */
const lookMs = 100

/** One connection; when it is lost, another one takes its place. */
export interface ReconnectingClient {
  /** A client that is connected; rejects where there is none to be had. */
  connect(): Promise<PostgresClient>
  /** The same, but null where that had to be waited for. */
  connected(): PostgresClient | null
  /** Whether this client is still the one, and no other server has become the primary. */
  holds(client: PostgresClient): boolean
  /** The same of an answer that just came through it; in doubt, all hosts are asked first. */
  isCurrent(client: PostgresClient): boolean | Promise<boolean>
  /** Gives up a connection that may be dead. */
  cut(): void
  end(): Promise<void>
}

interface Attempt {
  readonly client: PostgresClient
  readonly ready: Promise<PostgresClient>
  /** The primary that it is connected to; null before it is. */
  primaryKey: bigint | null
}

/**
 * The client could connect again by itself, but it does not always: what it was about to write when its connection was
 * closed it never writes, and all that comes after waits behind that. So each connection has a client of its own, which
 * is asked for nothing before it is connected, since what waits within it would make it connect again.
 */
export function createReconnectingClient(
  address: string,
  timeline: Timeline,
  options: PostgresClientOptions,
): ReconnectingClient {
  let current: Attempt | null = null
  let refused: { readonly error: unknown; readonly atMs: number } | null = null

  function drop(attempt: Attempt): void {
    if (current !== attempt) return
    current = null
    void attempt.client.end({ timeout: 0 })
    options.onClose?.()
  }

  function begin(): Attempt {
    let place = 0
    const client = createPostgresClient(address, timeline, {
      onClose: () => drop(attempt),
      onNotify: (text) => current === attempt && options.onNotify?.(text),
      onNotice: (notice) => options.onNotice?.(notice),
      onPlace(chosen) {
        place = chosen
      },
    })
    const greeting = greet(client, timeline, () => place)
    const attempt: Attempt = { client, ready: greeting.then(() => client), primaryKey: null }
    greeting.then(
      (admitted) => {
        attempt.primaryKey = admitted
        refused = null
      },
      (error) => {
        // One that we gave up ourselves says nothing about the next.
        if (current === attempt) refused = { error, atMs: performance.now() }
        drop(attempt)
      },
    )
    return attempt
  }

  /** Where another primary has taken over, what there is of the old one is closed. */
  function look(): void {
    if (current !== null && current.primaryKey !== null && current.primaryKey !== timeline.load()) drop(current)
  }
  function holds(client: PostgresClient): boolean {
    look()
    return current?.client === client
  }
  const confirm = createConfirm(toHosts(address), timeline)
  const looking = setInterval(look, lookMs)
  looking.unref()

  return {
    async connect() {
      look()
      if (current === null && refused !== null && performance.now() < refused.atMs + restMs) throw refused.error
      current ??= begin()
      return current.ready
    },
    connected() {
      look()
      return current === null || current.primaryKey === null ? null : current.client
    },
    holds,
    isCurrent: (client) => (timeline.isDoubtful() ? confirm().then(() => holds(client)) : holds(client)),
    cut: () => void (current !== null && drop(current)),
    async end() {
      clearInterval(looking)
      const ending = current
      current = null
      await ending?.client.end({ timeout: 1 })
    },
  }
}

/** Has the server say which one it is; gives its key where it is the one to use. */
async function greet(client: PostgresClient, timeline: Timeline, toPlace: () => number): Promise<bigint> {
  const timer = setTimeout(() => void client.end({ timeout: 0 }), connectTimeoutMs)
  try {
    const { server, hasWarnings } = await greetServer(client)
    if (!hasWarnings) throw toRefusal('NO_WARNINGS', 'the session cannot be made to report warnings')
    if (server.isStandby) throw toRefusal('STANDBY_ONLY', 'the server follows another one and takes no writes')
    const admitted = timeline.admit(toPlace(), server)
    if (admitted === 'older' || admitted === 'foreign') throw refuse(admitted)
    return admitted
  } finally {
    clearTimeout(timer)
  }
}
