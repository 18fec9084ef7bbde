/** The identity and state of a server. */
export interface Server {
  /** Follows another server and takes no writes. */
  readonly isStandby: boolean
  /** Increases with each promotion. That of a standby is the latest that it has seen of its primary. */
  readonly timeline: number
  /** The system identifier: the same for a primary and all copies of it. */
  readonly system: bigint
}

/**
 * A standby has no current WAL file. Its control file may have the timeline before the last promotion until its next
 * checkpoint; what it receives is seen by roles with pg_read_all_stats only. No special role is needed otherwise.
 */
const standbyTimeline = `(SELECT to_hex(greatest(timeline_id, min_recovery_end_timeline, received_tli))
    FROM pg_control_checkpoint(), pg_control_recovery() LEFT JOIN pg_stat_wal_receiver ON true)`
const serverColumns = `pg_is_in_recovery() AS "isStandby",
  CASE WHEN pg_is_in_recovery() THEN ${standbyTimeline}
    ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline,
  (SELECT system_identifier FROM pg_control_system())::text AS system`

/** Longer than any request waits. */
const statementTimeoutMs = 20_000
/** How long a writer waits for another node's lock before it retries. */
const lockTimeoutMs = 1_000

/**
 * Set after connecting, because a role or a database may have its own values, and a pooler refuses or drops startup
 * parameters; and in every session, so that a reload of postgresql.conf changes nothing. A commit that no replica has
 * confirmed is reported only by a warning, so warnings must be on. With a lower `synchronous_commit` than `on`,
 * PostgreSQL acknowledges commits that a crash or a failover loses. The client reads bytes in the form `hex` alone.
 */
const sessionColumns = `set_config('client_min_messages', 'warning', false) AS level,
  set_config('bytea_output', 'hex', false) AS bytes,
  set_config('synchronous_commit', CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false) AS durability,
  set_config('statement_timeout', '${statementTimeoutMs}', false) AS statements,
  set_config('lock_timeout', '${lockTimeoutMs}', false) AS locks`

/** Any client that runs a query. */
interface Asked {
  unsafe<Rows extends object[]>(sql: string): PromiseLike<Rows>
}

interface ServerRow {
  readonly isStandby: boolean
  readonly timeline: string
  readonly system: string
}

export async function askServer(client: Asked): Promise<Server> {
  const [row] = await client.unsafe<ServerRow[]>(`SELECT ${serverColumns}`)
  return toServer(row)
}

/** As `askServer`; also sets up the session, and reports whether warnings are on. */
export async function greetServer(client: Asked) {
  const [row] = await client.unsafe<(ServerRow & { level: string })[]>(`SELECT ${serverColumns}, ${sessionColumns}`)
  return { server: toServer(row), hasWarnings: row?.level === 'warning' }
}

function toServer(row: ServerRow | undefined): Server {
  if (row === undefined) throw new Error('the server returned no identity')
  const { isStandby, timeline, system } = row
  return { isStandby, timeline: Number.parseInt(timeline, 16), system: BigInt(system) }
}
