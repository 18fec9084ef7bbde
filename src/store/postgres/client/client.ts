import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { type Address, parseAddress } from '../address.ts'
import { createOnlySocket, type Hosts, toSocketAddress } from '../primary/primary.ts'
import type { Timeline } from '../primary/timeline.ts'

export type PostgresClient = postgres.Sql<{ count: number }>

export interface PostgresClientOptions {
  /** Called when a connection is lost. */
  onClose?(): void
  /** Called with what is told on a channel that is listened to. */
  onNotify?(text: string): void
  /** Called with each of the server's remarks. */
  onNotice?(notice: postgres.Notice): void
  /** Called with the place of the host that was chosen, before it is connected to. */
  onPlace?(place: number): void
}

/** Nobody waits for longer. */
const statementTimeoutMs = 20_000
/** How long a writer waits for another node's group; then it tries again. */
const lockTimeoutMs = 1_000
const connectTimeoutSeconds = 5

/** Numbers come as numbers: all of ours are far below 2^53. */
const countType = { to: 20, from: [20, 1700], parse: Number, serialize: String }

export function createPostgresClient(
  address: string,
  timeline: Timeline,
  options: PostgresClientOptions,
): PostgresClient {
  const { onClose, onNotify, onNotice, onPlace } = options
  const hosts = toHosts(address)
  return postgres({
    ...hosts.options,
    ...toSocketAddress(hosts.all[0]),
    // Known to the client, but not to its types.
    ...{ socket: createOnlySocket(hosts, timeline, (place) => onPlace?.(place)) },
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    // It is told at once that there is no other connection.
    backoff: () => 0,
    // A connection is in the middle of a transaction that the client knows nothing of: it must not end it by itself.
    max_lifetime: null,
    idle_timeout: 0,
    // A standby, which only reads, is of no use.
    target_session_attrs: 'primary',
    types: { count: countType },
    connection: {
      application_name: 'rostrum',
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
    },
    onnotice: (notice) => onNotice?.(notice),
    // Known to the client, but not to its types.
    ...{ onnotify: (_channel: string, text: string) => onNotify?.(text) },
    onclose: () => onClose?.(),
  })
}

export function toHosts(address: string): Hosts {
  const parsed = parseAddress(address)
  if (typeof parsed === 'string') throw new Error(parsed)
  return { all: parsed.hosts, options: toSession(parsed) }
}

/** What every connection says of itself, to whichever host. */
function toSession(address: Address) {
  const { user, password, database } = address
  // What is missing the client takes from PGUSER and PGPASSWORD.
  const login = { ...(user === null ? {} : { user }), ...(password === null ? {} : { password }) }
  return { ...login, database, ssl: toTls(address), fetch_types: false, onnotice: () => undefined }
}

function toTls({ tlsMode, tlsRoots }: Address) {
  if (tlsMode === 'disable') return false
  if (tlsMode === 'prefer' || tlsMode === 'require') return tlsMode
  const roots = tlsRoots === null ? {} : { ca: readFileSync(tlsRoots, 'utf8') }
  // `verify-ca` trusts any name that a trusted certificate has.
  const names = tlsMode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}
  return { rejectUnauthorized: true, ...roots, ...names }
}
