import { type Host, toHostName } from '../address.ts'
import { refusedConnection } from '../failure.ts'
import { findDoubt, findPrimary, refusedServer } from '../primary/primary.ts'
import { greetServer } from '../primary/server.ts'
import type { Timeline } from '../primary/timeline.ts'
import { createConfirm } from '../primary/watch-hosts.ts'
import { createPostgresClient, type PostgresClient, type PostgresClientOptions, toHosts } from './client.ts'

/** Pause after a failed attempt, so that a starting server is not flooded. */
const restMs = 100
/** For a server or proxy that accepts a connection and then stays silent. */
const connectTimeoutMs = 5_000
/** How often a connection without requests is checked for a change of primary. */
const lookMs = 100

/** One connection, replaced when it is lost. */
export interface ReconnectingClient {
  /** Resolves with a connected client; rejects if no connection can be made. */
  connect(): Promise<PostgresClient>
  /** The connected client, or null; never waits. */
  connected(): PostgresClient | null
  /** Whether this client is still in use, and connected to the current primary. */
  holds(client: PostgresClient): boolean
  /** As `holds`, for a result that just arrived. If the primary is in doubt, all hosts are asked first (decision 33). */
  isCurrent(client: PostgresClient): boolean | Promise<boolean>
  /** The host that is used, or was last; all of them until one is chosen. */
  hostName(): string
  /** Why nothing may be written although the server accepts writes; null if writes are allowed (decision 67). */
  doubt(): string | null
  /** Closes a connection that may be dead. */
  cut(): void
  end(): Promise<void>
}

interface Attempt {
  /** Null until a host is chosen. */
  client: PostgresClient | null
  readonly ready: Promise<PostgresClient>
  /** The primary that it is connected to; null until then. */
  primaryKey: bigint | null
}

/**
 * postgres.js can reconnect by itself, but not reliably: a query that it was about to write when its connection closed
 * is never written, and blocks all later ones. So each connection has its own client, which gets no query before it is
 * connected: a waiting query would make it reconnect.
 */
export function createReconnectingClient(
  address: string,
  timeline: Timeline,
  options: PostgresClientOptions,
): ReconnectingClient {
  const hosts = toHosts(address)
  let current: Attempt | null = null
  let refused: { readonly error: unknown; readonly atMs: number } | null = null
  let usedName = hosts.all.map(toHostName).join(',')

  function drop(attempt: Attempt): void {
    if (current !== attempt) return
    current = null
    void attempt.client?.end({ timeout: 0 })
    options.onClose?.()
  }

  function begin(): Attempt {
    const { promise: ready, resolve, reject } = Promise.withResolvers<PostgresClient>()
    const attempt: Attempt = { client: null, ready, primaryKey: null }
    current = attempt
    open(attempt).then(
      (client) => {
        refused = null
        resolve(client)
      },
      (error) => {
        // The failure of an attempt that we closed ourselves says nothing about the next.
        if (current === attempt) refused = { error, atMs: performance.now() }
        drop(attempt)
        reject(error)
      },
    )
    return attempt
  }

  async function open(attempt: Attempt): Promise<PostgresClient> {
    const { hostIndex, told } = hosts.all.length === 1 ? { hostIndex: 0, told: [] } : await findPrimary(hosts, timeline)
    const host = hosts.all[hostIndex] ?? hosts.all[0]
    usedName = toHostName(host)
    if (current !== attempt) throw refusedConnection('SILENT', `the connection was given up (${usedName})`)
    const client = createPostgresClient(host, hosts.options, {
      onClose: () => drop(attempt),
      onNotify: (text) => current === attempt && options.onNotify?.(text),
      onNotice: (notice) => options.onNotice?.(notice),
    })
    attempt.client = client
    const primaryKey = await greet(client, timeline, host, hostIndex)
    for (const { hostIndex, ...server } of told) timeline.hear(hostIndex, server)
    if (findDoubt(hosts, timeline) !== null) await client.unsafe('SET default_transaction_read_only = on').simple()
    attempt.primaryKey = primaryKey
    return client
  }

  /** Closes a connection to a former primary. */
  function look(): void {
    if (current !== null && current.primaryKey !== null && current.primaryKey !== timeline.load()) drop(current)
  }
  function holds(client: PostgresClient): boolean {
    look()
    return current?.client === client
  }
  const confirm = createConfirm(hosts, timeline)
  const looking = setInterval(look, lookMs)
  looking.unref()

  return {
    async connect() {
      look()
      if (current === null && refused !== null && performance.now() < refused.atMs + restMs) throw refused.error
      return (current ?? begin()).ready
    },
    connected() {
      look()
      return current === null || current.primaryKey === null ? null : current.client
    },
    holds,
    isCurrent: (client) => (timeline.isIndeterminate() ? confirm().then(() => holds(client)) : holds(client)),
    hostName: () => usedName,
    doubt: () => findDoubt(hosts, timeline),
    cut: () => void (current !== null && drop(current)),
    async end() {
      clearInterval(looking)
      const ending = current
      current = null
      await ending?.client?.end({ timeout: 1 })
    },
  }
}

/** Identifies the server, and returns its key if it is the one to use. */
async function greet(client: PostgresClient, timeline: Timeline, host: Host, hostIndex: number): Promise<bigint> {
  const timer = setTimeout(() => void client.end({ timeout: 0 }), connectTimeoutMs)
  try {
    const { server, hasWarnings } = await greetServer(client)
    if (!hasWarnings) throw refusedConnection('NO_WARNINGS', 'the session cannot be made to report warnings')
    if (server.isStandby)
      throw refusedConnection('STANDBY_ONLY', `${toHostName(host)} follows another server and takes no writes`)
    const admitted = timeline.admit(hostIndex, server)
    if (admitted === 'older' || admitted === 'foreign') throw refusedServer(admitted, host)
    timeline.hear(hostIndex, server)
    return admitted
  } finally {
    clearTimeout(timer)
  }
}
