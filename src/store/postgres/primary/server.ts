/** What a server says of itself. */
export interface Server {
  /** It follows another one, and takes no writes. */
  readonly isStandby: boolean
  /** Grows by each promotion; 0 of a standby. */
  readonly timeline: number
  /** The same for a primary and all that were ever copied from it. */
  readonly system: bigint
}

/** A standby has no log of its own to name. Any role may ask for these. */
const serverColumns = `pg_is_in_recovery() AS "isStandby",
  CASE WHEN pg_is_in_recovery() THEN '0' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline,
  (SELECT system_identifier FROM pg_control_system())::text AS system`

/**
 * The least that a session must report: a commit that no replica has confirmed is told by a warning alone. Set once it is
 * connected, since a role or a database may have a level of its own, and what stands between may drop ours on the way in.
 */
const reportColumn = `set_config('client_min_messages', 'warning', false) AS level`

/** A client of whatever types of values. */
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

/** The same, and whether the session reports from now on what we must know. */
export async function greetServer(client: Asked) {
  const [row] = await client.unsafe<(ServerRow & { level: string })[]>(`SELECT ${serverColumns}, ${reportColumn}`)
  return { server: toServer(row), hasWarnings: row?.level === 'warning' }
}

function toServer(row: ServerRow | undefined): Server {
  if (row === undefined) throw new Error('the server says nothing of itself')
  const { isStandby, timeline, system } = row
  return { isStandby, timeline: Number.parseInt(timeline, 16), system: BigInt(system) }
}
