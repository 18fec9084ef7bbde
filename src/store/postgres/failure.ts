import { toErrorCode } from '../../error-code.ts'

/** A failure of PostgreSQL or of the network. The code is `POSTGRES_` and the SQLSTATE or the network error code. */
export class PostgresFailure extends Error {
  readonly code: string
  /** The connection was lost: an open transaction is rolled back, and the result of a COMMIT is unknown. */
  readonly isLost: boolean

  constructor(code: string, message: string, isLost: boolean) {
    super(message)
    this.name = 'PostgresFailure'
    this.code = `POSTGRES_${code}`
    this.isLost = isLost
  }
}

const refusedConnections = [
  'NO_WARNINGS',
  'NO_PRIMARY',
  'SILENT',
  'STANDBY_ONLY',
  'OLD_PRIMARY',
  'OTHER_CLUSTER',
  'MOVED_ON',
] as const
type RefusedConnection = (typeof refusedConnections)[number]

/** For connections that we refuse; the code is used like a network error code. The message names the host. */
export function refusedConnection(code: RefusedConnection, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** The parts of an error that callers distinguish. */
interface FailureReport {
  readonly code: string
  readonly message: string
  readonly isLost: boolean
}

/** SQLSTATEs of a server that shuts down, starts or is demoted: the connection is lost. */
const lostStates = /^(?:08|57P0)/

/** The client names the first host of the address instead of the one that it was connected to, or none. */
const clientTexts: { readonly [code: string]: string } = {
  CONNECTION_CLOSED: 'the connection was lost',
  CONNECTION_DESTROYED: 'the connection was lost',
  CONNECTION_ENDED: 'the connection was lost',
  CONNECT_TIMEOUT: 'the connection could not be made in time',
}

/** `host`: the one that was used; a message about a lost connection names it. */
export function toFailureReport(error: unknown, host: string): FailureReport {
  const code = toErrorCode(error) || 'UNKNOWN'
  const isLost = !/^[0-9A-Z]{5}$/.test(code) || lostStates.test(code)
  const text = clientTexts[code] ?? (error instanceof Error ? error.message : String(error))
  const isNamed = !isLost || text.includes(host) || refusedConnections.some((each) => each === code)
  return { code, message: isNamed ? text : nameHost(text, host), isLost }
}

export const nameHost = (text: string, host: string) => `${text} (${host})`

export function toPostgresFailure(error: unknown, host: string): PostgresFailure {
  if (error instanceof PostgresFailure) return error
  const { code, message, isLost } = toFailureReport(error, host)
  return new PostgresFailure(code, message, isLost)
}

/** Another node holds the row that writers lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof PostgresFailure && error.code === 'POSTGRES_55P03'
}
