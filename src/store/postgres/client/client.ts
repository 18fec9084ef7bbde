import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { type Address, type Host, parseAddress } from '../address.ts'
import { createOnlySocket, type Hosts, type ProbeOptions, toSocketAddress } from '../primary/primary.ts'

export type PostgresClient = postgres.Sql<{ count: number }>

export interface PostgresClientOptions {
  /** Called when a connection is lost. */
  onClose?(): void
  /** Called with the payload of each notification. */
  onNotify?(text: string): void
  /** Called with each of the server's notices. */
  onNotice?(notice: postgres.Notice): void
}

const connectTimeoutSeconds = 5

/** bigint and numeric are parsed to numbers: all of ours are far below 2^53. */
const countType = { to: 20, from: [20, 1700], parse: Number, serialize: String }

export function createPostgresClient(
  host: Host,
  session: ProbeOptions,
  options: PostgresClientOptions,
): PostgresClient {
  const { onClose, onNotify, onNotice } = options
  return postgres({
    ...session,
    ...toSocketAddress(host),
    // Supported by the client but missing in its types.
    ...{ socket: createOnlySocket(host) },
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    // `createOnlySocket` refuses a second connection, so a retry would only delay the error.
    backoff: () => 0,
    // We send BEGIN and COMMIT ourselves, so the client would close a connection in the middle of a transaction.
    max_lifetime: null,
    idle_timeout: 0,
    // A standby takes no writes.
    target_session_attrs: 'primary',
    types: { count: countType },
    connection: { application_name: 'rostrum' },
    onnotice: (notice) => onNotice?.(notice),
    // Supported by the client but missing in its types.
    ...{ onnotify: (_channel: string, text: string) => onNotify?.(text) },
    onclose: () => onClose?.(),
  })
}

export function toHosts(address: string): Hosts {
  const parsed = parseAddress(address)
  if (typeof parsed === 'string') throw new Error(parsed)
  return { all: parsed.hosts, options: toSession(parsed) }
}

/** Options of every connection, to any host. */
function toSession(address: Address) {
  const { user, password, database } = address
  // Without them, the client reads PGUSER and PGPASSWORD.
  const login = { ...(user === null ? {} : { user }), ...(password === null ? {} : { password }) }
  return { ...login, database, ssl: toTls(address), fetch_types: false, onnotice: () => undefined }
}

function toTls({ tlsMode, tlsRoots }: Address) {
  if (tlsMode === 'disable') return false
  if (tlsMode === 'prefer' || tlsMode === 'require') return tlsMode
  const roots = tlsRoots === null ? {} : { ca: readFileSync(tlsRoots, 'utf8') }
  // `verify-ca` does not check the host name.
  const names = tlsMode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}
  return { rejectUnauthorized: true, ...roots, ...names }
}
