import { type Client, type ClientOptions, createClient } from './client.ts'
import { toRefusal } from './failure.ts'

/** After an attempt that failed none is made for so long: a server that is starting must not be run over. */
const restMs = 100
/** A server, or what stands before it, that takes connections and then says nothing is given up. */
const connectTimeoutMs = 5_000

/** One connection; when it is lost, another one takes its place. */
export interface Wire {
  /** A client that is connected; rejects where there is none to be had. */
  connect(): Promise<Client>
  /** The same, but null where that had to be waited for. */
  connected(): Client | null
  /** Gives up a connection that may be dead. */
  cut(): void
  end(): Promise<void>
}

interface Attempt {
  readonly client: Client
  readonly ready: Promise<Client>
  isConnected: boolean
}

/**
 * The client could connect again by itself, but it does not always: what it was about to write when its connection was
 * closed it never writes, and all that comes after waits behind that. So each connection has a client of its own, which
 * is asked for nothing before it is connected, since what waits within it would make it connect again.
 */
export function createWire(address: string, options: ClientOptions): Wire {
  let current: Attempt | null = null
  let refused: { readonly error: unknown; readonly atMs: number } | null = null

  function drop(attempt: Attempt): void {
    if (current !== attempt) return
    current = null
    void attempt.client.end({ timeout: 0 })
    options.onClose?.()
  }

  function begin(): Attempt {
    const client = createClient(address, {
      onClose: () => drop(attempt),
      onNotify: (text) => current === attempt && options.onNotify?.(text),
      onNotice: (notice) => options.onNotice?.(notice),
    })
    const attempt: Attempt = { client, ready: greet(client), isConnected: false }
    attempt.ready.then(
      () => {
        attempt.isConnected = true
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

  return {
    async connect() {
      if (current === null && refused !== null && performance.now() < refused.atMs + restMs) throw refused.error
      current ??= begin()
      return current.ready
    },
    connected: () => (current?.isConnected ? current.client : null),
    cut: () => void (current !== null && drop(current)),
    async end() {
      const ending = current
      current = null
      await ending?.client.end({ timeout: 1 })
    },
  }
}

/**
 * The least that a session must report: a commit that no replica has confirmed is told by a warning alone. Set once it is
 * connected, since a role or a database may have a level of its own, and what stands between may drop ours on the way in.
 */
const reportSql = `SELECT set_config('client_min_messages', 'warning', false) AS level`

/** Has something answered, and the session report what we must know. */
async function greet(client: Client): Promise<Client> {
  const timer = setTimeout(() => void client.end({ timeout: 0 }), connectTimeoutMs)
  try {
    const [row] = await client.unsafe<{ level: string }[]>(reportSql)
    if (row?.level !== 'warning') throw toRefusal('NO_WARNINGS', 'the session cannot be made to report warnings')
    return client
  } finally {
    clearTimeout(timer)
  }
}
